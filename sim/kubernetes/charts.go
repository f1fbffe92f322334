package kubernetes

import (
	_ "embed" // the keys of large charts
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// chart is one version of a chart that the embedded cloud knows.
type chart struct {
	repo, name, version, appVersion string
	values                          keys
	judge                           func(c *engine.Call, values engine.Props) error // what its templates refuse, or would do wrong; nil: nothing
	after                           []string                                        // charts that have to be there before it
	keep                            []string                                        // charts that have to be gone before it
	alerts                          string                                          // the value that writes alerts, in kinds of the Prometheus operator
}

// keys are the value keys that a chart reads; nil means that anything may stand below.
type keys map[string]keys

//go:embed charts/cilium-1.19.6.txt
var ciliumKeys string

// charts are the known charts.
// Source: each chart's values.yaml and templates at that version.
func charts() []chart { return slices.Concat(nodeCharts, storageCharts()) }

// nodeCharts are the charts of what nodes need.
var nodeCharts = []chart{
	{repo: "https://helm.cilium.io", name: "cilium", version: "1.19.6", appVersion: "1.19.6", values: parseKeys(ciliumKeys), judge: judgeCilium},
	{
		repo: "oci://public.ecr.aws/neuron", name: "neuron-helm-chart", version: "1.9.0", appVersion: "1.9.0",
		values: keys{
			"neuronInstances": nil, "scheduler": nil, "npd": nil,
			"devicePlugin": {
				"affinity": nil, "enabled": nil, "env": nil, "fullnameOverride": nil, "image": nil, "imagePullSecrets": nil, "nameOverride": nil,
				"namespaceOverride": nil, "nodeSelector": nil, "podAnnotations": nil, "podSecurityContext": nil, "priorityClassName": nil, "resources": nil,
				"runtimeClassName": nil, "securityContext": nil, "selectorLabelsOverride": nil, "serviceAccount": nil, "tolerations": nil,
				"updateStrategy": nil, "volumeMounts": nil, "volumes": nil,
			},
		},
	},
	{
		repo: "https://nvidia.github.io/k8s-device-plugin", name: "nvidia-device-plugin", version: "0.19.3", appVersion: "0.19.3", judge: judgeNVIDIAPlugin,
		values: keys{
			"affinity": nil, "allowDefaultNamespace": nil, "compatWithCPUManager": nil, "deviceDiscoveryStrategy": nil,
			"deviceIDStrategy": nil, "deviceListStrategy": nil, "failOnInitError": nil, "fullnameOverride": nil,
			"gdrcopyEnabled": nil, "gdsEnabled": nil, "imagePullSecrets": nil, "migStrategy": nil, "mofedEnabled": nil,
			"nameOverride": nil, "namespaceOverride": nil, "nfd": nil, "nodeSelector": nil, "nvidiaDevRoot": nil,
			"nvidiaDriverRoot": nil, "podAnnotations": nil, "podSecurityContext": nil, "priorityClassName": nil,
			"resources": nil, "runtimeClassName": nil, "securityContext": nil, "selectorLabelsOverride": nil,
			"tolerations": nil, "updateStrategy": nil, "global": nil,
			"cdi":          {"nvidiaHookPath": nil, "featureFlags": nil},
			"config":       {"name": nil, "map": nil, "default": nil, "fallbackStrategies": nil},
			"devicePlugin": {"enabled": nil},
			"gfd":          {"enabled": nil, "nameOverride": nil, "namespaceOverride": nil, "noTimestamp": nil, "sleepInterval": nil, "securityContext": nil},
			"image":        {"repository": nil, "pullPolicy": nil, "tag": nil},
			"mps":          {"root": nil, "enableHostPID": nil},
		},
	},
	{
		repo: "https://aws.github.io/eks-charts", name: "aws-efa-k8s-device-plugin", version: "v0.5.30", appVersion: "v0.5.20",
		values: keys{
			"additionalPodAnnotations": nil, "additionalPodLabels": nil, "fullnameOverride": nil, "imagePullSecrets": nil,
			"nameOverride": nil, "nodeSelector": nil, "resources": nil, "securityContext": nil, "tolerations": nil, "updateStrategy": nil, "global": nil,
			"image":                   {"repository": nil, "tag": nil},
			"supportedInstanceLabels": {"keys": nil, "values": nil},
		},
	},
	lustreChart(),
}

// findChart returns a known chart, or an error that says which there are. Helm takes a version with and without v.
func findChart(repo, name, version string) (chart, error) {
	var known, versions []string
	for _, c := range charts() {
		known = append(known, c.name+" from "+c.repo)
		if !c.is(repo, name) {
			continue
		}
		if version == "" || strings.TrimPrefix(c.version, "v") == strings.TrimPrefix(version, "v") {
			return c, nil
		}
		versions = append(versions, c.version)
	}
	if len(versions) > 0 {
		return chart{}, fmt.Errorf("chart %q version %q not found in %s; the embedded cloud has %s", name, version, repo, strings.Join(versions, ", "))
	}
	return chart{}, fmt.Errorf("chart %q not found in %q; the embedded cloud has %s", name, repo, strings.Join(known, ", "))
}

// is says whether a release that names a repository and a chart means c. A chart in an OCI registry is named by its whole
// address, and no repository.
// Source: Helm, "Use OCI-based registries".
func (c chart) is(repo, name string) bool {
	if strings.HasPrefix(c.repo, "oci://") {
		return repo == "" && name == c.repo+"/"+c.name
	}
	return c.name == name && c.repo == strings.TrimSuffix(repo, "/")
}

// parseKeys reads a list of keys, one a line; a key below another has that one's name and a dot before it.
func parseKeys(text string) keys {
	all := keys{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		at := all
		path := strings.Split(line, ".")
		for _, key := range path[:len(path)-1] {
			if at[key] == nil {
				at[key] = keys{}
			}
			at = at[key]
		}
		if _, listed := at[path[len(path)-1]]; !listed {
			at[path[len(path)-1]] = nil
		}
	}
	return all
}

// unknown refuses each value that the chart does not read.
func (k keys) unknown(path string, values resource.PropertyMap) []error {
	var errs []error
	for _, key := range values.StableKeys() {
		below, known := k[string(key)]
		at := path + "." + string(key)
		switch v := values[key]; {
		case !known:
			errs = append(errs, engine.Invalid(at, "the chart reads no such value%s", k.near(string(key))))
		case below != nil && v.IsObject():
			errs = append(errs, below.unknown(at, v.ObjectValue())...)
		}
	}
	return errs
}

func (k keys) near(key string) string {
	var names []string
	for name := range k {
		names = append(names, name)
	}
	slices.Sort(names)
	if near := catalog.Near(key, names); len(near) > 0 {
		return "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return "; it reads " + strings.Join(names, ", ")
}
