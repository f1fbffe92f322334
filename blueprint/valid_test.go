package blueprint

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite golden files")

// testOptions are hermetic: no environment, a fixed clock, and the one variable that prod asks for.
func testOptions() Options {
	return Options{
		Variables: func(name string) (string, bool) {
			value, ok := map[string]string{"capacity_block": "cr-0123456789abcdef0"}[name]
			return value, ok
		},
		Environ: func(string) (string, bool) { return "", false },
		Now:     func() time.Time { return time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC) },
	}
}

// TestValid loads every folder under testdata/valid, which must have no errors, and compares the resolved model and
// the warnings with golden files.
func TestValid(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob("testdata/valid/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no folders: %v", err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			b, diags := Load(onlyBlueprint(t, folder), testOptions())
			if err := diags.Err(); err != nil {
				t.Fatal(err)
			}
			var out textDump
			out.blueprint(b)
			out.diagnostics(t, diags)
			golden(t, filepath.Join(folder, "model.golden"), out.String())
		})
	}
}

// onlyBlueprint finds the blueprint of a folder in either syntax.
func onlyBlueprint(t *testing.T, folder string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "blueprint.*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s holds %d blueprints: %v", folder, len(found), err)
	}
	return found[0]
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run with -update to write it", err)
	}
	if string(want) != got {
		t.Errorf("%s differs; run with -update and read the difference\ngot:\n%s", path, got)
	}
}
