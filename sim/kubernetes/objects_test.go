package kubernetes_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
	"github.com/gpuyard/gpuyard/sim/internal/schema"
	"github.com/gpuyard/gpuyard/sim/internal/simtest"
	"github.com/gpuyard/gpuyard/sim/kubernetes"
)

const (
	daemonSet     = "kubernetes:apps/v1:DaemonSet"
	priorityClass = "kubernetes:scheduling.k8s.io/v1:PriorityClass"
)

// shared are rules of several types; one case for each of them is enough. Those on the order of removal have a test of
// their own.
var shared = []string{
	"reachable", "namespace-exists", "kind", "named", "legal-spec", "kind-defined", "in-ceph-cluster", "of-dataset", "runs-containers", "mounts-volumes",
	"legal-tolerations", "priority-exists", "charts-after",
}

var labels = m{"app": "plugin"}

// pod is a DaemonSet's spec with some fields of its pods changed.
func pod(changes m) m {
	spec := simtest.With(m{
		"containers":  []any{m{"name": "plugin", "image": "registry.example.com/plugin:1", "volumeMounts": []any{m{"name": "sockets", "mountPath": "/sockets"}}}},
		"tolerations": []any{m{"key": "habana.ai/gaudi", "operator": "Exists", "effect": "NoSchedule"}}, "priorityClassName": "system-node-critical",
		"volumes": []any{m{"name": "sockets", "hostPath": m{"path": "/sockets"}}},
	}, changes)
	return m{"selector": m{"matchLabels": labels}, "template": m{"metadata": m{"labels": labels}, "spec": spec}}
}

// objects are good arguments of each kind of object.
var objects = map[string]m{
	daemonSet:     {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": m{"name": "plugin", "namespace": "kube-system", "labels": labels}, "spec": pod(nil)},
	priorityClass: {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": m{"name": "training"}, "value": 10000, "globalDefault": false, "preemptionPolicy": "Never"},
}

func allRefusals() []refusal {
	var all []refusal
	for _, list := range [][]refusal{refusals, chartRefusals(), objectRefusals(), storageRefusals()} {
		all = append(all, list...)
	}
	return all
}

func objectRefusals() []refusal {
	spec := func(changes m) m { return m{"spec": pod(changes)} }
	one := m{"name": "plugin", "image": "x"}
	return []refusal{
		{token: daemonSet, rule: "kind", in: m{"kind": "Deployment"}, want: `kind: got "Deployment", wanted DaemonSet`},
		{token: daemonSet, rule: "named", in: m{"metadata": m{"name": "Plugin"}}, want: `metadata.name: got "Plugin"`},
		{token: daemonSet, rule: "named", in: m{"metadata": nil}, want: `metadata.name: got ""`},
		{token: daemonSet, rule: "selects-its-pods", in: m{"spec": simtest.With(pod(nil), m{"selector": m{"matchLabels": m{"app": "other"}}})}, want: "it wants app=other"},
		{token: daemonSet, rule: "selects-its-pods", in: m{"spec": simtest.With(pod(nil), m{"selector": m{}})}, want: "selects all pods is invalid"},
		{token: daemonSet, rule: "runs-containers", in: spec(m{"containers": []any{}}), want: "containers: missing"},
		{token: daemonSet, rule: "runs-containers", in: spec(m{"containers": []any{m{"name": "plugin"}}}), want: "containers[0].image: missing"},
		{token: daemonSet, rule: "runs-containers", in: spec(m{"containers": []any{one, one}}), want: `containers[1].name: "plugin" is there twice`},
		{token: daemonSet, rule: "mounts-volumes", in: spec(m{"volumes": []any{m{"name": "socket"}}}), want: `the pod has no volume "sockets"`},
		{token: daemonSet, rule: "legal-tolerations", in: spec(m{"tolerations": []any{m{"operator": "Is"}}}), want: "tolerations[0].operator"},
		{token: daemonSet, rule: "legal-tolerations", in: spec(m{"tolerations": []any{m{"operator": "Exists", "value": "x"}}}), want: "tolerations[0].value"},
		{token: daemonSet, rule: "legal-tolerations", in: spec(m{"tolerations": []any{m{"effect": "NO_SCHEDULE"}}}), want: `got "NO_SCHEDULE"`},
		{token: daemonSet, rule: "restarts-always", in: spec(m{"restartPolicy": "Never"}), want: "wanted Always"},
		{token: daemonSet, rule: "priority-exists", in: spec(m{"priorityClassName": "gpuyard-system"}), want: "no PriorityClass with name gpuyard-system was found"},
		{token: daemonSet, rule: "namespace-exists", in: m{"metadata": m{"name": "plugin", "namespace": "gpu"}}, want: `namespaces "gpu" not found`},
		{token: daemonSet, in: spec(m{"container": []any{}}), want: "did you mean containers?"},
		{token: daemonSet, in: m{}, prepare: func(w *simtest.World) { w.MustCreate("first", daemonSet, objects[daemonSet]) }, want: "AlreadyExists"},
		{token: priorityClass, rule: "kind", in: m{"apiVersion": "scheduling.k8s.io/v1beta1"}, want: "wanted scheduling.k8s.io/v1"},
		{token: priorityClass, rule: "named", in: m{"metadata": m{}}, want: `metadata.name: got ""`},
		{token: priorityClass, rule: "priority-value", in: m{"metadata": m{"name": "system-mine"}}, want: "are Kubernetes' own"},
		{token: priorityClass, rule: "priority-value", in: m{"value": 2000000000}, want: "at most 1000000000"},
		{token: priorityClass, rule: "priority-value", in: m{"metadata": m{"name": "x", "namespace": "default"}}, want: "lives in no namespace"},
		{token: priorityClass, rule: "legal-preemption-policy", in: m{"preemptionPolicy": "Always"}, want: "wanted Never or PreemptLowerPriority"},
		{token: priorityClass, rule: "one-default", in: m{"globalDefault": true}, prepare: func(w *simtest.World) {
			w.MustCreate("first", priorityClass, simtest.With(objects[priorityClass], m{"metadata": m{"name": "first"}, "globalDefault": true}))
		}, want: "PriorityClass first is already marked as default"},
	}
}

var (
	nvidia = m{"name": "nvidia", "namespace": "kube-system", "chart": "nvidia-device-plugin", "version": "0.19.3", "repositoryOpts": m{"repo": "https://nvidia.github.io/k8s-device-plugin"}}
	cilium = m{"name": "cilium", "namespace": "kube-system", "chart": "cilium", "version": "1.19.6", "repositoryOpts": m{"repo": "https://helm.cilium.io"},
		"values": m{"cni": m{"chainingMode": "aws-cni", "exclusive": false}, "enableIPv4Masquerade": false, "routingMode": "native", "kubeProxyReplacement": "false"}}
	neuron = m{"name": "neuron", "namespace": "kube-system", "chart": "oci://public.ecr.aws/neuron/neuron-helm-chart", "version": "1.9.0", "values": m{"npd": m{"enabled": false}}}
)

func TestChartsAreAccepted(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	for name, in := range map[string]m{
		"cilium": cilium, "neuron": neuron,
		"nvidia": simtest.With(nvidia, m{"values": m{"config": m{"default": "default", "map": m{
			"default": "version: v1\nflags: {migStrategy: none}\n", "mig": "version: v1\nflags: {migStrategy: mixed}\n",
			"slices": "version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}\n",
		}}}}),
	} {
		made := w.MustCreate(name, token, in)
		if version := engine.Props(made.Outputs).Str("status.version"); version != in["version"] {
			t.Errorf("%s has the version %q", name, version)
		}
	}
}

func chartRefusals() []refusal {
	with := func(release, values m) m { return simtest.With(release, m{"values": values}) }
	configs := func(chosen any, texts ...string) m {
		all := m{}
		for i, text := range texts {
			all[fmt.Sprint("c", i)] = text
		}
		return with(nvidia, m{"config": simtest.With(m{"map": all}, m{"default": chosen})})
	}
	network := func(changes m) m { return with(cilium, simtest.With(cilium["values"].(m), changes)) }
	// oci are changes of the EFA plugin that make it the Neuron chart; a nil here takes something away there.
	oci := func(changes m) m {
		all := m{"repositoryOpts": nil}
		maps.Copy(all, neuron)
		maps.Copy(all, changes)
		return all
	}
	const v1 = "version: v1\n"
	return []refusal{
		{rule: "chart-agrees", in: simtest.With(nvidia, m{"namespace": "default", "values": m{}}), want: "the chart refuses the namespace default"},
		{rule: "chart-agrees", in: configs(nil, v1, v1), want: "with 2 configurations, nodes without a label need one"},
		{rule: "chart-agrees", in: configs("c2", v1, v1), want: `"c2" is not among the configurations`},
		{rule: "chart-agrees", in: configs("c0", "a: ["), want: "does not parse"},
		{rule: "chart-agrees", in: configs("c0", "version: v2"), want: `has the version "v2"`},
		{rule: "chart-agrees", in: configs("c0", v1+"flags: {migStrategy: some}"), want: `has the migStrategy "some"`},
		{rule: "chart-agrees", in: configs("c0", v1+"sharing: {timeSlicing: {}, mps: {}}"), want: "by time slicing and by MPS"},
		{rule: "chart-agrees", in: configs("c0", v1+"flags: {migStrategy: mixed}\nsharing: {mps: {}}"), want: "by MPS what is cut by MIG"},
		{rule: "chart-agrees", in: configs("c0", v1+"sharing: {mps: {resources: [{name: nvidia.com/gpu, replicas: 1}]}}"), want: "wanted at least 2"},
		{rule: "chart-agrees", in: network(m{"kubeProxyReplacement": "strict"}), want: `got "strict", wanted true or false`},
		{rule: "chart-agrees", in: network(m{"kubeProxyReplacement": true}), want: "values.k8sServiceHost: missing"},
		{rule: "chart-agrees", in: network(m{"cni": m{"chainingMode": "aws-cni"}}), want: `values.cni.exclusive: got ""`},
		{rule: "chart-agrees", in: network(m{"routingMode": "tunnel"}), want: "it has to be native"},
		{rule: "values-known", in: network(m{"cni": m{"chaining": "aws-cni"}}), want: "values.cni.chaining: the chart reads no such value"},
		{rule: "values-known", in: oci(m{"values": m{"devicePlugin": m{"toleration": 1}}}), want: "did you mean tolerations?"},
		{rule: "chart-known", in: oci(m{"repositoryOpts": m{"repo": "oci://public.ecr.aws/neuron"}}), want: "not found in"},
		{rule: "one-network", in: cilium, cluster: m{"bootstrapSelfManagedAddons": false}, want: "make it depend on the vpc-cni add-on"},
		{rule: "one-network", in: with(cilium, m{}), prepare: efaNodes, want: "it takes interfaces that are EFAs"},
	}
}

// efaNodes makes an empty node group whose nodes have EFAs.
func efaNodes(w *simtest.World) {
	w.MustCreate("nodes-role", "aws:iam/role:Role", m{"assumeRolePolicy": trust("ec2.amazonaws.com")})
	w.MustCreate("template", "aws:ec2/launchTemplate:LaunchTemplate", m{"networkInterfaces": []any{m{"deviceIndex": 0}, m{"deviceIndex": 1, "interfaceType": "efa-only"}}})
	w.MustCreate("nodes", "aws:eks/nodeGroup:NodeGroup", m{"clusterName": "${cluster}", "nodeRoleArn": "${nodes-role.arn}", "subnetIds": []any{"${a}"}, "amiType": "AL2023_x86_64_NVIDIA",
		"instanceTypes": []any{"p5.48xlarge"}, "launchTemplate": m{"id": "${template}", "version": "1"}, "scalingConfig": m{"minSize": 0, "desiredSize": 0, "maxSize": 1}})
}

func TestLivesOfObjects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		token, id       string
		update, replace m
	}{
		{daemonSet, "kube-system/plugin", m{"spec": pod(m{"hostNetwork": true})}, m{"metadata": m{"name": "other", "namespace": "kube-system"}}},
		{priorityClass, "training", m{"description": "jobs"}, m{"value": 1}},
	} {
		t.Run(c.token, func(t *testing.T) {
			t.Parallel()
			w := world(t, nil)
			in := objects[c.token]
			preview, err := w.PreviewCreate("it", c.token, in)
			if uid := engine.Props(preview); err != nil || !uid.Unknown("metadata.uid") {
				t.Errorf("a preview says %v, %v", preview, err)
			}
			made := w.MustCreate("it", c.token, in)
			if made.ID != c.id {
				t.Errorf("it is %s", made.ID)
			}
			fits(t, made)
			if d := w.Diff(made, made.Inputs); d.GetChanges() != pulumirpc.DiffResponse_DIFF_NONE {
				t.Errorf("the same arguments differ: %v", d)
			}
			if d := w.Diff(made, w.Props(simtest.With(in, c.replace))); len(d.GetReplaces()) == 0 || !d.GetDeleteBeforeReplace() {
				t.Errorf("%v is a difference of %v", c.replace, d)
			}
			changed, err := w.Update(made, simtest.With(in, c.update))
			if err != nil {
				t.Fatal(err)
			}
			fits(t, changed)
			before, after := engine.Props(made.Outputs), engine.Props(changed.Outputs)
			if n, _ := after.Int("metadata.generation"); n != 2 || before.Str("metadata.uid") != after.Str("metadata.uid") || after.Str("metadata.uid") == "" {
				t.Errorf("the update made %v of %v", after["metadata"], before["metadata"])
			}
			if err := w.Delete(changed); err != nil {
				t.Fatal(err)
			}
			if now := w.Read(c.token, "it", made.ID); now.ID != "" {
				t.Errorf("it is still there: %v", now)
			}
		})
	}
}

// fits holds that outputs fit the type of their resource.
func fits(t *testing.T, made simtest.Made) {
	t.Helper()
	all := kubernetes.Provider().Resources
	r := all[slices.IndexFunc(all, func(r *engine.Resource) bool { return r.Token == made.Token })]
	for _, p := range schema.Of(r.State).Check(made.Outputs) {
		t.Errorf("output %s does not fit its type: %s", p.Path, p.Reason)
	}
}
