package blueprint

import (
	"slices"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// checkRegion refuses a region whose offerings are not known.
//
// Source: EC2 API, DescribeRegions, as far as the catalog has offerings.
func checkRegion(b *Blueprint, k known) hcl.Diagnostics {
	region := b.Environment.Region
	if !region.IsSet() || slices.Contains(k.catalog.Regions(), region.Value) {
		return nil
	}
	regions := k.catalog.Regions()
	return hcl.Diagnostics{errorf(region.Range, "Unknown region", "%s is no region that gpuyard knows.%s Known: %s.",
		region, didYouMean("", catalog.Near(region.Value, regions)), list(regions))}
}
