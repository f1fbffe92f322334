package pack

import (
	"slices"
)

var efaPluginTypes = Policy{
	Name: "efa-plugin-types", Level: Mandatory, Area: Cluster,
	Summary: "The EFA device plugin runs on the instance types of the pools with EFA.",
	Why: "The chart runs on a fixed list of types. On a newer type its DaemonSet wants zero pods, without an event, the node offers no " +
		"EFA, and NCCL runs over TCP.",
	Fix:   "Name the types in `supportedInstanceLabels.values` of the chart `aws-efa-k8s-device-plugin`.",
	Stack: judgeEFAPluginTypes,
}

// judgeEFAPluginTypes looks at releases that state the list: what the chart's own list has depends on its version.
func judgeEFAPluginTypes(s *Stack, _ Config) []Finding {
	var findings []Finding
	for _, release := range charts(s, "aws-efa-k8s-device-plugin") {
		values := release.Get("values", "supportedInstanceLabels", "values")
		types, ok := values.Texts()
		if values.Absent() || !ok {
			continue
		}
		for _, p := range s.pools {
			if p.group == nil || len(p.efas()) == 0 {
				continue
			}
			for _, t := range p.types {
				if !slices.Contains(types, t.Name) {
					findings = append(findings, at(release, "The plugin does not run on %s, and the pool %s has EFA on it.", t.Name, p.group.Name))
				}
			}
		}
	}
	return findings
}
