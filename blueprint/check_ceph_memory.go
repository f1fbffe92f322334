package blueprint

import (
	"github.com/gpuyard/gpuyard/internal/headroom"
	"github.com/hashicorp/hcl/v2"
)

// checkCephMemory refuses nodes that have no memory for Ceph's daemons, one for each disk: they would not start, or be
// killed in the middle of a repair.
//
// Source: Rook, chart rook-ceph-cluster, values.yaml; Ceph, "Hardware recommendations".
func checkCephMemory(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, s := range b.Storage {
		if s.Ceph == nil || s.Ceph.Pool.Value == nil {
			continue
		}
		pool := s.Ceph.Pool.Value
		for _, t := range pool.Types {
			disks := s.Ceph.DisksPerNode(t)
			needs, has := headroom.CephMiB(disks), poolNode(pool, t, 0).AllocatableMiB()
			if needs > has {
				diags = append(diags, errorf(s.Ceph.Pool.Range, "Too little memory for Ceph",
					"%d disks take %d GiB: 4 GiB each, and 5.5 GiB for a monitor, a manager and a metadata server. %s of pool %q has %d GiB for pods.",
					disks, (needs+1023)/1024, t.Name, pool.Name.Value, has/1024))
			}
		}
	}
	return diags
}
