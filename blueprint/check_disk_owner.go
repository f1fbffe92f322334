package blueprint

import "github.com/hashicorp/hcl/v2"

// checkDiskOwner refuses a second owner of the disks of a pool: what the first one formatted, the other skips or wipes.
//
// Sources: Rook, prerequisites (only disks that nobody formatted); sig-storage-local-static-provisioner, docs/provisioner.md
// (a volume of its own is wiped when its claim goes).
func checkDiskOwner(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	owners := map[*NodePool]*Storage{}
	for _, s := range b.Storage {
		var pool Value[*NodePool]
		switch {
		case s.Ceph != nil && s.Ceph.VolumeSize.missing():
			pool = s.Ceph.Pool
		case s.LocalNVMe != nil:
			pool = s.LocalNVMe.Pool
		}
		if pool.Value == nil {
			continue
		}
		if first := owners[pool.Value]; first != nil {
			diags = append(diags, errorf(pool.Range, "Disks with two owners", "storage.%s has all disks of pool %q already, and one would wipe what the other holds. Take another pool.",
				first.Name.Value, pool.Value.Name.Value))
			continue
		}
		owners[pool.Value] = s
	}
	return diags
}
