package pack

import (
	"slices"
)

var cephNodePool = Policy{
	Name: "ceph-node-pool", Level: Mandatory, Area: Storage,
	Summary: "Ceph does not live on nodes that come and go.",
	Why: "A spot interruption, the end of a Capacity Block or a pool that scales to zero takes the disks away with the data on them. " +
		"Three in an hour are enough to lose a pool.",
	Fix:   "Give Ceph a pool of its own: on demand, at least three nodes, and a minimum that is not zero.",
	Stack: judgeCephNodePool,
}

func judgeCephNodePool(s *Stack, _ Config) []Finding {
	var findings []Finding
	for _, p := range cephNodes(s) {
		kind, _ := p.group.Get("capacityType").Text()
		switch {
		case kind == "SPOT" || p.reserved():
			findings = append(findings, at(p.group, "Ceph stores data on this pool, and its nodes are taken away again: use on-demand capacity."))
		default:
			if least, ok := p.group.Get("scalingConfig", "minSize").NumberOr(0); ok && least < 3 {
				findings = append(findings, at(p.group, "Ceph stores data on this pool, and it may shrink to %s nodes: keep at least 3.",
					p.group.Get("scalingConfig", "minSize").Quote()))
			}
		}
	}
	return findings
}

// cephNodes returns the pools that a Ceph cluster's placement selects by label.
func cephNodes(s *Stack) []pool {
	var found []pool
	for _, r := range cephClusters(s) {
		spec := cephSpec(r)
		terms := append(selections(spec.Get("placement", "all")), selections(spec.Get("placement", "osd"))...)
		sets, _ := spec.Get("storage", "storageClassDeviceSets").List()
		for _, set := range sets {
			terms = append(terms, selections(set.Get("placement"))...)
		}
		for _, p := range s.pools {
			if p.group != nil && !slices.ContainsFunc(found, func(o pool) bool { return o.group == p.group }) && selected(p.group, terms) {
				found = append(found, p)
			}
		}
	}
	return found
}

// cephClusters are the Ceph clusters of a stack: custom resources, and releases of Rook's chart.
func cephClusters(s *Stack) []*Resource {
	return slices.Concat(s.Of(tokenCephCluster), charts(s, "rook-ceph-cluster"))
}

// cephSpec is the specification of a Ceph cluster: the custom resource's own, or the one in the values of Rook's chart.
func cephSpec(r *Resource) Value {
	if r.Type == tokenCephCluster {
		return r.Get("spec")
	}
	return r.Get("values", "cephClusterSpec")
}

// selection is one label requirement of a node affinity.
type selection struct {
	key    string
	values []string
}

// selections reads the In requirements of a node affinity.
func selections(placement Value) []selection {
	var found []selection
	terms, _ := placement.Get("nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms").List()
	for _, term := range terms {
		expressions, _ := term.Get("matchExpressions").List()
		for _, e := range expressions {
			key, _ := e.Get("key").Text()
			values, ok := e.Get("values").Texts()
			if operator, _ := e.Get("operator").Text(); operator == "In" && ok {
				found = append(found, selection{key, values})
			}
		}
	}
	return found
}

// selected says whether a node group has a label that is asked for.
func selected(group *Resource, wanted []selection) bool {
	for _, w := range wanted {
		if label, ok := group.Get("labels", w.key).Text(); ok && slices.Contains(w.values, label) {
			return true
		}
	}
	return false
}
