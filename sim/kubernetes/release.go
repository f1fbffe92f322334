package kubernetes

import (
	"errors"
	"regexp"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	releaseToken = "kubernetes:helm.sh/v3:Release"
	clusterToken = "aws:eks/cluster:Cluster"
	entryToken   = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
)

// releaseArgs are the arguments of a Helm release. They are stated here because the SDK's package for them pulls in
// all Kubernetes packages.
// Source: pulumi-kubernetes 4.32.0, kubernetes:helm.sh/v3:Release.
type releaseArgs struct {
	AllowNullValues          *bool               `pulumi:"allowNullValues"`
	Atomic                   *bool               `pulumi:"atomic"`
	Chart                    string              `pulumi:"chart"`
	CleanupOnFail            *bool               `pulumi:"cleanupOnFail"`
	Compat                   *string             `pulumi:"compat"`
	CreateNamespace          *bool               `pulumi:"createNamespace"`
	DependencyUpdate         *bool               `pulumi:"dependencyUpdate"`
	Description              *string             `pulumi:"description"`
	Devel                    *bool               `pulumi:"devel"`
	DisableCRDHooks          *bool               `pulumi:"disableCRDHooks"`
	DisableOpenapiValidation *bool               `pulumi:"disableOpenapiValidation"`
	DisableWebhooks          *bool               `pulumi:"disableWebhooks"`
	ForceUpdate              *bool               `pulumi:"forceUpdate"`
	Keyring                  *string             `pulumi:"keyring"`
	Lint                     *bool               `pulumi:"lint"`
	Manifest                 map[string]any      `pulumi:"manifest"`
	MaxHistory               *int                `pulumi:"maxHistory"`
	Name                     *string             `pulumi:"name"`
	Namespace                *string             `pulumi:"namespace"`
	Postrender               *string             `pulumi:"postrender"`
	RecreatePods             *bool               `pulumi:"recreatePods"`
	RenderSubchartNotes      *bool               `pulumi:"renderSubchartNotes"`
	Replace                  *bool               `pulumi:"replace"`
	RepositoryOpts           *repositoryOpts     `pulumi:"repositoryOpts"`
	ResetValues              *bool               `pulumi:"resetValues"`
	ResourceNames            map[string][]string `pulumi:"resourceNames"`
	ReuseValues              *bool               `pulumi:"reuseValues"`
	SkipAwait                *bool               `pulumi:"skipAwait"`
	SkipCrds                 *bool               `pulumi:"skipCrds"`
	Timeout                  *int                `pulumi:"timeout"`
	Values                   map[string]any      `pulumi:"values"`
	Verify                   *bool               `pulumi:"verify"`
	Version                  *string             `pulumi:"version"`
	WaitForJobs              *bool               `pulumi:"waitForJobs"`
}

type repositoryOpts struct {
	CaFile   *string `pulumi:"caFile"`
	CertFile *string `pulumi:"certFile"`
	KeyFile  *string `pulumi:"keyFile"`
	Password *string `pulumi:"password"`
	Repo     *string `pulumi:"repo"`
	Username *string `pulumi:"username"`
}

// releaseState is what a release reports: its arguments, and how it stands.
type releaseState struct {
	AllowNullValues *bool               `pulumi:"allowNullValues"`
	Atomic          *bool               `pulumi:"atomic"`
	Chart           string              `pulumi:"chart"`
	CleanupOnFail   *bool               `pulumi:"cleanupOnFail"`
	CreateNamespace *bool               `pulumi:"createNamespace"`
	Description     *string             `pulumi:"description"`
	MaxHistory      *int                `pulumi:"maxHistory"`
	Name            *string             `pulumi:"name"`
	Namespace       *string             `pulumi:"namespace"`
	RepositoryOpts  *repositoryOpts     `pulumi:"repositoryOpts"`
	ResourceNames   map[string][]string `pulumi:"resourceNames"`
	SkipAwait       *bool               `pulumi:"skipAwait"`
	SkipCrds        *bool               `pulumi:"skipCrds"`
	Status          releaseStatus       `pulumi:"status"`
	Timeout         *int                `pulumi:"timeout"`
	Values          map[string]any      `pulumi:"values"`
	Version         *string             `pulumi:"version"`
	WaitForJobs     *bool               `pulumi:"waitForJobs"`
}

type releaseStatus struct {
	AppVersion *string `pulumi:"appVersion"`
	Chart      *string `pulumi:"chart"`
	Name       *string `pulumi:"name"`
	Namespace  *string `pulumi:"namespace"`
	Revision   *int    `pulumi:"revision"`
	Status     string  `pulumi:"status"`
	Version    *string `pulumi:"version"`
}

func release() *engine.Resource {
	return &engine.Resource{
		Token: releaseToken, Args: releaseArgs{}, State: releaseState{},
		Replace:  []string{"name", "namespace"},
		AutoName: &engine.AutoName{Property: "name", Max: 53},
		Moves:    []string{"status"},
		Plan:     []engine.Rule{releaseName, chartKnown, valuesKnown, chartAgrees},
		Apply:    []engine.Rule{reachable, namespaceExists, oneNetwork, chartsBefore},
		Keep:     []engine.Rule{chartsAfter},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			cl, _ := clusterOf(c)
			c.ComeWith(clusterToken, cl.ID)
			out := engine.Outputs{"namespace": namespace(c), "status": status(c, 1), "resourceNames": map[string]any{"DaemonSet.apps/apps/v1": []any{namespace(c) + "/" + c.In.Str("name")}}}
			return namespace(c) + "/" + c.In.Str("name"), out, nil
		},
		Update: func(c *engine.Call) (engine.Outputs, error) {
			revision, _ := c.Was.Int("status.revision")
			return engine.Outputs{"status": status(c, revision+1)}, nil
		},
	}
}

// namespace returns where a release or an object lives.
func namespace(c *engine.Call) string {
	for _, path := range []string{"namespace", "metadata.namespace"} {
		if n := c.In.Str(path); n != "" {
			return n
		}
	}
	return "default"
}

func status(c *engine.Call, revision int) map[string]any {
	ch, _ := findChart(c.In.Str("repositoryOpts.repo"), c.In.Str("chart"), c.In.Str("version"))
	return map[string]any{
		"appVersion": ch.appVersion, "chart": ch.name, "name": c.In.Str("name"), "namespace": namespace(c),
		"revision": revision, "status": "deployed", "version": ch.version,
	}
}

var nameShape = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)

var releaseName = engine.Rule{
	Name: "release-name", Says: "a release's name is a DNS label of at most 53 characters", Source: "Helm, \"helm install\"",
	Judge: func(c *engine.Call) error {
		if name := c.In.Str("name"); name != "" && (len(name) > 53 || !nameShape.MatchString(name)) {
			return engine.Invalid("name", "got %q, wanted at most 53 lower case letters, digits and dashes", name)
		}
		return nil
	},
}

var chartKnown = engine.Rule{
	Name: "chart-known", Says: "the repository has that chart in that version", Source: "the chart repositories, see sim/kubernetes/charts.go",
	Judge: func(c *engine.Call) error {
		for _, path := range []string{"chart", "version", "repositoryOpts.repo"} {
			if c.In.Unknown(path) {
				return nil
			}
		}
		if _, err := findChart(c.In.Str("repositoryOpts.repo"), c.In.Str("chart"), c.In.Str("version")); err != nil {
			return engine.Invalid("chart", "%v", err)
		}
		return nil
	},
}

var valuesKnown = engine.Rule{
	Name: "values-known", Says: "every value is one that the chart reads; Helm itself says nothing", Source: "the charts' values.yaml and templates",
	Judge: func(c *engine.Call) error {
		ch, err := findChart(c.In.Str("repositoryOpts.repo"), c.In.Str("chart"), c.In.Str("version"))
		if err != nil {
			return nil // chartKnown says so
		}
		var errs []error
		for _, values := range c.In.Blocks("values") {
			errs = append(errs, ch.values.unknown("values", resource.PropertyMap(values))...)
		}
		return errors.Join(errs...)
	},
}

var chartAgrees = engine.Rule{
	Name: "chart-agrees", Says: "the values agree with each other, as the chart's templates demand or its documentation says", Source: "k8s-device-plugin 0.19.3, README and templates; Cilium, \"AWS VPC CNI plugin\" and \"Kubernetes Without kube-proxy\"; Rook 1.20.6, values.yaml of its charts; static provisioner 2.9.0, docs/provisioner.md",
	Judge: func(c *engine.Call) error {
		ch, err := findChart(c.In.Str("repositoryOpts.repo"), c.In.Str("chart"), c.In.Str("version"))
		if err != nil || ch.judge == nil || c.In.Unknown("values") {
			return nil
		}
		for _, values := range c.In.Blocks("values") {
			if err := ch.judge(c, values); err != nil {
				return err
			}
		}
		return nil
	},
}

// clusterOf returns the cluster that the provider's kubeconfig points at.
func clusterOf(c *engine.Call) (engine.Item, error) {
	t, err := targetOf(c.Config)
	if err != nil {
		return engine.Item{}, err
	}
	cl, ok := c.Find(clusterToken, "endpoint", t.server)
	if !ok {
		return engine.Item{}, engine.Refuse("Unreachable", "Kubernetes cluster unreachable: no cluster of this cloud has the endpoint %s", t.server)
	}
	if t.authority != cl.Out.Str("certificateAuthority.data") {
		return engine.Item{}, engine.Refuse("Unreachable", "Kubernetes cluster unreachable: x509: certificate signed by unknown authority; the kubeconfig's certificate-authority-data is not that of the cluster %s", cl.ID)
	}
	if t.cluster != cl.ID {
		return engine.Item{}, engine.Refuse("Unauthorized", "the server has asked for the client to provide credentials: the kubeconfig asks `aws eks get-token` for --cluster-name %q, the endpoint is that of %q", t.cluster, cl.ID)
	}
	return cl, nil
}

var reachable = engine.Rule{
	Name: "reachable", Says: "the kubeconfig names the endpoint, authority and name of a cluster that exists, and its caller is an administrator there", Source: "EKS User Guide, \"Connect kubectl to an EKS cluster by creating a kubeconfig file\"",
	Judge: func(c *engine.Call) error {
		cl, err := clusterOf(c)
		if err != nil {
			return err
		}
		if cl.Out.Bool("accessConfig.bootstrapClusterCreatorAdminPermissions") {
			return nil
		}
		for _, a := range c.All(entryToken) {
			if a.In.Str("clusterName") == cl.ID && a.In.Str("principalArn") == "arn:aws:iam::"+engine.Account+":user/gpuyard" {
				return nil
			}
		}
		return engine.Refuse("Forbidden", "the caller has no rights in the cluster %s: give it an access entry with a policy", cl.ID)
	},
}

// namespaces are those that every cluster has.
// Source: Kubernetes, "Namespaces".
var namespaces = []string{"default", "kube-node-lease", "kube-public", "kube-system"}

var namespaceExists = engine.Rule{
	Name: "namespace-exists", Says: "the namespace exists, or the release makes it by `createNamespace`", Source: "Helm, \"helm install\"",
	Judge: func(c *engine.Call) error {
		name := namespace(c)
		if slices.Contains(namespaces, name) || c.In.Bool("createNamespace") {
			return nil
		}
		for _, other := range c.Others(releaseToken) {
			if other.In.Bool("createNamespace") && other.In.Str("namespace") == name {
				return nil
			}
		}
		return engine.Refuse("NotFound", "create: failed to create: namespaces %q not found; set createNamespace", name)
	},
}
