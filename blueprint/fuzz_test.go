package blueprint

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// FuzzParse feeds any text in both syntaxes. Whatever it is, Parse ends soon, does not panic, returns a model, and its
// diagnostics can be drawn and encoded.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/valid/*/blueprint.*", "testdata/invalid/*/blueprint.*"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			f.Fatalf("no seeds in %s: %v", pattern, err)
		}
		for _, path := range paths {
			if strings.Contains(path, "/limit-") {
				continue // slow by design
			}
			src, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(src, filepath.Ext(path) == ".json")
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, isJSON bool) {
		name := "none/blueprint.hcl" // a folder that is not there: the function file finds nothing
		if isJSON {
			name += ".json"
		}
		start := time.Now()
		b, diags := Parse(src, name, testOptions())
		if b == nil {
			t.Fatal("no model")
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("took %v", took)
		}
		if err := diags.Write(io.Discard, 80, true); err != nil {
			t.Error(err)
		}
		if text, err := diags.JSON(); err != nil || !bytes.HasPrefix(text, []byte("[")) {
			t.Errorf("%q, %v", text, err)
		}
		for _, d := range diags.List() {
			if RuleOf(d) == "" || d.Summary == "" || d.Subject == nil {
				t.Errorf("incomplete diagnostic %+v", d)
			}
		}
		for _, p := range b.NodeProfiles {
			_ = p.Resolved()
		}
	})
}
