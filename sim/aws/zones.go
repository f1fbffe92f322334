package aws

import (
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// zone is one availability zone: its id is the same for everybody, its name is this account's own.
type zone struct{ name, id string }

// zonesOf returns the zones of a region, by name. The account maps names to ids as AWS accounts do, not in order:
// name a is the region's second id, b the third, and the last name is the first id. So code that takes one for the
// other, which real accounts break sooner or later, breaks here at once.
// Source: RAM User Guide, "Availability Zone IDs for your AWS resources".
func zonesOf(cat *catalog.Catalog, region string) []zone {
	ids := cat.Zones(region)
	zones := make([]zone, len(ids))
	for i := range ids {
		zones[i] = zone{name: region + string(rune('a'+i)), id: ids[(i+1)%len(ids)]}
	}
	return zones
}

func zoneNamed(c *engine.Call, name string) (zone, bool) {
	return findZone(c, func(z zone) bool { return z.name == name })
}

func zoneWithID(c *engine.Call, id string) (zone, bool) {
	return findZone(c, func(z zone) bool { return z.id == id })
}

func findZone(c *engine.Call, match func(zone) bool) (zone, bool) {
	zones := zonesOf(c.Catalog(), c.Region)
	i := slices.IndexFunc(zones, match)
	if i < 0 {
		return zone{}, false
	}
	return zones[i], true
}

// list returns words as a sentence has them.
func list(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}
