// Package dataset is the stored form of the catalog: what is written, what is read, and how a newer data set and the
// hand-written additions are laid over the generated records.
//
// Lists are written as one string each (see [Words], [Cards], [PriceTable]): the file stays small and readable, and
// reading it takes a fraction of the time that nested JSON would.
//
// A record says what EC2 said, and is judged by what holds for every type; what follows from it is the catalog's business.
package dataset

import (
	"encoding/json"
	"fmt"
	"strings"
)

// File is the whole data set.
type File struct {
	// Sources says where each part comes from.
	Sources Sources `json:"sources"`
	// Types holds one record an instance type.
	Types map[string]*Type `json:"types"`
	// Prices holds the on-demand list prices by region.
	Prices map[string]*Prices `json:"prices"`
	// Offerings holds, by region, the types that share a set of zones: both key and value are lists separated by
	// blanks, the key zone ids and the value type names.
	Offerings map[string]map[string]string `json:"offerings"`
	// Over names the origin of what was laid over the data; nil: nothing was.
	Over *Sources `json:"-"`
}

// Sources names the origin of each part of a File, in words.
type Sources struct {
	Types     string `json:"types"`
	Offerings string `json:"offerings"`
	Prices    string `json:"prices"`
}

// Type is the record of one instance type.
type Type struct {
	Arch      string `json:"arch"`
	VCPUs     int    `json:"vcpus"`
	MemoryMiB int    `json:"memoryMiB"`
	BareMetal bool   `json:"bareMetal,omitempty"`
	// Previous marks a type of a previous generation.
	Previous    bool         `json:"previous,omitempty"`
	Accelerator *Accelerator `json:"accelerator,omitempty"`
	// Cards are the network cards from index 0 up.
	Cards  Cards `json:"cards"`
	MaxEFA int   `json:"maxEFA,omitempty"`
	// CardsWithoutEFA are the cards that cannot carry an EFA on a type whose other cards can.
	CardsWithoutEFA []int  `json:"cardsWithoutEFA,omitempty"`
	IPv4            int    `json:"ipv4"`
	Disks           *Disks `json:"disks,omitempty"`
	Placement       Words  `json:"placement"`
	Usage           Words  `json:"usage"`

	// The rest is for additions only: generated records share File.Prices and File.Offerings.

	// Source says where an added or corrected fact comes from.
	Source string `json:"source,omitempty"`
	// Zones are the zone ids that offer an added type, by region.
	Zones map[string][]string `json:"zones,omitempty"`
	// Price is the list price of an added type, by region.
	Price map[string]AddedPrice `json:"price,omitempty"`
}

// Accelerator describes the accelerators of a type.
type Accelerator struct {
	Maker     string `json:"maker"`
	Name      string `json:"name"`
	Count     int    `json:"count"`
	MemoryMiB int    `json:"memoryMiB"`
	// Fraction is the share of one device that a type with a partial GPU has; left out for whole devices.
	Fraction float64 `json:"fraction,omitempty"`
}

// Disks describes the instance store.
type Disks struct {
	Count  int  `json:"count"`
	SizeGB int  `json:"sizeGB"`
	NVMe   bool `json:"nvme,omitempty"`
}

// Prices are the list prices of one region.
type Prices struct {
	Currency string     `json:"currency"`
	Date     string     `json:"date"`
	PerHour  PriceTable `json:"perHour"`
}

// AddedPrice is the list price of an added type in one region, in that region's currency.
type AddedPrice struct {
	PerHour float64 `json:"perHour"`
	Date    string  `json:"date"`
}

// Currency is the currency of a region's list prices.
//
// Source: AWS price list; the China regions bill in CNY, every other region in USD.
func Currency(region string) string {
	if strings.HasPrefix(region, "cn-") {
		return "CNY"
	}
	return "USD"
}

// Decode reads a generated file.
func Decode(generated []byte) (*File, error) {
	var f File
	if err := json.Unmarshal(generated, &f); err != nil {
		return nil, fmt.Errorf("reading the generated data: %w", err)
	}
	return &f, nil
}

// Add lays additions over f: {"types": {NAME: RECORD}}. A record whose name is known changes only the keys it states;
// any other adds a type. Unknown keys are errors, since a person wrote them.
func (f *File) Add(additions []byte) error {
	var added struct {
		Types map[string]json.RawMessage `json:"types"`
	}
	if err := strict(additions, &added); err != nil {
		return fmt.Errorf("reading the additions: %w", err)
	}
	for name, raw := range added.Types {
		t := f.Types[name]
		if t == nil {
			t = &Type{}
			f.Types[name] = t
		}
		if err := strict(raw, t); err != nil {
			return fmt.Errorf("reading the addition %s: %w", name, err)
		}
		if t.Source == "" {
			return fmt.Errorf("the addition %s names no source", name)
		}
	}
	return nil
}
