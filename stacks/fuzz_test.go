package stacks

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/catalog"
)

// FuzzPlan plans and explains whatever blueprint the rules accept: it is an environment or a diagnostic, never a panic.
func FuzzPlan(f *testing.F) {
	for _, pattern := range []string{"*.hcl", "testdata/*/blueprint.hcl", "../blueprint/testdata/valid/*/blueprint.*"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			f.Fatalf("no seeds in %s: %v", pattern, err)
		}
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(src, filepath.Ext(path) == ".json")
		}
	}
	options := Options(catalog.Default(), func(name string) (string, bool) { v, ok := variables[name]; return v, ok })
	options.Environ = func(string) (string, bool) { return "", false }
	options.Now = func() time.Time { return time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC) }
	f.Fuzz(func(t *testing.T, src []byte, isJSON bool) {
		name := "none/blueprint.hcl"
		if isJSON {
			name = "none/blueprint.json"
		}
		b, diags := blueprint.Parse(src, name, options)
		if diags.HasErrors() {
			return
		}
		plan, diags := NewPlan(b, catalog.Default())
		if diags.HasErrors() {
			return
		}
		for _, s := range plan.Explain() {
			if s.Title == "" || len(s.Facts) == 0 {
				t.Errorf("a part without facts: %+v", s)
			}
		}
	})
}
