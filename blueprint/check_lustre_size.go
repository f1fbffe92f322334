package blueprint

import (
	"github.com/gpuyard/gpuyard/internal/lustre"
	"github.com/hashicorp/hcl/v2"
)

// mostLustre is a sanity limit: what no account has by default is asked for by a slip of the unit.
const mostLustre = 2 << 20 // GiB

// checkLustreSize warns where the size of a file system is rounded up to twice what is wanted or more, since all of it is
// paid for.
//
// Source: FSx for Lustre User Guide, "Increasing storage capacity".
func checkLustreSize(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, s := range b.Storage {
		f := s.FSxLustre
		if f == nil || !f.Size.IsSet() {
			continue
		}
		if f.Size.Value > mostLustre {
			diags = append(diags, errorf(f.Size.Range, "File system too large", "%d GiB are more than 2 PiB, the most that gpuyard makes in one file system.", f.Size.Value))
			continue
		}
		size, step := lustre.Capacity(f.Size.Value, f.ThroughputPerTiB.Value, f.EFA.Value)
		if size >= 2*f.Size.Value {
			diags = append(diags, warnf(f.Size.Range, "File system much larger than wanted",
				"FSx makes such file systems in steps of %d GiB: %d GiB become %d. A higher throughput_per_tib has smaller steps with EFA, and without EFA the step is 2400.",
				step, f.Size.Value, size))
		}
	}
	return diags
}
