package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// entry is what the indexes need of an OSV file; the file itself is copied whole.
type entry struct {
	ID       string   `json:"id"`
	Aliases  []string `json:"aliases"`
	Affected []struct {
		Package struct {
			Name string `json:"name"`
		} `json:"package"`
	} `json:"affected"`
}

// moduleIndex is one element of index/modules.json.
//
// The layout allows for a "fixed" version a vulnerability, by which a reader may skip entries without opening
// them. It is left out on purpose: the answer is the same, and one more judgement of ours cannot hide a finding.
type moduleIndex struct {
	Path  string      `json:"path"`
	Vulns []vulnIndex `json:"vulns"`
}

// vulnIndex is one element of index/vulns.json, and without aliases one of a module's.
type vulnIndex struct {
	ID       string    `json:"id"`
	Modified time.Time `json:"modified"`
	Aliases  []string  `json:"aliases,omitempty"`
}

// ensure writes the pinned database to out unless it is there.
func ensure(p pin, out string) error {
	stamp := filepath.Join(out, "pin")
	if b, err := os.ReadFile(stamp); err == nil && string(b) == p.Sum {
		return nil
	}
	src, err := download(p)
	if err != nil {
		return err
	}
	if err := build(src, out); err != nil {
		return fmt.Errorf("writing the database to %s: %w", out, err)
	}
	return os.WriteFile(stamp, []byte(p.Sum), 0o644)
}

// build writes the database of src to out, replacing what is there only once the new one is whole.
func build(src source, out string) error {
	files, err := filepath.Glob(filepath.Join(src.Dir, "*.json"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("no entries in %s", src.Dir)
	}
	next := out + ".next"
	if err := os.RemoveAll(next); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(next, "ID"), 0o755); err != nil {
		return err
	}
	entries, err := copyEntries(files, filepath.Join(next, "ID"))
	if err != nil {
		return err
	}
	if err := writeIndexes(entries, src.Modified, filepath.Join(next, "index")); err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	return os.Rename(next, out)
}

// copyEntries copies OSV files into dir and returns what the indexes need of them.
func copyEntries(files []string, dir string) ([]entry, error) {
	entries := make([]entry, 0, len(files))
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var e entry
		if err := json.Unmarshal(b, &e); err != nil {
			return nil, fmt.Errorf("reading %s: %w", file, err)
		}
		if e.ID+".json" != filepath.Base(file) {
			return nil, fmt.Errorf("%s holds the entry %q: a file is named after its entry", file, e.ID)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), b, 0o644); err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// writeIndexes writes the three indexes, sorted, into dir.
//
// The files in the module carry no modification times (they are set on publication), so the time of the module
// stands for all of them.
func writeIndexes(entries []entry, modified time.Time, dir string) error {
	modules := map[string]*moduleIndex{}
	vulns := make([]vulnIndex, 0, len(entries))
	for _, e := range entries {
		vulns = append(vulns, vulnIndex{ID: e.ID, Modified: modified, Aliases: e.Aliases})
		for _, path := range modulePaths(e) {
			if modules[path] == nil {
				modules[path] = &moduleIndex{Path: path}
			}
			modules[path].Vulns = append(modules[path].Vulns, vulnIndex{ID: e.ID, Modified: modified})
		}
	}
	byPath := func(a, b *moduleIndex) int { return cmp.Compare(a.Path, b.Path) }

	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return errors.Join(
		writeJSON(filepath.Join(dir, "db.json"), map[string]time.Time{"modified": modified}),
		writeJSON(filepath.Join(dir, "modules.json"), slices.SortedFunc(maps.Values(modules), byPath)),
		writeJSON(filepath.Join(dir, "vulns.json"), vulns),
	)
}

// modulePaths returns the modules an entry is about, each once: an entry may name one in several ranges.
func modulePaths(e entry) []string {
	var paths []string
	for _, a := range e.Affected {
		if !slices.Contains(paths, a.Package.Name) {
			paths = append(paths, a.Package.Name)
		}
	}
	return paths
}

func writeJSON(path string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o644)
}
