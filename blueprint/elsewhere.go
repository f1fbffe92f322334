package blueprint

import (
	"slices"

	"github.com/gpuyard/gpuyard/catalog"
)

// mostAlike is how many types a message names in place of another one.
const mostAlike = 3

// Elsewhere is what would do in place of an instance type that a region does not have, in sentences that follow another: the
// regions that offer it, and the types like it that the region has.
func Elsewhere(cat *catalog.Catalog, typ, region string) string {
	text := " gpuyard knows no region that offers it."
	if regions := cat.RegionsOf(typ); len(regions) > 0 {
		text = " It is offered in " + list(regions) + "."
	}
	if types := alike(cat, typ, region); len(types) > 0 {
		text += " Like it, and offered in " + region + ": " + list(types) + "."
	}
	return text
}

// alike names the types of a region that do what another one does, nearest first: of the same architecture and maker of
// accelerators, with EFA or without.
func alike(cat *catalog.Catalog, typ, region string) []string {
	wanted, err := cat.Lookup(typ)
	if err != nil {
		return nil
	}
	types := slices.DeleteFunc(cat.Types(), func(t *catalog.InstanceType) bool {
		return t.Arch != wanted.Arch || maker(t) != maker(wanted) || t.HasEFA() != wanted.HasEFA() || !t.CurrentGeneration ||
			len(cat.ZonesOf(t.Name, region)) == 0
	})
	nearness := func(t *catalog.InstanceType) [2]int {
		return [2]int{abs(deviceMemory(t) - deviceMemory(wanted)), abs(t.MemoryMiB - wanted.MemoryMiB)}
	}
	slices.SortStableFunc(types, func(a, b *catalog.InstanceType) int {
		x, y := nearness(a), nearness(b)
		return slices.Compare(x[:], y[:])
	})
	var names []string
	for _, t := range types[:min(len(types), mostAlike)] {
		names = append(names, t.Name)
	}
	return names
}

// deviceMemory is the memory of all accelerators of a type.
func deviceMemory(t *catalog.InstanceType) int {
	if t.Accelerator == nil {
		return 0
	}
	return max(t.Accelerator.Count, 1) * t.Accelerator.MemoryMiB
}

func maker(t *catalog.InstanceType) catalog.Maker {
	if t.Accelerator == nil {
		return ""
	}
	return t.Accelerator.Maker
}

func abs(n int) int { return max(n, -n) }
