package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog/internal/dataset"
)

// reduce turns the three inputs into the text of the data file.
func reduce(types, offerings, prices []byte) ([]byte, error) {
	f := dataset.File{}
	if err := reduceTypes(&f, types); err != nil {
		return nil, fmt.Errorf("instance types: %w", err)
	}
	if err := reduceOfferings(&f, offerings); err != nil {
		return nil, fmt.Errorf("offerings: %w", err)
	}
	if err := reducePrices(&f, prices); err != nil {
		return nil, fmt.Errorf("prices: %w", err)
	}
	return format(&f)
}

func reduceTypes(f *dataset.File, src []byte) error {
	var in struct {
		Source string
		Types  map[string]*ec2Type
	}
	if err := json.Unmarshal(src, &in); err != nil {
		return err
	}
	f.Sources.Types = in.Source
	f.Types = map[string]*dataset.Type{}
	for name, t := range in.Types {
		r, err := record(t)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		f.Types[name] = r
	}
	return nil
}

// reduceOfferings groups the types of a region by the set of zones that offers them: there are few such sets.
func reduceOfferings(f *dataset.File, src []byte) error {
	var in struct {
		Source  string
		Regions map[string]map[string][]string
	}
	if err := json.Unmarshal(src, &in); err != nil {
		return err
	}
	f.Sources.Offerings = in.Source
	f.Offerings = map[string]map[string]string{}
	for region, offered := range in.Regions {
		groups := map[string][]string{}
		for name, zones := range offered {
			if f.Types[name] == nil {
				return fmt.Errorf("%s offers %s, which is no known type", region, name)
			}
			set := strings.Join(slices.Sorted(slices.Values(zones)), " ")
			groups[set] = append(groups[set], name)
		}
		f.Offerings[region] = map[string]string{}
		for set, names := range groups {
			slices.Sort(names)
			f.Offerings[region][set] = strings.Join(names, " ")
		}
	}
	return nil
}

func reducePrices(f *dataset.File, src []byte) error {
	var in struct {
		Source    string
		Generated map[string]string
		Regions   map[string]map[string]float64
	}
	if err := json.Unmarshal(src, &in); err != nil {
		return err
	}
	f.Sources.Prices = in.Source
	f.Prices = map[string]*dataset.Prices{}
	for region, perHour := range in.Regions {
		date, _, ok := strings.Cut(in.Generated[region], "T")
		if !ok {
			return fmt.Errorf("%s has no time of generation", region)
		}
		f.Prices[region] = &dataset.Prices{Currency: dataset.Currency(region), Date: date, PerHour: perHour}
	}
	return nil
}

// format writes one type, and one set of zones, a line: a regenerated file then shows what changed.
func format(f *dataset.File) ([]byte, error) {
	w := &writer{}
	w.raw("{\n\"sources\": ")
	w.value(f.Sources)
	w.raw(",\n\"types\": {")
	lines(w, f.Types)
	w.raw("},\n\"prices\": {")
	lines(w, f.Prices)
	w.raw("},\n\"offerings\": {\n")
	for i, region := range slices.Sorted(maps.Keys(f.Offerings)) {
		if i > 0 {
			w.raw(",\n")
		}
		w.value(region)
		w.raw(": {")
		lines(w, f.Offerings[region])
		w.raw("}")
	}
	w.raw("\n}\n}\n")
	return w.b.Bytes(), w.err
}

// lines writes the entries of an object in order, one a line.
func lines[V any](w *writer, m map[string]V) {
	for i, key := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			w.raw(",")
		}
		w.raw("\n")
		w.value(key)
		w.raw(": ")
		w.value(m[key])
	}
	w.raw("\n")
}

// writer collects text and the first error.
type writer struct {
	b   bytes.Buffer
	err error
}

func (w *writer) raw(s string) { w.b.WriteString(s) }

func (w *writer) value(v any) {
	text, err := json.Marshal(v)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.b.Write(text)
}
