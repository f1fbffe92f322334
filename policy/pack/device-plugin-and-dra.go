package pack

import (
	"slices"
	"strings"
)

var devicePluginAndDRA = Policy{
	Name: "device-plugin-and-dra", Level: Mandatory, Area: Cluster,
	Summary: "A device plugin and a DRA driver do not both hand out the same devices.",
	Why:     "Each keeps its own books. Two pods then get one GPU or one EFA, and fail in ways that look like broken hardware.",
	Fix: "Keep one: the NVIDIA device plugin or the DRA driver, the EFA device plugin or dranet. In the GPU operator that is " +
		"`gpuCluster.deployCR` or `clusterPolicy.deployCR`.",
	Stack: judgeDevicePluginAndDRA,
}

func judgeDevicePluginAndDRA(s *Stack, _ Config) []Finding {
	var findings []Finding
	for _, device := range []struct {
		name, dra string
		plugins   []string
	}{
		{"GPUs", "nvidia-dra-driver-gpu", []string{"nvidia-device-plugin", "gpu-operator"}},
		{"EFA interfaces", "aws-dranet", []string{"aws-efa-k8s-device-plugin"}},
	} {
		for _, dra := range charts(s, device.dra) {
			for _, plugin := range charts(s, device.plugins...) {
				if on, _ := plugin.Get("values", "devicePlugin", "enabled").FlagOr(true); on {
					findings = append(findings, at(dra, "The chart %s and the release %s both hand out %s.", device.dra, plugin.Name, device.name))
				}
			}
		}
	}
	for _, operator := range charts(s, "gpu-operator") {
		cluster, _ := operator.Get("values", "gpuCluster", "deployCR").FlagOr(false)
		policy, ok := operator.Get("values", "clusterPolicy", "deployCR").FlagOr(true)
		if cluster && policy && ok {
			findings = append(findings, at(operator, "gpuCluster.deployCR and clusterPolicy.deployCR are both on: that is the DRA driver and the device plugin."))
		}
	}
	return findings
}

// charts returns the Helm releases and charts of the stack that install one of some charts, whatever their repository.
func charts(s *Stack, names ...string) []*Resource {
	var found []*Resource
	for _, r := range s.Of(tokenRelease, tokenChart) {
		chart, _ := r.Get("chart").Text()
		if slices.Contains(names, chart[strings.LastIndex(chart, "/")+1:]) {
			found = append(found, r)
		}
	}
	return found
}

// chartsKnown says whether it is known of every release what it installs. In the first preview of a cluster nothing is:
// the Kubernetes provider has no cluster to ask then, and tells nothing about its resources.
func chartsKnown(s *Stack) bool {
	for _, r := range s.Of(tokenRelease, tokenChart) {
		if _, ok := r.Get("chart").Text(); !ok {
			return false
		}
	}
	return true
}
