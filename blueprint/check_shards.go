package blueprint

import "github.com/hashicorp/hcl/v2"

// checkShards warns of a data set that is cut into fewer shards than there are loaders: each shard is read by one of them,
// and the others wait. The shards are the objects, or of small objects what they are to be packed into.
//
// Sources: webdataset#72, open_clip#120 (shards >= ranks × loader processes).
func checkShards(b *Blueprint, _ known) hcl.Diagnostics {
	pool, ranks := mostAccelerators(b)
	var diags hcl.Diagnostics
	for _, s := range b.Storage {
		if s.S3 == nil || s.S3.SmallFiles.Value != "shard" || !s.S3.Objects.IsSet() || !s.S3.ObjectSize.IsSet() {
			continue
		}
		n, kib := s.S3.Objects.Value, s.S3.ObjectSize.Value
		have := n
		if kib < smallObject {
			have = shards(n, kib)
		}
		loaders := ranks * s.S3.LoaderWorkers.Value
		if have >= loaders {
			continue
		}
		diags = append(diags, warnf(s.S3.Objects.Range, "Fewer shards than loaders",
			"%d shards feed %d of the %d loaders of pool %q (%d accelerators, loader_workers = %d), and the others wait. Cut the data into %d shards or more, of %d MiB at most.",
			have, have, loaders, pool, ranks, s.S3.LoaderWorkers.Value, loaders, max(1, n*kib/loaders/1024)))
	}
	return diags
}

// mostAccelerators returns the pool with the most accelerators at its largest, and how many these are.
func mostAccelerators(b *Blueprint) (pool string, count int) {
	for _, p := range b.NodePools {
		for _, t := range p.Types {
			if t.Accelerator == nil {
				continue
			}
			if n := t.Accelerator.Count * p.Size.Max.Value; n > count {
				pool, count = p.Name.Value, n
			}
		}
	}
	return pool, count
}
