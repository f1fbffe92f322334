package blueprint

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
)

// TestInvalid loads every folder under testdata/invalid. Each line that a diagnostic stands on says so, in a comment
// "# ERROR: summary" or "# WARNING: summary"; where there are no comments, a file named expect says so by line number.
// Summaries and lines must match one to one, and the drawn text must match the golden file.
func TestInvalid(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob("testdata/invalid/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no folders: %v", err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			path := onlyBlueprint(t, folder)
			_, diags := Load(path, testOptions())
			var got []string
			for _, d := range diags.List() {
				got = append(got, fmt.Sprintf("%d %s: %s", d.Subject.Start.Line, severity(d), d.Summary))
				if RuleOf(d) == "" {
					t.Errorf("%q names no rule", d.Summary)
				}
			}
			want := expectations(t, folder, path)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("diagnostics differ from the marks\ngot:\n  %s\nwant:\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
			}
			var drawn bytes.Buffer
			if err := diags.Write(&drawn, 100, false); err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join(folder, "diagnostics.golden"), drawn.String())
		})
	}
}

func severity(d *hcl.Diagnostic) string {
	if d.Severity == hcl.DiagWarning {
		return "WARNING"
	}
	return "ERROR"
}

var mark = regexp.MustCompile(`# (ERROR|WARNING): ([^#]+)`)

// expectations reads the marks, each as "line severity: summary".
func expectations(t *testing.T, folder, path string) []string {
	t.Helper()
	if listed, err := os.ReadFile(filepath.Join(folder, "expect")); err == nil {
		return strings.Split(strings.TrimSpace(string(listed)), "\n")
	}
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i, line := range strings.Split(string(src), "\n") {
		for _, m := range mark.FindAllStringSubmatch(line, -1) {
			out = append(out, fmt.Sprintf("%d %s: %s", i+1, m[1], strings.TrimSpace(m[2])))
		}
	}
	return out
}

// TestEveryRuleHasAFixture holds the rule that a check comes with a folder named after it.
func TestEveryRuleHasAFixture(t *testing.T) {
	t.Parallel()
	for _, rule := range Rules() {
		if found, _ := filepath.Glob("testdata/invalid/" + rule + "-*"); len(found) == 0 {
			t.Errorf("rule %s has no folder testdata/invalid/%s-<case>", rule, rule)
		}
	}
}
