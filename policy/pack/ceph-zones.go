package pack

import (
	"slices"
)

var cephZones = Policy{
	Name: "ceph-zones", Level: Mandatory, Area: Storage,
	Summary: "Where Ceph keeps replicas apart by zone, its nodes are in three zones.",
	Why: "With `failureDomain: zone` each replica wants a zone of its own. In two zones the third replica finds no place: data is never " +
		"clean, and one zone less stops every write.",
	Fix:   "Give the pool that Ceph stores data on subnets in three zones, or keep replicas apart by `host`.",
	Stack: judgeCephZones,
}

// zonesForReplicas is how many zones three replicas need that are kept apart by zone.
const zonesForReplicas = 3

func judgeCephZones(s *Stack, _ Config) []Finding {
	zones, known := zonesOfPools(s, cephNodes(s), zonesOf)
	if !known {
		return nil
	}
	slices.Sort(zones)
	zones = slices.Compact(zones)
	if len(zones) == 0 || len(zones) >= zonesForReplicas {
		return nil
	}
	var findings []Finding
	for _, r := range slices.Concat(s.Of(tokenCephPool, tokenCephFilesystem, tokenCephStore), charts(s, "rook-ceph-cluster")) {
		for _, p := range cephPools(r) {
			if domain, ok := p.spec.Get("failureDomain").Text(); ok && domain == "zone" {
				findings = append(findings, at(r, "%s.failureDomain is %s, and the nodes that Ceph stores data on are in fewer zones than %d: %d.",
					p.path, p.spec.Get("failureDomain").Quote(), zonesForReplicas, len(zones)))
			}
		}
	}
	return findings
}
