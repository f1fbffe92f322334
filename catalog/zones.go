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
	return slices.Clone(c.offering(typ, region))
}

// RegionsOf returns the regions that offer an instance type in some zone, sorted.
func (c *Catalog) RegionsOf(typ string) []string {
	var regions []string
	for region := range c.offered {
		if len(c.offering(typ, region)) > 0 {
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
	return slices.Contains(c.offering(typ, region), zoneID)
}

// zoneSet is a set of zones and the types that exactly these zones of a region offer.
type zoneSet struct {
	zones []string
	types string // names with a blank before and behind each; searched, since indexing all takes longer than any use
}

// offering returns the zones of a region that offer a type of the catalog.
func (c *Catalog) offering(typ, region string) []string {
	if c.types[typ] == nil {
		return nil
	}
	for _, set := range c.offered[region] {
		if strings.Contains(set.types, " "+typ+" ") {
			return set.zones
		}
	}
	return nil
}

// indexZones reads the offerings of generated and added types. What an addition states comes first and so prevails.
func (c *Catalog) indexZones(f *dataset.File) {
	c.offered = make(map[string][]zoneSet, len(f.Offerings))
	for name, t := range f.Types {
		for region, zones := range t.Zones {
			set := zoneSet{slices.Sorted(slices.Values(zones)), " " + name + " "}
			c.offered[region] = append(c.offered[region], set)
		}
	}
	for region, sets := range f.Offerings {
		for zones, types := range sets {
			c.offered[region] = append(c.offered[region], zoneSet{strings.Fields(zones), " " + types + " "})
		}
	}
	c.zones = make(map[string][]string, len(c.offered))
	for region, sets := range c.offered {
		var zones []string
		for _, set := range sets {
			zones = append(zones, set.zones...)
		}
		slices.Sort(zones)
		c.zones[region] = slices.Compact(zones)
	}
}
