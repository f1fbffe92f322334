package pack

import (
	"maps"
	"slices"
	"strings"
)

var efaGroupClusterTag = Policy{
	Name: "efa-group-cluster-tag", Level: Mandatory, Area: Fabric,
	Summary: "The security group of EFA interfaces carries no kubernetes.io/cluster tag.",
	Why: "The load balancer controller looks for exactly one group with that tag on the interfaces of a node. With a second one it " +
		"opens no ports, and services of type LoadBalancer stay without targets.",
	Fix:   "Leave the tag `kubernetes.io/cluster/<name>` to the cluster's own security group.",
	Stack: judgeEFAGroupClusterTag,
}

func judgeEFAGroupClusterTag(s *Stack, _ Config) []Finding {
	var findings []Finding
	for _, g := range efaGroups(s) {
		tags, _ := g.Get("tags").Entries()
		for _, key := range slices.Sorted(maps.Keys(tags)) {
			if strings.HasPrefix(key, "kubernetes.io/cluster/") {
				findings = append(findings, at(g, "The tag %s is on the group of EFA interfaces: remove it, the cluster's own group has it.", key))
			}
		}
	}
	return findings
}
