package dataset

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// Encode writes a file: one type, and one set of zones, a line, so that a file that is made again shows what changed.
func (f *File) Encode() ([]byte, error) {
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
