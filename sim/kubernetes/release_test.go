package kubernetes_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
	"github.com/gpuyard/gpuyard/sim/internal/simtest"
	"github.com/gpuyard/gpuyard/sim/kubernetes"
)

type m = simtest.M

const token = "kubernetes:helm.sh/v3:Release"

// config is a kubeconfig in which single parts can be got wrong.
func config(server, authority, cluster string) string {
	return fmt.Sprintf(`
apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "%s", certificate-authority-data: "%s"}}]
users: [{name: u, user: {exec: {command: aws, args: [eks, get-token, --cluster-name, "%s"]}}}]
`, server, authority, cluster)
}

const (
	endpoint  = "${cluster.endpoint}"
	authority = "${cluster.certificateAuthority.data}"
)

func trust(service string) string {
	return `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"` + service + `"},"Action":"sts:AssumeRole"}]}`
}

// world has a cluster that the kubernetes provider is configured for.
func world(t *testing.T, cluster m) *simtest.World {
	t.Helper()
	w := simtest.New(t, t.TempDir())
	w.MustCreate("vpc", "aws:ec2/vpc:Vpc", m{"cidrBlock": "10.0.0.0/16"})
	w.MustCreate("a", "aws:ec2/subnet:Subnet", m{"vpcId": "${vpc}", "cidrBlock": "10.0.0.0/24", "availabilityZone": "us-west-2a"})
	w.MustCreate("b", "aws:ec2/subnet:Subnet", m{"vpcId": "${vpc}", "cidrBlock": "10.0.1.0/24", "availabilityZone": "us-west-2b"})
	w.MustCreate("role", "aws:iam/role:Role", m{"assumeRolePolicy": trust("eks.amazonaws.com")})
	w.MustCreate("attachment", "aws:iam/rolePolicyAttachment:RolePolicyAttachment", m{"role": "${role}", "policyArn": "arn:aws:iam::aws:policy/AmazonEKSClusterPolicy"})
	w.MustCreate("cluster", "aws:eks/cluster:Cluster", simtest.With(m{"name": "standard", "roleArn": "${role.arn}", "vpcConfig": m{"subnetIds": []any{"${a}", "${b}"}}}, cluster))
	if err := w.Configure("kubernetes", "kubernetes", m{"kubeconfig": config(endpoint, authority, "standard")}); err != nil {
		t.Fatal(err)
	}
	return w
}

// efa is a release of the EFA device plugin.
var efa = m{
	"name": "efa", "namespace": "kube-system", "chart": "aws-efa-k8s-device-plugin", "version": "v0.5.30", "compat": "true", "timeout": 600,
	"repositoryOpts": m{"repo": "https://aws.github.io/eks-charts"},
	"values":         m{"tolerations": []any{m{"key": "nvidia.com/gpu", "operator": "Exists"}}, "supportedInstanceLabels": m{"values": []any{"p5.48xlarge"}}},
}

func TestLifeOfARelease(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	preview, err := w.PreviewCreate("efa", token, efa)
	if err != nil || !preview["status"].IsComputed() {
		t.Fatalf("a preview says %v, %v", preview, err)
	}
	made := w.MustCreate("efa", token, efa)
	if out := engine.Props(made.Outputs); made.ID != "kube-system/efa" || out.Str("status.status") != "deployed" || out.Str("status.appVersion") != "v0.5.20" {
		t.Errorf("got %s %v", made.ID, made.Outputs)
	}
	changed, err := w.Update(made, simtest.With(efa, m{"values": m{"nodeSelector": m{"efa": "present"}}}))
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := engine.Props(changed.Outputs).Int("status.revision"); n != 2 {
		t.Errorf("the update is revision %d", n)
	}
	if d := w.Diff(made, w.Props(simtest.With(efa, m{"namespace": "default"}))); !slices.Equal(d.GetReplaces(), []string{"namespace"}) || !d.GetDeleteBeforeReplace() {
		t.Errorf("another namespace is a difference of %v", d)
	}
	if err := w.Delete(changed); err != nil {
		t.Fatal(err)
	}
	if now := w.Read(token, "efa", made.ID); now.ID != "" {
		t.Errorf("it is still there: %v", now)
	}
}

func TestVersionsGoWithAndWithoutV(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	for i, version := range []any{"v0.5.30", "0.5.30", nil} {
		if _, err := w.Create(fmt.Sprint("efa", i), token, simtest.With(efa, m{"name": fmt.Sprint("efa", i), "version": version})); err != nil {
			t.Errorf("%v: %v", version, err)
		}
	}
}

func TestAReleaseIsNamed(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	made := w.MustCreate("plugin", token, simtest.With(efa, m{"name": nil}))
	if !strings.HasPrefix(made.ID, "kube-system/plugin-") {
		t.Errorf("it is %s", made.ID)
	}
}

func TestAReleaseGoesWithItsCluster(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	made := w.MustCreate("efa", token, efa)
	if err := w.Delete(w.Made["cluster"]); err != nil {
		t.Fatalf("a release keeps the cluster: %v", err)
	}
	if now := w.Read(token, "efa", made.ID); now.ID != "" {
		t.Errorf("it is still there without its cluster: %v", now)
	}
}

// refusal is something that a rule refuses.
type refusal struct {
	token   string // empty: a release
	rule    string
	in      m // what is changed in good arguments
	prepare func(w *simtest.World)
	cluster m      // what is different in the cluster
	config  string // another kubeconfig
	want    string
}

var refusals = []refusal{
	{rule: "release-name", in: m{"name": "EFA"}, want: "got \"EFA\", wanted at most 53 lower case letters"},
	{rule: "chart-known", in: m{"chart": "aws-efa-device-plugin"}, want: `chart "aws-efa-device-plugin" not found in "https://aws.github.io/eks-charts"; the embedded cloud has cilium from https://helm.cilium.io, neuron-helm-chart from oci://public.ecr.aws/neuron, nvidia-device-plugin`},
	{rule: "chart-known", in: m{"version": "0.5.31"}, want: "the embedded cloud has v0.5.30"},
	{rule: "chart-known", in: m{"repositoryOpts": nil}, want: `not found in ""`},
	{rule: "values-known", in: m{"values": m{"toleration": []any{}}}, want: "values.toleration: the chart reads no such value; did you mean tolerations?"},
	{rule: "values-known", in: m{"values": m{"supportedInstanceLabels": m{"vals": []any{}}}}, want: "values.supportedInstanceLabels.vals: the chart reads no such value"},
	{rule: "reachable", config: config("https://nowhere.example.com", authority, "standard"), want: "Kubernetes cluster unreachable: no cluster of this cloud has the endpoint https://nowhere.example.com"},
	{rule: "reachable", config: config(endpoint, "b3RoZXI=", "standard"), want: "x509: certificate signed by unknown authority"},
	{rule: "reachable", config: config(endpoint, authority, "other"), want: "--cluster-name \"other\", the endpoint is that of \"standard\""},
	{rule: "reachable", cluster: m{"accessConfig": m{"authenticationMode": "API", "bootstrapClusterCreatorAdminPermissions": false}}, want: "the caller has no rights in the cluster standard"},
	{rule: "namespace-exists", in: m{"namespace": "gpu"}, want: `namespaces "gpu" not found; set createNamespace`},
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, r := range allRefusals() {
		t.Run(r.token+"/"+r.rule, func(t *testing.T) {
			t.Parallel()
			w := world(t, r.cluster)
			if r.config != "" {
				if err := w.Configure("kubernetes", "kubernetes", m{"kubeconfig": r.config}); err != nil {
					t.Fatal(err)
				}
			}
			if r.prepare != nil {
				r.prepare(w)
			}
			what, good := token, efa
			if r.token != "" {
				what, good = r.token, objects[r.token]
				if good == nil {
					good = storageObjects()[r.token]
				}
			}
			if _, err := w.Create("refused", what, simtest.With(good, r.in)); err == nil || !strings.Contains(err.Error(), r.want) {
				t.Errorf("got %v, want %q", err, r.want)
			}
		})
	}
}

func TestEveryRuleRefusesSomething(t *testing.T) {
	t.Parallel()
	for _, res := range kubernetes.Provider().Resources {
		for _, rule := range slices.Concat(res.Plan, res.Apply, res.Keep) {
			refused := func(r refusal) bool {
				return r.rule == rule.Name && (r.token == res.Token || r.token == "" && res.Token == token)
			}
			if !slices.ContainsFunc(allRefusals(), refused) && !slices.Contains(shared, rule.Name) {
				t.Errorf("no case shows that %s refuses anything", rule.Name)
			}
			if rule.Says == "" || rule.Source == "" {
				t.Errorf("%s lacks a sentence or a source", rule.Name)
			}
		}
	}
}

func TestNamespacesThatReleasesMake(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	w.MustCreate("first", token, simtest.With(efa, m{"name": "first", "namespace": "gpu", "createNamespace": true}))
	w.MustCreate("second", token, simtest.With(efa, m{"name": "second", "namespace": "gpu"}))
}

func TestConfiguration(t *testing.T) {
	t.Parallel()
	w := simtest.New(t, t.TempDir())
	good := config("https://one", "", "c")
	for name, c := range map[string]struct {
		in   m
		want string
	}{
		"good":            {m{"kubeconfig": good}, ""},
		"unknown":         {m{"kubeconfig": simtest.Unknown}, ""},
		"missing":         {m{}, "kubeconfig: missing: give the provider the text of a kubeconfig"},
		"no kubeconfig":   {m{"kubeconfig": "~/.kube/config"}, "kubeconfig: is not the text of a kubeconfig"},
		"unknown context": {m{"kubeconfig": good, "context": "d"}, `its current context "d" is not among its contexts`},
		"no server":       {m{"kubeconfig": config("", "", "c")}, `its cluster "c" has no server`},
		"no user":         {m{"kubeconfig": strings.Replace(good, "name: u,", "name: v,", 1)}, `its user "u" is not among its users`},
		"misspelt":        {m{"kubeConfig": good}, "kubeConfig: unknown property; did you mean kubeconfig?"},
	} {
		err := w.Configure("kubernetes", name, c.in)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}
