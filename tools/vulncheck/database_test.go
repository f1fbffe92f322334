package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var day = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func TestBuildWritesTheLayout(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "db")
	if err := build(source{Dir: "testdata/entries", Modified: day}, out); err != nil {
		t.Fatal(err)
	}
	const at = `"modified":"2026-01-02T03:04:05Z"`
	for name, want := range map[string]string{
		"index/db.json": `{` + at + `}`,
		"index/modules.json": `[{"path":"example.com/unused","vulns":[{"id":"GO-0000-0002",` + at + `}]},` +
			`{"path":"stdlib","vulns":[{"id":"GO-0000-0001",` + at + `}]}]`,
		"index/vulns.json": `[{"id":"GO-0000-0001",` + at + `,"aliases":["CVE-0000-00001"]},` +
			`{"id":"GO-0000-0002",` + at + `}]`,
		"ID/GO-0000-0001.json": read(t, "testdata/entries/GO-0000-0001.json"),
	} {
		if got := read(t, filepath.Join(out, name)); got != want {
			t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
		}
	}
}

// An entry that the database dropped must not live on in a folder that was there before.
func TestBuildReplacesWhatWasThere(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "db")
	stale := filepath.Join(out, "ID", "GO-0000-0009.json")
	if err := os.MkdirAll(filepath.Dir(stale), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(stale, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := build(source{Dir: "testdata/entries", Modified: day}, out); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stale); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the entry of an older database is still there (%v)", err)
	}
}

// A source that is not what it should be must never turn into an empty database, which would find nothing.
func TestBuildRefusesABadSource(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, content, want string }{
		"no entries":   {"README.md", "", "no entries"},
		"not JSON":     {"GO-1.json", "<html>", "invalid character"},
		"another name": {"GO-1.json", `{"id": "GO-2"}`, `holds the entry "GO-2"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, out := t.TempDir(), filepath.Join(t.TempDir(), "db")
			if err := os.WriteFile(filepath.Join(dir, c.file), []byte(c.content), 0o644); err != nil {
				t.Fatal(err)
			}
			err := build(source{Dir: dir, Modified: day}, out)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("build returns %v, want an error with %q", err, c.want)
			}
			if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("a database was left behind (%v)", err)
			}
		})
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
