package blueprint

import (
	"fmt"
	"time"

	"github.com/hashicorp/hcl/v2"
)

// Rates and sizes that small files are judged by.
const (
	// readsPerPrefix is how many objects S3 reads a second from one prefix before it answers SlowDown.
	// Source: Amazon S3 User Guide, "Best practices design patterns: optimizing Amazon S3 performance".
	readsPerPrefix = 5500
	// smallObject is the mean size in KiB below which requests and not bytes limit a loader, and manyObjects the number
	// from which that hurts. Shards of 256 MB to 1 GB are what users of webdataset and open_clip settle on (open_clip#120,
	// webdataset#72; with 3 GB, webdataset#267, start-up takes minutes).
	smallObject = 1024
	manyObjects = 100_000
	shardKiB    = 1 << 20
)

// checkSmallFiles shows what a data set of many small objects costs in requests, where the blueprint asks for the warning.
func checkSmallFiles(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, s := range b.Storage {
		if s.S3 == nil {
			continue
		}
		n, kib := s.S3.Objects.Value, s.S3.ObjectSize.Value
		switch {
		case kib == 0 && s.S3.SmallFiles.Value == "shard":
			diags = append(diags, warnf(s.S3.SmallFiles.Range, "Small files",
				"S3 reads %d objects a second from one prefix: of objects of 100 KiB that is %s, of tar shards of 1 GiB as much as the network carries. "+
					"Write objects and object_size to see it for this data set.", readsPerPrefix, rateText(readsPerPrefix*100)))
		case kib > 0 && kib < smallObject && n > manyObjects:
			diags = append(diags, warnf(s.S3.ObjectSize.Range, "Small files",
				"%d objects of %d KiB: S3 reads %d a second from one prefix, so an epoch takes %s at least and a loader gets %s at most. "+
					"In tar shards of 1 GiB the same data is %d objects. Pack it, or cache it with a cache \"alluxio\".",
				n, kib, readsPerPrefix, epoch(n), rateText(readsPerPrefix*kib), shards(n, kib)))
		}
	}
	return diags
}

// epoch is how long it takes to read a number of objects once from one prefix.
func epoch(objects int) time.Duration {
	return (time.Duration(objects) * time.Second / readsPerPrefix).Round(time.Second)
}

// shards is how many shards hold the data, at least one.
func shards(objects, kib int) int { return max(1, (objects*kib+shardKiB-1)/shardKiB) }

// rateText writes a rate that is given in KiB a second.
func rateText(kib int) string { return fmt.Sprintf("%d MiB/s", kib/1024) }
