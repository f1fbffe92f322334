package answers

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gpuyard/gpuyard/catalog/internal/dataset"
)

// Set is what was answered. Each part says in words where it comes from, and when it was asked: that goes into the data
// set as it stands.
type Set struct {
	Types     Types
	Offerings Offerings
	Prices    Prices
}

// Types are descriptions of instance types by name.
//
// Source: EC2 API, DescribeInstanceTypes, in JSON: InstanceTypeInfo.
type Types struct {
	Source string                     `json:"source"`
	Types  map[string]json.RawMessage `json:"types"`
}

// Offerings are the zone ids that offer a type, by region and type.
//
// Source: EC2 API, DescribeInstanceTypeOfferings with location type availability-zone-id.
type Offerings struct {
	Source  string                         `json:"source"`
	Regions map[string]map[string][]string `json:"regions"`
}

// Prices are on-demand list prices an hour, by region and type, and when the list of a region was read.
type Prices struct {
	Source    string                        `json:"source"`
	Generated map[string]time.Time          `json:"generated"`
	Regions   map[string]map[string]float64 `json:"regions"`
}

// LeftOut is a type that a record cannot hold.
type LeftOut struct {
	Name string
	Why  error
}

// Reduce returns the text of the data set that the answers come to, and the types that it does not hold, by name. A
// region may offer a type that is left out: the catalog may know it from elsewhere.
func (s Set) Reduce() ([]byte, []LeftOut, error) {
	f := &dataset.File{Sources: dataset.Sources{Types: s.Types.Source, Offerings: s.Offerings.Source, Prices: s.Prices.Source}}
	left := s.Types.reduce(f)
	if err := s.Offerings.reduce(f, left); err != nil {
		return nil, nil, fmt.Errorf("offerings: %w", err)
	}
	if err := s.Prices.reduce(f); err != nil {
		return nil, nil, fmt.Errorf("prices: %w", err)
	}
	text, err := f.Encode()
	return text, left, err
}

func (t Types) reduce(f *dataset.File) []LeftOut {
	var left []LeftOut
	f.Types = map[string]*dataset.Type{}
	for _, name := range slices.Sorted(maps.Keys(t.Types)) {
		r, err := record(t.Types[name])
		if err != nil {
			left = append(left, LeftOut{name, err})
			continue
		}
		f.Types[name] = r
	}
	return left
}

// reduce groups the types of a region by the set of zones that offers them: there are few such sets. Local and
// Wavelength Zones are passed over: a cluster's managed nodes are not in them.
func (o Offerings) reduce(f *dataset.File, left []LeftOut) error {
	f.Offerings = map[string]map[string]string{}
	for _, region := range slices.Sorted(maps.Keys(o.Regions)) {
		groups := map[string][]string{}
		for _, name := range slices.Sorted(maps.Keys(o.Regions[region])) {
			known := f.Types[name] != nil || slices.ContainsFunc(left, func(l LeftOut) bool { return l.Name == name })
			if !known {
				return fmt.Errorf("%s offers %s, which is no known type", region, name)
			}
			own := slices.DeleteFunc(slices.Sorted(slices.Values(o.Regions[region][name])), func(zone string) bool { return !dataset.IsZoneID(zone) })
			if set := strings.Join(own, " "); set != "" {
				groups[set] = append(groups[set], name)
			}
		}
		f.Offerings[region] = map[string]string{}
		for set, names := range groups {
			f.Offerings[region][set] = strings.Join(names, " ")
		}
	}
	return nil
}

func (p Prices) reduce(f *dataset.File) error {
	f.Prices = map[string]*dataset.Prices{}
	for region, perHour := range p.Regions {
		read, ok := p.Generated[region]
		if !ok {
			return fmt.Errorf("%s has no time of generation", region)
		}
		f.Prices[region] = &dataset.Prices{Currency: dataset.Currency(region), Date: read.UTC().Format(time.DateOnly), PerHour: perHour}
	}
	return nil
}
