package catalog

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gpuyard/gpuyard/catalog/internal/dataset"
)

//go:embed data.json
var generatedJSON []byte

//go:embed additions.json
var additionsJSON []byte

// Catalog is a set of instance types with the zones that offer them and their prices.
type Catalog struct {
	types    map[string]*InstanceType
	names    []string                    // of types, sorted
	offered  map[string][]zoneSet        // by region
	zones    map[string][]string         // by region, sorted
	prices   map[string]map[string]Price // region, then type
	standIns []string                    // regions whose price may stand in for another's, best first
	origin   string                      // of what was laid over the embedded data
}

// Default returns the catalog of the embedded data, which is parsed at the first call.
func Default() *Catalog { return embedded() }

var embedded = sync.OnceValue(func() *Catalog {
	c, err := parse(nil, additionsJSON)
	if err != nil {
		panic(fmt.Sprintf("catalog: the embedded data is broken: %v", err))
	}
	return c
})

// Override returns the catalog of the embedded data with a data set laid over it, as package answers makes one: a type
// takes the place of the one with its name, and a region's offerings and prices that of the region's own. The corrections
// of additions.json hold over both. The error holds all that is wrong with the set, a line each.
func Override(set []byte) (*Catalog, error) { return parse(set, additionsJSON) }

// Origin says where the data come from that were laid over the embedded ones; it is empty if none were.
func (c *Catalog) Origin() string { return c.origin }

// Lookup finds an instance type in the default catalog. The error is an [*UnknownTypeError].
func Lookup(name string) (*InstanceType, error) { return Default().Lookup(name) }

// Lookup finds an instance type by its exact name. The error is an [*UnknownTypeError].
func (c *Catalog) Lookup(name string) (*InstanceType, error) {
	if t, ok := c.types[name]; ok {
		return t, nil
	}
	return nil, &UnknownTypeError{Name: name, Near: Near(name, c.names)}
}

// Find is Lookup for whoever has no use for near names, which take longer to find than the type.
func (c *Catalog) Find(name string) (*InstanceType, bool) {
	t, ok := c.types[name]
	return t, ok
}

// Types returns all instance types, sorted by name.
func (c *Catalog) Types() []*InstanceType {
	types := make([]*InstanceType, len(c.names))
	for i, name := range c.names {
		types[i] = c.types[name]
	}
	return types
}

// UnknownTypeError says that the catalog does not have an instance type.
type UnknownTypeError struct {
	// Name is what was asked for.
	Name string
	// Near holds up to three known types whose names are near, best first.
	Near []string
}

func (e *UnknownTypeError) Error() string {
	msg := fmt.Sprintf("unknown instance type %q", e.Name)
	if n := len(e.Near); n == 1 {
		msg += "; did you mean " + e.Near[0] + "?"
	} else if n > 1 {
		msg += "; did you mean " + strings.Join(e.Near[:n-1], ", ") + " or " + e.Near[n-1] + "?"
	}
	return msg
}

// parse builds a catalog from the embedded data, a set that is laid over them, if there is one, and additions.
func parse(set, additions []byte) (*Catalog, error) {
	f, err := dataset.Decode(generatedJSON)
	if err != nil {
		return nil, err
	}
	if set != nil {
		if err := f.Override(set); err != nil {
			return nil, err
		}
	}
	if err := f.Add(additions); err != nil {
		return nil, err
	}
	c := &Catalog{types: make(map[string]*InstanceType, len(f.Types)), names: slices.Sorted(maps.Keys(f.Types))}
	for _, name := range c.names {
		t, err := newInstanceType(name, f.Types[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		t.catalog = c
		c.types[name] = t
	}
	if f.Over != nil {
		c.origin = f.Over.Types
	}
	c.indexZones(f)
	c.indexPrices(f)
	return c, nil
}
