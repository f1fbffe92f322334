package blueprint

import "github.com/hashicorp/hcl/v2"

// checkCacheNodes refuses a cache without a cluster, a warm tier that is on no node or on others, and a source that
// is no bucket.
//
// Source: Fluid, AlluxioRuntime (workers keep all tiers on their own node).
func checkCacheNodes(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, c := range b.Caches {
		a := c.Alluxio
		if a == nil {
			continue
		}
		warm := a.Warm.Value
		switch {
		case warm != nil && warm.LocalNVMe == nil:
			diags = append(diags, errorf(a.Warm.Range, "Warm tier without local disks", "storage.%s is of kind %s, and the warm tier is on the cache's own nodes. Refer to a storage of kind local_nvme.", warm.Name.Value, warm.Kind))
		case warm != nil && a.Pool.Value != nil && warm.LocalNVMe.Pool.Value != nil && warm.LocalNVMe.Pool.Value != a.Pool.Value:
			diags = append(diags, errorf(a.Pool.Range, "Tiers on different nodes", "The warm tier is on pool %q, and all tiers of a node are its own. Leave pool out, or refer to that pool.", warm.LocalNVMe.Pool.Value.Name.Value))
		case b.Network == nil:
			diags = append(diags, errorf(c.Range, "Cache without nodes", "A cache is kept on the nodes of a cluster, and a blueprint without a network block has none."))
		}
		if s := a.Source.Value; s != nil && (s.S3 == nil || s.S3.Mount.Value == "none") {
			diags = append(diags, errorf(a.Source.Range, "Cache of what pods cannot mount", "The cache reads its source through a claim of a bucket, and storage.%s has none. Refer to a storage of kind s3 whose mount is not none.", s.Name.Value))
		}
	}
	return diags
}
