package blueprint

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLimits feeds texts that would not end, or would end the process, and expects a diagnostic. What does not end runs into
// the time limit of the test run.
func TestLimits(t *testing.T) {
	t.Parallel()
	in := func(expr string) string { return "locals {\n  x = " + expr + "\n}\n" }
	chain := func(n int, next func(i int) string) string {
		var b strings.Builder
		b.WriteString("locals {\n  l0 = [\"x\"]\n")
		for i := 1; i < n; i++ {
			fmt.Fprintf(&b, "  l%d = %s\n", i, next(i-1))
		}
		return b.String() + "}\n"
	}
	tests := map[string]struct{ file, src, summary string }{
		"file":            {"a.hcl", strings.Repeat("#\n", maxFileSize/2+1), "File too large"},
		"brackets":        {"a.hcl", in(strings.Repeat("(", 20_000)), "Nested too deeply"},
		"blocks":          {"a.hcl", strings.Repeat("a {\n", 20_000), "Nested too deeply"},
		"templates":       {"a.hcl", in(strings.Repeat(`"${`, 20_000)), "Nested too deeply"},
		"negations":       {"a.hcl", in(strings.Repeat("!", 20_000) + "true"), "Too many operators"},
		"sum":             {"a.hcl", in("1" + strings.Repeat("+1", 20_000)), "Too many operators"},
		"conditionals":    {"a.hcl", in(strings.Repeat("true ? 1 : ", 20_000) + "1"), "Too many operators"},
		"indexes":         {"a.hcl", in("a" + strings.Repeat("[0]", 20_000)), "Too many operators"},
		"text as number":  {"a.hcl", in(`"${"1e60000000" + 0}"`), "Operation failed"},
		"negated text":    {"a.hcl", in(`"${-"1e60000000"}"`), "Operation failed"},
		"number argument": {"a.hcl", in(`"${max("1e60000000", 1)}"`), "Invalid function argument"},
		"decoded number":  {"a.hcl", in(`"${jsondecode("1e60000000")}"`), "Error in function call"},
		"encoded":         {"a.hcl", in(strings.Repeat("jsonencode(", 60) + `"\"\"\"\""` + strings.Repeat(")", 60)), "Expression costs too much"},
		"formatted":       {"a.hcl", in(strings.Repeat(`format("%[1]s%[1]s%[1]s%[1]s", `, 60) + `"x"` + strings.Repeat(")", 60)), "Error in function call"},
		"joined":          {"a.hcl", in(`[` + strings.Repeat(`join("`+strings.Repeat("x", 1000)+`", range(1024)), `, 100) + `]`), "Expression costs too much"},
		"ranges":          {"a.hcl", in(`[` + strings.Repeat(`range(1024), `, 10_000) + `]`), "Expression costs too much"},
		"distinct":        {"a.hcl", in(`distinct(split(",", "` + strings.Repeat(",", 100_000) + `"))`), "Invalid function argument"},
		"variable":        {"a.hcl", "variable \"x\" {\n type = number\n default = \"1e60000000\"\n}\n", "Illegal variable value"},
		"failing keys":    {"a.hcl", in(`[for a in range(1024): [for b in range(1024): { for c in range(1024): nothing() => 1 }]]`), "Expression costs too much"},
		"JSON arithmetic": {"a.json", `{"locals": {"x": "${\"1e60000000\" + 0}"}}`, "Arithmetic in JSON"},
		"number":          {"a.hcl", in("1e999999999"), "Number too large"},
		"loops":           {"a.hcl", in("[for a in range(1024): [for b in range(1024): [for c in range(1024): 1]]]"), "Expression costs too much"},
		"condition":       {"a.hcl", in("[for a in range(1024): [for b in range(1024): b if false]]"), "Expression costs too much"},
		"template loop":   {"a.hcl", in(`"%{for a in range(1024)}%{for b in range(1024)}x%{endfor}%{endfor}"`), "Expression costs too much"},
		"doubled lists":   {"a.hcl", chain(64, func(i int) string { return fmt.Sprintf("concat(local.l%d, local.l%d)", i, i) }), "Expression costs too much"},
		"doubled strings": {"a.hcl", chain(64, func(i int) string { return fmt.Sprintf("\"${jsonencode(local.l%d)}${jsonencode(local.l%d)}\"", i, i) }), "Expression costs too much"},
		"nested locals":   {"a.hcl", chain(5000, func(i int) string { return fmt.Sprintf("[local.l%d]", i) }), "Expression costs too much"},
		"JSON arrays":     {"a.json", `{"locals": {"x": ` + strings.Repeat("[", 20_000), "Nested too deeply"},
		"JSON template":   {"a.json", `{"locals": {"x": "${` + strings.Repeat("(", 10_000) + `"}}`, "Nested too deeply"},
		"JSON loop":       {"a.json", `{"locals": {"x": "%{ for a in b }%{ endfor }"}}`, "Loop in JSON"},
		"JSON escaped":    {"a.json", `{"locals": {"x": "${[\u0066or a in b : a]}"}}`, "Loop in JSON"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, diags := Parse([]byte(tt.src), tt.file, testOptions())
			found := false
			for _, d := range diags.List() {
				found = found || d.Summary == tt.summary
			}
			if !found {
				t.Errorf("no %q among %v", tt.summary, diags.List())
			}
		})
	}
}

// TestLongChains evaluates what is long and legal: neither recursion nor the cost of a step may grow with the file.
func TestLongChains(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("environment \"dev\" {\n  region = \"us-west-2\"\n  tags   = { last = local.l19999 }\n}\nlocals {\n  l0 = 0\n")
	for i := 1; i < 20_000; i++ {
		fmt.Fprintf(&b, "  l%d = local.l%d\n", i, i-1)
	}
	b.WriteString("}\n")
	model, diags := Parse([]byte(b.String()), "a.hcl", testOptions())
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	if got := model.Environment.Tags["last"]; got != "0" {
		t.Errorf("last = %q", got)
	}
}

// TestManyMistakes reports as many as are useful, and says how many are left.
func TestManyMistakes(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("environment \"dev\" {\n  region = \"us-west-2\"\n}\n")
	for i := range 5000 {
		fmt.Fprintf(&b, "node_profile \"p%d\" {\n  extends = \"nothing%d\"\n  a%d = storage.none%d\n}\n", i, i, i, i)
	}
	_, diags := Parse([]byte(b.String()), "a.hcl", testOptions())
	list := diags.List()
	if len(list) != maxDiagnostics+1 {
		t.Fatalf("%d diagnostics, want %d", len(list), maxDiagnostics+1)
	}
	if last := list[maxDiagnostics]; last.Summary != "Too many problems" || !strings.Contains(last.Detail, "9800 more") {
		t.Errorf("the last is %q: %s", last.Summary, last.Detail)
	}
}

// TestUnreadable gives a diagnostic for what cannot be read.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	for _, path := range []string{filepath.Join(t.TempDir(), "none.hcl"), t.TempDir(), os.DevNull} {
		b, diags := Load(path, testOptions())
		if list := diags.List(); b == nil || len(list) != 1 || list[0].Summary != "Cannot read blueprint" {
			t.Errorf("%s: %v", path, list)
		}
	}
}
