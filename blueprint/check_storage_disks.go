package blueprint

import "github.com/hashicorp/hcl/v2"

// checkStorageDisks judges the disks under a storage: Ceph takes raw disks only, and skips one that carries a file
// system or RAID without a word; and local volumes without local disks come from EBS, over the network.
//
// Source: Rook, prerequisites; rook#7457, rook#3397 and rook#6832 (disks that are skipped).
func checkStorageDisks(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, s := range b.Storage {
		switch {
		case s.Ceph != nil && s.Ceph.Pool.Value != nil:
			pool := s.Ceph.Pool
			if pool.Value.Hosts == nil && pool.Value.LocalStorage.Value != "raw" && s.Ceph.VolumeSize.missing() {
				diags = append(diags, errorf(pool.Range, "Ceph without raw disks", `Ceph needs disks that nothing else has formatted, and pool %q leaves none. Write local_storage = "raw" there, or say volume_size to hold the data on EBS.`, pool.Value.Name.Value))
			}
			if kind := pool.Value.Capacity.Kind; kind.IsSet() && kind.Value != "on_demand" && kind.Value != "reservation" && !s.Ceph.Scratch.Value {
				diags = append(diags, errorf(pool.Range, "Ceph on passing capacity", "Nodes of pool %q are taken away (%s), and their disks with them. Use another pool, or say scratch = true.", pool.Value.Name.Value, kind))
			}
		case s.LocalNVMe != nil && s.LocalNVMe.Pool.Value != nil:
			pool := s.LocalNVMe.Pool
			for _, t := range pool.Value.Types {
				if t.Disks == nil {
					diags = append(diags, warnf(pool.Range, "Local volumes without local disks", "%s of pool %q has no local disks, so the volumes are gp3 volumes of EBS: they survive a node, and are read over the network. Take a type with disks, such as c7id for c7i.", t.Name, pool.Value.Name.Value))
				}
			}
		}
	}
	return diags
}
