package blueprint

import "github.com/hashicorp/hcl/v2"

// checkCacheMemory judges the memory tier of a cache by what its nodes can spare beside huge pages, the heaps of the
// cache itself, other storage and jobs. Where a warm tier stands behind it, the memory tier shrinks to that, with a
// warning; without one, it is refused.
//
// Source: Fluid, pkg/ddc/alluxio/transform_resources.go (the quota is a request for memory: workers that do not fit are
// never placed).
func checkCacheMemory(b *Blueprint, _ known) hcl.Diagnostics {
	const useful = 1024
	var diags hcl.Diagnostics
	for _, c := range b.Caches {
		if c.Alluxio == nil {
			continue
		}
		memory := c.Alluxio.Memory
		spare, known := b.cacheSpare(c.Alluxio)
		if !known || memory.Value <= spare.MiB || !memory.IsSet() && spare.MiB >= useful {
			continue // it fits, or was left to us: MemoryFit lowers it
		}
		at := memory.Range
		if !memory.IsSet() {
			at = c.Range
		}
		if c.Alluxio.Warm.Value == nil || spare.MiB < useful {
			diags = append(diags, errorf(at, "Cache larger than its nodes", "%g GiB for the cache do not fit: %s. Lower memory, or take a pool of larger nodes.", float64(memory.Value)/1024, spare.Why))
			continue
		}
		diags = append(diags, warnf(at, "Cache larger than its nodes", "%g GiB for the cache do not fit: %s. So much is used, and what does not fit is in the warm tier.", float64(memory.Value)/1024, spare.Why))
	}
	return diags
}
