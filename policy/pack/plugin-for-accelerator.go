package pack

import (
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
)

var pluginForAccelerator = Policy{
	Name: "plugin-for-accelerator", Level: Mandatory, Area: Cluster,
	Summary: "There is a device plugin for every accelerator and fabric that the pools offer.",
	Why: "Kubernetes knows no GPU and no EFA by itself. Without the plugin a node offers none, and every job that asks for one stays " +
		"pending, while the pool is paid for.",
	Fix: "Install the chart that the finding names, or the plugin's own DaemonSet. A stack without any Helm release is not judged: " +
		"its plugins come from elsewhere.",
	Stack: judgePluginForAccelerator,
}

// plugins are the charts that offer a maker's devices, and the image by which a DaemonSet of one's own does.
var plugins = []struct {
	maker    catalog.Maker
	resource string
	charts   []string
	image    string
}{
	{catalog.MakerNVIDIA, "nvidia.com/gpu", []string{"nvidia-device-plugin", "gpu-operator", "nvidia-dra-driver-gpu"}, "/nvidia/k8s-device-plugin"},
	{catalog.MakerNeuron, "aws.amazon.com/neuron", []string{"neuron-helm-chart", "neuron-device-plugin"}, "/neuron-device-plugin"},
	{catalog.MakerHabana, "habana.ai/gaudi", []string{"habana-ai-operator", "habana-device-plugin"}, "/docker-k8s-device-plugin"},
	{catalog.MakerAMD, "amd.com/gpu", []string{"amd-gpu", "gpu-operator-charts"}, "/k8s-device-plugin"},
}

func judgePluginForAccelerator(s *Stack, _ Config) []Finding {
	if len(s.Of(tokenRelease, tokenChart)) == 0 || !chartsKnown(s) {
		return nil
	}
	var findings []Finding
	for _, p := range s.pools {
		if p.group == nil {
			continue
		}
		for _, plugin := range plugins {
			if p.has(plugin.maker) && len(charts(s, plugin.charts...)) == 0 && !daemonSetRuns(s, plugin.image) {
				findings = append(findings, at(p.group, "No chart offers %s: install %s.", plugin.resource, strings.Join(plugin.charts, " or ")))
			}
		}
		if efaCharts := []string{"aws-efa-k8s-device-plugin", "aws-dranet"}; len(p.efas()) > 0 && len(charts(s, efaCharts...)) == 0 {
			findings = append(findings, at(p.group, "No chart offers vpc.amazonaws.com/efa: install %s.", strings.Join(efaCharts, " or ")))
		}
	}
	return findings
}

// daemonSetRuns says whether a DaemonSet runs an image whose name holds a text, or may: what it runs is not known.
func daemonSetRuns(s *Stack, image string) bool {
	for _, r := range s.Of(tokenDaemonSet) {
		containers, known := r.Get("spec", "template", "spec", "containers").List()
		if !known {
			return true
		}
		for _, c := range containers {
			if name, known := c.Get("image").Text(); !known || strings.Contains(name, image) {
				return true
			}
		}
	}
	return false
}
