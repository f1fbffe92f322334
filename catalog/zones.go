package catalog

import (
	"maps"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog/internal/dataset"
)

// Regions returns the regions whose offerings are known, sorted. The GovCloud and China regions are not among them.
func (c *Catalog) Regions() []string { return slices.Sorted(maps.Keys(c.zones)) }

// Zones returns the zone ids of a region, sorted; none means that its offerings are not known.
func (c *Catalog) Zones(region string) []string { return slices.Clone(c.zones[region]) }

// ZonesOf returns the zone ids of a region that offer an instance type, sorted.
func (c *Catalog) ZonesOf(typ, region string) []string {
	return slices.Clone(c.offered[region][typ])
}

// RegionsOf returns the regions that offer an instance type in some zone, sorted.
func (c *Catalog) RegionsOf(typ string) []string {
	var regions []string
	for region, types := range c.offered {
		if len(types[typ]) > 0 {
			regions = append(regions, region)
		}
	}
	slices.Sort(regions)
	return regions
}

// Offered says whether a zone offers an instance type. The zone is an id such as "usw2-az1": names such as
// "us-west-2a" mean another zone in every account.
//
// Source: EC2 API, DescribeInstanceTypeOfferings with location type availability-zone-id.
func (c *Catalog) Offered(typ, region, zoneID string) bool {
	return slices.Contains(c.offered[region][typ], zoneID)
}

// indexZones reads the offerings of generated and added types.
func (c *Catalog) indexZones(f *dataset.File) {
	c.offered = make(map[string]map[string][]string, len(f.Offerings))
	for region, sets := range f.Offerings {
		c.offered[region] = make(map[string][]string, len(f.Types))
		for set, types := range sets {
			zones := strings.Fields(set)
			for name := range strings.FieldsSeq(types) {
				c.offered[region][name] = zones
			}
		}
	}
	for name, t := range f.Types {
		for region, zones := range t.Zones {
			if c.offered[region] == nil {
				c.offered[region] = map[string][]string{}
			}
			c.offered[region][name] = slices.Sorted(slices.Values(zones))
		}
	}
	c.zones = make(map[string][]string, len(c.offered))
	for region, types := range c.offered {
		known := map[string]bool{}
		for _, zones := range types {
			for _, zone := range zones {
				known[zone] = true
			}
		}
		c.zones[region] = slices.Sorted(maps.Keys(known))
	}
}
