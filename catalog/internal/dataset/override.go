package dataset

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Override lays a data set over f. A record takes the place of the one with its name, and a region's offerings and
// prices that of the region's own: what the set does not state stays. Its error holds all that is wrong with it.
func (f *File) Override(text []byte) error {
	var set struct {
		Sources   Sources                      `json:"sources"`
		Types     map[string]json.RawMessage   `json:"types"`
		Prices    map[string]json.RawMessage   `json:"prices"`
		Offerings map[string]map[string]string `json:"offerings"`
	}
	if err := strict(text, &set); err != nil {
		return err
	}
	errs := []error{
		sourced("types", set.Sources.Types, len(set.Types)),
		sourced("prices", set.Sources.Prices, len(set.Prices)),
		sourced("offerings", set.Sources.Offerings, len(set.Offerings)),
	}
	for _, name := range sorted(set.Types) {
		t := &Type{}
		err := strict(set.Types[name], t)
		if err == nil {
			err = t.Check()
		}
		errs = append(errs, within("types: "+name, err))
		f.Types[name] = t
	}
	for _, region := range sorted(set.Prices) {
		p := &Prices{}
		err := strict(set.Prices[region], p)
		if err == nil {
			err = p.check(region)
		}
		errs = append(errs, within("prices: "+region, err))
		f.Prices[region] = p
	}
	for _, region := range sorted(set.Offerings) {
		errs = append(errs, within("offerings: "+region, checkZones(set.Offerings[region])))
		f.Offerings[region] = set.Offerings[region]
	}
	f.Over = &set.Sources
	return errors.Join(errs...)
}

// sourced refuses a part that does not say where it comes from.
func sourced(part, source string, entries int) error {
	if entries > 0 && strings.TrimSpace(source) == "" {
		return fmt.Errorf("sources: %s is empty: say where the %s come from", part, part)
	}
	return nil
}

// within puts a place in front of each line of an error.
func within(place string, err error) error {
	if err == nil {
		return nil
	}
	lines := strings.Split(err.Error(), "\n")
	slices.Sort(lines) // what was found in a map has no order of its own
	return errors.New(place + ": " + strings.Join(lines, "\n"+place+": "))
}

// strict decodes one JSON value, refuses keys that v does not have, and says what is wrong in words.
func strict(src []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(src))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		if _, end := d.Token(); end != io.EOF {
			return errors.New("something follows the closing brace")
		}
		return nil
	}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d: %w", 1+bytes.Count(src[:min(int(syntax.Offset), len(src))], []byte("\n")), err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the text ends before its closing brace")
	case errors.As(err, &kind):
		return fmt.Errorf("%s is a %s, want %s", cmp.Or(kind.Field, "the text"), kind.Value, wanted(kind))
	}
	return err
}

// wanted is what JSON calls the kind of value that was wanted.
func wanted(err *json.UnmarshalTypeError) string {
	switch kind := err.Type.Kind().String(); kind {
	case "int", "float64":
		return "a number"
	case "map", "struct":
		return "an object"
	case "bool":
		return "true or false"
	case "slice":
		return "a list"
	default:
		return "a " + kind
	}
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
