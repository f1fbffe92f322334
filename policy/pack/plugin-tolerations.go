package pack

import (
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
)

var pluginTolerations = Policy{
	Name: "plugin-tolerations", Level: Mandatory, Area: Cluster,
	Summary: "Device plugins tolerate the taints of the pools that they serve.",
	Why: "A plugin that a taint keeps away leaves the node without its resource, and nothing says so: the DaemonSet just wants fewer " +
		"pods.",
	Fix:   "Add the taint's key to the `tolerations` of the chart, with `operator: Exists`.",
	Stack: judgePluginTolerations,
}

func judgePluginTolerations(s *Stack, _ Config) []Finding {
	var findings []Finding
	for _, p := range s.pools {
		if p.group == nil {
			continue
		}
		served := []*Resource{}
		if p.has(catalog.MakerNVIDIA) {
			served = append(served, charts(s, "nvidia-device-plugin")...)
		}
		if len(p.efas()) > 0 {
			served = append(served, charts(s, "aws-efa-k8s-device-plugin")...)
		}
		taints, _ := p.group.Get("taints").List()
		for _, release := range served {
			for _, taint := range taints {
				key, ok := taint.Get("key").Text()
				effect, _ := taint.Get("effect").Text()
				if ok && effect != "PREFER_NO_SCHEDULE" && !tolerated(release, key) {
					findings = append(findings, at(release, "The plugin does not tolerate the taint %s of the pool %s.", taint.Get("key").Quote(), p.group.Name))
				}
			}
		}
	}
	return findings
}

// tolerated says whether a release tolerates a taint's key, or may: what is not known counts as if it did, and so does
// nvidia.com/gpu where the NVIDIA chart is left at its own values, which have it.
func tolerated(release *Resource, key string) bool {
	tolerations := release.Get("values", "tolerations")
	list, ok := tolerations.List()
	chart, _ := release.Get("chart").Text()
	if !ok || tolerations.Absent() && key == "nvidia.com/gpu" && strings.HasSuffix(chart, "nvidia-device-plugin") {
		return true
	}
	for _, t := range list {
		text, known := t.Get("key").TextOr("")
		if !known || text == key || text == "" {
			return true
		}
	}
	return false
}
