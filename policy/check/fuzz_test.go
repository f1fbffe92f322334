package check_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"unicode"

	"github.com/gpuyard/gpuyard/policy/check"
)

// FuzzPlan reads anything as a plan. What is read is judged and rendered, and nothing that a terminal would obey comes out.
func FuzzPlan(f *testing.F) {
	plans, err := filepath.Glob("testdata/*/plan.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range plans {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		plan, err := check.Read(src)
		if err != nil {
			return
		}
		report := check.Judge(plan, nil, now)
		var text, rest bytes.Buffer
		if err := report.Text(&text); err != nil {
			t.Fatal(err)
		}
		for _, r := range text.String() {
			if unicode.IsControl(r) && r != '\n' {
				t.Fatalf("the text has the control character %q", r)
			}
		}
		if report.JSON(&rest) != nil || report.Markdown(&rest) != nil || report.SARIF(&rest, "a.hcl") != nil {
			t.Fatal("it cannot be rendered")
		}
	})
}

// FuzzSettings reads anything as a configuration file.
func FuzzSettings(f *testing.F) {
	for _, seed := range []string{`{"version":2,"policies":{"all":"advisory"},"exceptions":{"E":{"reason":"r","match":[{"policies":["public-ssh"],"targets":["urn:pulumi:a"]}]}}}`,
		`{"capacity-block-target":{"starts":{"cr-1":"2026-12-01T11:30:00Z"}},"cluster-logs":{"types":["api"]}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if settings, err := check.ReadSettings(src); err == nil {
			check.Judge(&check.Plan{}, settings, now)
		}
	})
}
