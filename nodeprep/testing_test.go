package nodeprep_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

var update = flag.Bool("update", false, "write the golden files anew")

// newHost makes a host in a folder that is removed with the test.
func newHost(t *testing.T, d hosttest.Distribution, hw hosttest.Hardware) *hosttest.Host {
	t.Helper()
	h, err := hosttest.New(t.TempDir(), d, hw)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// builtIn is a built-in profile with some keys over it.
func builtIn(t *testing.T, name string, over map[string]string) profile.Profile {
	t.Helper()
	p, found := profile.BuiltIn(name)
	if !found {
		t.Fatalf("there is no profile %s", name)
	}
	return p.Extend(name, over)
}

// golden compares a text with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is out of date; it would be:\n%s", path, firstDifference(string(want), got))
	}
}

// firstDifference shows where two texts begin to differ.
func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for n := range min(len(a), len(b)) {
		if a[n] != b[n] {
			return "want: " + a[n] + "\ngot:  " + b[n]
		}
	}
	return got
}

// must writes a file of a host.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
