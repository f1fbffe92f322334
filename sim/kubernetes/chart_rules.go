package kubernetes

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// pluginConfig is the part of a device plugin's configuration that says how GPUs are shared.
// Source: k8s-device-plugin 0.19.3, README, "Shared Access to GPUs".
type pluginConfig struct {
	Version string
	Flags   struct {
		MigStrategy string `yaml:"migStrategy"`
	}
	Sharing struct {
		TimeSlicing *sharedResources `yaml:"timeSlicing"`
		MPS         *sharedResources `yaml:"mps"`
	}
}

type sharedResources struct {
	Resources []struct {
		Name     string
		Replicas int
	}
}

func judgeNVIDIAPlugin(c *engine.Call, values engine.Props) error {
	if namespace(c) == "default" && !values.Bool("allowDefaultNamespace") {
		return engine.Invalid("namespace", "the chart refuses the namespace default; give kube-system, or set allowDefaultNamespace")
	}
	configs := values.Map("config.map")
	chosen := values.Str("config.default")
	switch _, there := configs[chosen]; {
	case len(configs) > 1 && chosen == "":
		return engine.Invalid("values.config.default", "missing: with %d configurations, nodes without a label need one", len(configs))
	case chosen != "" && len(configs) > 0 && !there:
		return engine.Invalid("values.config.default", "%q is not among the configurations", chosen)
	}
	for _, name := range sorted(configs) {
		if err := judgeSharing(configs[name]); err != nil {
			return engine.Invalid("values.config.map."+name, "%v", err)
		}
	}
	return nil
}

// judgeSharing says what is wrong with a configuration of the device plugin.
func judgeSharing(text string) error {
	var config pluginConfig
	if err := yaml.Unmarshal([]byte(text), &config); err != nil {
		return fmt.Errorf("does not parse: %w", err)
	}
	strategies := []string{"", "none", "single", "mixed"}
	switch {
	case config.Version != "v1":
		return fmt.Errorf("has the version %q, wanted v1", config.Version)
	case !slices.Contains(strategies, config.Flags.MigStrategy):
		return fmt.Errorf("has the migStrategy %q, wanted none, single or mixed", config.Flags.MigStrategy)
	case config.Sharing.TimeSlicing != nil && config.Sharing.MPS != nil:
		return fmt.Errorf("shares by time slicing and by MPS; the plugin does one of them")
	case config.Sharing.MPS != nil && config.Flags.MigStrategy != "" && config.Flags.MigStrategy != "none":
		return fmt.Errorf("shares by MPS what is cut by MIG; the plugin does one of them")
	}
	for _, shared := range []*sharedResources{config.Sharing.TimeSlicing, config.Sharing.MPS} {
		if shared == nil {
			continue
		}
		for _, r := range shared.Resources {
			if r.Replicas < 2 {
				return fmt.Errorf("shares %s among %d, wanted at least 2", r.Name, r.Replicas)
			}
		}
	}
	return nil
}

// judgeCilium says what is wrong with Cilium's values.
// Source: Cilium, "AWS VPC CNI plugin" and "Kubernetes Without kube-proxy".
func judgeCilium(_ *engine.Call, values engine.Props) error {
	switch proxy := text(values, "kubeProxyReplacement"); {
	case proxy != "" && proxy != "true" && proxy != "false":
		return engine.Invalid("values.kubeProxyReplacement", "got %q, wanted true or false", proxy)
	case proxy == "true" && !values.Has("k8sServiceHost"):
		return engine.Invalid("values.k8sServiceHost", "missing: without kube-proxy, nothing serves the address of the API server; give its host and k8sServicePort")
	}
	if values.Str("cni.chainingMode") != "aws-cni" {
		return nil
	}
	for path, want := range map[string]string{"cni.exclusive": "false", "enableIPv4Masquerade": "false", "routingMode": "native"} {
		if got := text(values, path); got != want {
			return engine.Invalid("values."+path, "got %q; chained to the VPC CNI, it has to be %s", got, want)
		}
	}
	return nil
}

// text returns a value that charts take as a word or as a boolean.
func text(values engine.Props, path string) string {
	for _, l := range values.Leaves(path) {
		return fmt.Sprint(l.Value.Mappable())
	}
	return ""
}

var oneNetwork = engine.Rule{
	Name: "one-network", Says: "Cilium is chained to the VPC CNI, which is there, or is alone, on nodes without EFA", Source: "Cilium, \"AWS VPC CNI plugin\"; cilium#42600",
	Judge: func(c *engine.Call) error {
		if c.In.Str("chart") != "cilium" {
			return nil
		}
		cl, _ := clusterOf(c)
		_, managed := c.Get("aws:eks/addon:Addon", cl.ID+":vpc-cni")
		if c.In.Str("values.cni.chainingMode") == "aws-cni" {
			if !managed && !cl.Out.Bool("bootstrapSelfManagedAddons") {
				return engine.Refuse("NotReady", "Cilium is chained to the VPC CNI, and the cluster %s has none: make it depend on the vpc-cni add-on", cl.ID)
			}
			return nil
		}
		for _, group := range c.All("aws:eks/nodeGroup:NodeGroup") {
			template, ok := c.Get("aws:ec2/launchTemplate:LaunchTemplate", group.In.Str("launchTemplate.id"))
			kinds := template.In.Strs("networkInterfaces[*].interfaceType")
			if ok && group.In.Str("clusterName") == cl.ID && slices.ContainsFunc(kinds, func(k string) bool { return strings.HasPrefix(k, "efa") }) {
				return engine.Refuse("NotReady", "Cilium gives pods of %s no network: without cni.chainingMode aws-cni it takes interfaces that are EFAs", group.ID)
			}
		}
		return nil
	},
}

func sorted(m map[string]string) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
