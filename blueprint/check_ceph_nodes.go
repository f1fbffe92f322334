package blueprint

import "github.com/hashicorp/hcl/v2"

// checkCephNodes refuses a Ceph cluster whose copies have no place of their own, a pool that shrinks below what holds
// them, and a second cluster: the operator, the names of its drivers and its folder on the nodes are one.
//
// Sources: Rook, "CephCluster CRD" and "CephBlockPool CRD" (failureDomain, dataDirHostPath).
func checkCephNodes(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	var first *Storage
	for _, s := range b.Storage {
		if s.Ceph == nil {
			continue
		}
		if first != nil {
			diags = append(diags, errorf(s.Range, "Second Ceph", "A cluster runs one Ceph, and storage.%s is one. Make both one store on a larger pool.", first.Name.Value))
			continue
		}
		first = s
		if pool := s.Ceph.Pool.Value; pool != nil {
			diags = append(diags, judgeCephNodes(b, s.Ceph, pool)...)
		}
	}
	return diags
}

func judgeCephNodes(b *Blueprint, c *Ceph, pool *NodePool) hcl.Diagnostics {
	var diags hcl.Diagnostics
	nodes, least, zones := pool.Size.Desired.Value, pool.Size.Min.Value, len(pool.Zones(b.Network))
	if pool.Hosts != nil {
		nodes, least, zones = len(pool.Hosts.Addresses), len(pool.Hosts.Addresses), 1
	}
	name, copies := pool.Name.Value, c.Replicas.Value
	if nodes < copies {
		diags = append(diags, errorf(c.Pool.Range, "Fewer nodes than copies", "%d copies are on as many nodes, and pool %q has %d. Enlarge it, or lower replicas.", copies, name, nodes))
	} else if least < 3 && !c.Scratch.Value {
		diags = append(diags, errorf(c.Pool.Range, "Ceph on a pool that shrinks",
			"Pool %q may shrink to %d nodes, and a node that goes takes its disks with it. Set its size.min to 3 or more, or say scratch = true.", name, least))
	}
	if want := max(copies, 3); c.FailureDomain.Value == "zone" && zones < want {
		diags = append(diags, errorf(c.FailureDomain.Range, "Fewer zones than copies", "%d copies over zones need %d zones, and the nodes of pool %q are in %d. Write failure_domain = \"host\".", copies, want, name, zones))
	}
	if copies < 3 && !c.Scratch.Value && c.Replicas.IsSet() {
		diags = append(diags, errorf(c.Replicas.Range, "Too few copies", "With %d copies, a disk that fails while another is being repaired is data lost. Keep 3, or say scratch = true.", copies))
	}
	return diags
}
