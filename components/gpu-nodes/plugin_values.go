package gpunodes

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/components/internal/helm"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// labelInstanceType is the label by which every node tells its instance type.
const labelInstanceType = "node.kubernetes.io/instance-type"

// efaPluginVersion is the image tag that version 0.5.30 of the EFA chart installs.
const efaPluginVersion = "v0.5.20"

// nvidiaChart returns the chart of the NVIDIA device plugin.
func nvidiaChart() helm.Chart {
	return helm.Chart{Name: "nvidia-device-plugin", Version: "0.19.3", Repository: "https://nvidia.github.io/k8s-device-plugin"}
}

// efaChart returns the chart of the EFA device plugin, whose versions begin with a v in its index.
func efaChart() helm.Chart {
	return helm.Chart{Name: "aws-efa-k8s-device-plugin", Version: "v0.5.30", Repository: "https://aws.github.io/eks-charts"}
}

// neuronChart returns the chart of the Neuron device plugin.
// Source: aws-neuron/neuron-helm-charts, release 1.9.0.
func neuronChart() helm.Chart {
	return helm.Chart{Name: "neuron-helm-chart", Version: "1.9.0", Repository: "oci://public.ecr.aws/neuron"}
}

// nvidiaValues returns the values of the NVIDIA chart for the pools with NVIDIA GPUs.
//
// The DaemonSet goes where the images have a driver and toolkit, and where nobody else's plugin runs: to nodes with
// the pools' own labels and types. Lists in values replace the chart's, so its tolerations are stated again.
func nvidiaValues(pools []pluginPool, _ *PluginsArgs) pulumi.Map {
	values := pulumi.Map{
		// The static CPU manager rewrites the device rules of a running container: without the devices in kubelet's own
		// record a pod loses its GPUs then. This costs a privileged plugin.
		// Source: k8s-device-plugin 0.19.3, README, PASS_DEVICE_SPECS and compatWithCPUManager.
		"compatWithCPUManager": pulumi.Bool(true),
		"affinity":             affinityTo(pools, nodeLabel(labelGPUPresent, "In", "true")),
		"tolerations":          pluginTolerations(pools),
	}
	if configs := sharingConfigs(pools); len(configs) > 0 {
		values["config"] = pulumi.Map{"map": configs, "default": pulumi.String(defaultConfig)}
	}
	return values
}

// defaultConfig names the plugin's configuration for nodes without a label that names another.
const defaultConfig = "default"

// sharingConfigs returns the plugin's configurations by name, none when all GPUs are whole. The default is stated
// beside them: with a single configuration and no default, the chart gives that one to every node.
// Source: k8s-device-plugin 0.19.3, values.yaml, config.fallbackStrategies.
func sharingConfigs(pools []pluginPool) pulumi.StringMap {
	configs := pulumi.StringMap{}
	for _, p := range pools {
		if p.GPUSharing != nil {
			configs[p.GPUSharing.configName()] = pulumi.String(p.GPUSharing.pluginConfig())
			configs[defaultConfig] = pulumi.String("version: v1\nflags:\n  migStrategy: none\n")
		}
	}
	return configs
}

// neuronValues returns the values of the Neuron chart for the pools with Neuron devices: the device plugin alone. The
// chart's node problem detector would otherwise come along, to every node.
// Source: aws-neuron/neuron-helm-charts 1.9.0, values.yaml.
func neuronValues(pools []pluginPool, _ *PluginsArgs) pulumi.Map {
	return pulumi.Map{
		"npd": pulumi.Map{"enabled": pulumi.Bool(false)},
		"devicePlugin": pulumi.Map{
			"enabled":     pulumi.Bool(true),
			"affinity":    affinityTo(pools),
			"tolerations": pluginTolerations(pools),
		},
	}
}

// efaValues returns the values of the EFA chart for the pools with EFA.
//
// The chart goes only to nodes of the types it lists, so a type that its authors do not know yet gets no plugin, and
// nothing says so; here the list is the pools' own types. The node selector keeps it off nodes of the same types in
// pools without EFA. The chart adds its toleration of CriticalAddonsOnly to those given here.
// Source: eks-charts, aws-efa-k8s-device-plugin 0.5.30, templates/daemonset.yaml.
func efaValues(pools []pluginPool, args *PluginsArgs) pulumi.Map {
	image := pulumi.Map{"tag": pulumi.String(efaVersion(args))}
	if args.EFAImageRepository != "" {
		image["repository"] = pulumi.String(args.EFAImageRepository)
	}
	return pulumi.Map{
		"image": image,
		"supportedInstanceLabels": pulumi.Map{
			"keys":   pulumi.ToStringArray([]string{labelInstanceType}),
			"values": pulumi.ToStringArray(typeNames(pools)),
		},
		"nodeSelector": pulumi.StringMap{LabelFabric: pulumi.String(catalog.FabricEFA)},
		"tolerations":  tolerations(pools),
	}
}

// pluginTolerations returns the tolerations of a plugin whose chart states its own in values, which these replace.
func pluginTolerations(pools []pluginPool) pulumi.Array {
	return append(pulumi.Array{pulumi.Map{
		"key": pulumi.String("CriticalAddonsOnly"), "operator": pulumi.String("Exists"),
	}}, tolerations(pools)...)
}

// tolerations returns one toleration for each taint that a node of the pools may have.
func tolerations(pools []pluginPool) pulumi.Array {
	var all []Taint
	for _, p := range pools {
		all = append(all, DefaultTaints(p.types)...)
		all = append(all, p.Taints...)
	}
	for i := range all {
		all[i].Value = "" // the value of a taint does not matter to a plugin
	}
	slices.SortFunc(all, func(a, b Taint) int { return strings.Compare(a.Key+" "+a.Effect, b.Key+" "+b.Effect) })

	list := pulumi.Array{}
	for _, t := range slices.Compact(all) {
		list = append(list, pulumi.Map{
			"key": pulumi.String(t.Key), "operator": pulumi.String("Exists"), "effect": pulumi.String(t.Effect),
		})
	}
	return list
}

// affinityTo returns an affinity to the nodes of some pools that meet some expressions besides. Nodes on EC2 are told by
// their types, and servers, which have none, by their pools.
func affinityTo(pools []pluginPool, also ...pulumi.Map) pulumi.Map {
	terms := pulumi.Array{}
	term := func(expressions ...pulumi.Map) {
		all := pulumi.Array{}
		for _, e := range append(slices.Clone(also), expressions...) {
			all = append(all, e)
		}
		terms = append(terms, pulumi.Map{"matchExpressions": all})
	}
	var servers []string
	for _, p := range pools {
		if p.servers() {
			servers = append(servers, p.Name)
		}
	}
	if types := typeNames(pools); len(types) > 0 {
		term(nodeLabel(LabelPool, "Exists"), nodeLabel(labelInstanceType, "In", types...))
	}
	if len(servers) > 0 {
		term(nodeLabel(LabelPool, "In", servers...))
	}
	return pulumi.Map{"nodeAffinity": pulumi.Map{"requiredDuringSchedulingIgnoredDuringExecution": pulumi.Map{"nodeSelectorTerms": terms}}}
}

// nodeLabel returns an expression of a node affinity.
func nodeLabel(key, operator string, values ...string) pulumi.Map {
	expression := pulumi.Map{"key": pulumi.String(key), "operator": pulumi.String(operator)}
	if len(values) > 0 {
		expression["values"] = pulumi.ToStringArray(values)
	}
	return expression
}

// typeNames returns the instance types of the pools, sorted.
func typeNames(pools []pluginPool) []string {
	var names []string
	for _, p := range pools {
		names = append(names, p.InstanceTypes...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// minimumEFAPlugin returns the first version of the EFA plugin that counts the EFAs of a type rightly. Before it, the
// plugin took two NVLink devices of p6-b200 for EFAs and offered 10 instead of 8.
// Source: sagemaker-hyperpod-cli, pull request 282.
func minimumEFAPlugin(t *catalog.InstanceType) string {
	if strings.HasPrefix(t.Name, "p6-b200.") {
		return "v0.5.10"
	}
	return ""
}

// efaVersion returns the version of the EFA plugin that the arguments ask for.
func efaVersion(args *PluginsArgs) string {
	if args.EFAPluginVersion == "" {
		return efaPluginVersion
	}
	return args.EFAPluginVersion
}

// checkEFAPlugin reports types whose devices a version of the EFA plugin miscounts.
func checkEFAPlugin(c *argument.Checker, types []*catalog.InstanceType, version string) {
	have, _ := versionNumbers(version)
	for _, t := range types {
		least, ok := versionNumbers(minimumEFAPlugin(t))
		if ok && slices.Compare(have, least) < 0 {
			c.Failf("efaPluginVersion", "%s miscounts the EFAs of %s: %s is the first that does not", version, t.Name, minimumEFAPlugin(t))
		}
	}
}

// versionNumbers splits "v0.5.20" into its numbers. What follows a dash is the build of a mirror and does not count.
func versionNumbers(version string) (numbers []int, ok bool) {
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "v"), "-")
	for part := range strings.SplitSeq(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil, false
		}
		numbers = append(numbers, n)
	}
	return numbers, true
}
