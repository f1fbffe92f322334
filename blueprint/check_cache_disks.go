package blueprint

import "github.com/hashicorp/hcl/v2"

// checkCacheDisks judges where the warm tier of a cache is: it is a folder on the node. Disks that are given out whole to
// claims have none; without local disks it is on the root disk, which it may fill.
//
// Source: Fluid, AlluxioRuntime, tieredstore.levels (volumeType is hostPath or emptyDir).
func checkCacheDisks(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, c := range b.Caches {
		if c.Alluxio == nil || c.Alluxio.Warm.Value == nil || c.Alluxio.Warm.Value.LocalNVMe == nil {
			continue
		}
		warm, local := c.Alluxio.Warm, c.Alluxio.Warm.Value.LocalNVMe
		pool := local.Pool.Value
		if pool == nil {
			continue
		}
		switch local.Kind() {
		case LocalDisks:
			diags = append(diags, errorf(warm.Range, "Warm tier on disks of claims",
				`Each disk of pool %q is a volume of its own, and the warm tier is a folder on the node. Write local_storage = "raid0" there: the RAID holds both.`, pool.Name.Value))
		case LocalEBS:
			diags = append(diags, warnf(warm.Range, "Warm tier on the root disk",
				"The nodes of pool %q have no local disks, so the warm tier takes %d of the %d GiB of their root disk. Take a type with disks, or raise root_volume.", pool.Name.Value, RootTierGiB(pool), pool.RootVolume.Value))
		}
	}
	return diags
}

// RootTierGiB is how much of the root disk of a pool's nodes a warm tier takes: three tenths, since kubelet begins to
// remove images when the disk is 85 % full.
// Source: Kubernetes, "Garbage Collection", imageGCHighThresholdPercent.
func RootTierGiB(pool *NodePool) int { return max(pool.RootVolume.Value*3/10, 1) }
