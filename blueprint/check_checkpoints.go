package blueprint

import (
	"fmt"
	"time"

	"github.com/gpuyard/gpuyard/internal/lustre"
	"github.com/hashicorp/hcl/v2"
)

// checkCheckpoints judges stores of checkpoints. One that holds up the job too long, has no room for what is kept, fills
// up for ever or goes with its zone is found out when it is needed.
//
// Sources: mountpoint-s3, doc/SEMANTICS.md, and mountpoint-s3#1640, safetensors#792 (no rename in a general bucket).
func checkCheckpoints(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, s := range b.Storage {
		switch {
		case s.S3 != nil && b.HoldsCheckpoints(s):
			diags = append(diags, judgeCheckpointBucket(s.S3)...)
		case s.FSxLustre != nil && s.FSxLustre.Checkpoints.known():
			diags = append(diags, judgeCheckpointLustre(s.FSxLustre)...)
		}
	}
	return diags
}

func judgeCheckpointBucket(s *S3) hcl.Diagnostics {
	var diags hcl.Diagnostics
	if s.Mount.Value == "write" && !s.ExpressZone.IsSet() {
		diags = append(diags, errorf(s.Mount.Range, "Checkpoints written through a mount",
			"Writers of checkpoints make a file and rename it (PyTorch, safetensors from 0.8), and Mountpoint renames nothing in such a bucket. "+
				"Save to a file system that is linked to the bucket, write to S3 without a mount, or give the bucket an express_zone, where renaming works."))
	}
	if s.Versioned.IsSet() && !s.Versioned.Value {
		diags = append(diags, errorf(s.Versioned.Range, "Checkpoints without versions",
			"A checkpoint that a broken job overwrites is gone. Leave versioned out: a bucket of checkpoints keeps versions for a week."))
	}
	if c := s.Checkpoints; c.known() && s.ExpireAfter.missing() && !s.ExpressZone.IsSet() {
		diags = append(diags, errorf(c.Range, "Checkpoints are kept for ever",
			"%s a checkpoint every %s make %s a day. Write expire_after.", bytesText(c.Bytes()), formatDuration(c.Every.Value), bytesText(c.BytesPerDay())))
	}
	return diags
}

func judgeCheckpointLustre(f *FSxLustre) hcl.Diagnostics {
	c := f.Checkpoints
	var diags hcl.Diagnostics
	size, _ := lustre.Capacity(f.Size.Value, f.ThroughputPerTiB.Value, f.EFA.Value)
	if kept := c.Bytes() * int64(c.Keep.Value); f.Size.IsSet() && kept > int64(size)<<30 {
		diags = append(diags, errorf(f.Size.Range, "No room for the checkpoints",
			"%d checkpoints of %s are %s, and the file system has %s. Write a larger size, or keep fewer.",
			c.Keep.Value, bytesText(c.Bytes()), bytesText(kept), bytesText(int64(size)<<30)))
	}
	rate := int64(lustre.Throughput(size, f.ThroughputPerTiB.Value)) * 1e6
	if rate > 0 {
		if takes := time.Duration(c.Seconds(rate) * float64(time.Second)); takes > c.MaxStall.Value {
			diags = append(diags, warnf(c.Range, "Checkpoints take long",
				"%s at %d MB/s take %s, and max_stall is %s. A larger size or throughput_per_tib is faster: %d MB/s are needed.",
				bytesText(c.Bytes()), rate/1e6, takes.Round(time.Second), formatDuration(c.MaxStall.Value), needed(c)))
		}
	}
	if c.CrossZone.Value && (f.LinkedTo.Value == nil || !f.Export.Value) {
		diags = append(diags, errorf(c.CrossZone.Range, "Checkpoints in one zone",
			"The file system is in %s alone. Write linked_to with a bucket and leave export on: files then go to all zones as they are made.", f.Zone))
	}
	return diags
}

// needed is the rate in MB/s that saves a checkpoint within its longest stall.
func needed(c *Checkpoints) int64 {
	return int64(float64(c.Bytes())/c.MaxStall.Value.Seconds()/1e6) + 1
}

// bytesText writes a number of bytes as storage is sold: by powers of ten.
func bytesText(n int64) string {
	units := []string{"B", "kB", "MB", "GB", "TB", "PB", "EB"}
	x, i := float64(n), 0
	for x >= 1000 && i < len(units)-1 {
		x, i = x/1000, i+1
	}
	if x >= 100 || i == 0 {
		return fmt.Sprintf("%.0f %s", x, units[i])
	}
	return fmt.Sprintf("%.1f %s", x, units[i])
}
