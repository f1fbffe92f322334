package blueprint

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestSchema decodes nothing: it holds every tag to what the reference needs, and defaults to their own legal values.
// Reading the schema also proves that every tag parses.
func TestSchema(t *testing.T) {
	t.Parallel()
	for _, b := range Schema() {
		if b.Doc == "" {
			t.Errorf("%s has no documentation", b.Name)
		}
		judgeArguments(t, b.Name, b.Arguments)
		for _, k := range b.Kinds {
			judgeArguments(t, b.Name+"."+k.Name, k.Arguments)
		}
	}
}

func judgeArguments(t *testing.T, path string, arguments []ArgumentSchema) {
	t.Helper()
	seen := map[string]bool{}
	for _, a := range arguments {
		at := path + "." + a.Name
		if a.Doc == "" || !strings.HasSuffix(a.Doc, ".") && !strings.HasSuffix(a.Doc, "…") && !strings.HasSuffix(a.Doc, "}.") {
			t.Errorf("%s: documentation is no sentence: %q", at, a.Doc)
		}
		if seen[a.Name] {
			t.Errorf("%s is there twice", at)
		}
		seen[a.Name] = true
		if a.HasDefault && a.Required {
			t.Errorf("%s is required and has a default", at)
		}
		if a.HasDefault && len(a.Legal) > 0 && !slices.Contains(a.Legal, a.Default) {
			t.Errorf("%s: default %q is not legal", at, a.Default)
		}
		judgeArguments(t, at, a.Arguments)
	}
}

// TestDefaults sets every default of the language: one that does not parse panics.
func TestDefaults(t *testing.T) {
	t.Parallel()
	d := &decoder{schemas: schemas{}}
	for _, b := range blockTypes() {
		for _, model := range modelsOf(b) {
			setDefaults(d, model)
		}
	}
}

// TestReference compares the whole language with a golden file, so that a change of it is seen in review.
func TestReference(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	for _, b := range Schema() {
		fmt.Fprintf(&out, "%s %q once=%v: %s\n", b.Name, b.Labels, b.Once, b.Doc)
		writeArguments(&out, "  ", b.Arguments)
		for _, k := range b.Kinds {
			fmt.Fprintf(&out, "  %s: %s\n", k.Name, k.Doc)
			writeArguments(&out, "    ", k.Arguments)
		}
	}
	golden(t, "testdata/language.golden", out.String())
}

func writeArguments(out *strings.Builder, indent string, arguments []ArgumentSchema) {
	for _, a := range arguments {
		fmt.Fprintf(out, "%s%s: %s", indent, a.Name, a.Type)
		if a.Required {
			out.WriteString(", required")
		}
		if a.HasDefault {
			fmt.Fprintf(out, ", default %q", a.Default)
		}
		if len(a.Legal) > 0 {
			fmt.Fprintf(out, ", one of %s", strings.Join(a.Legal, " "))
		}
		if a.Min != nil {
			fmt.Fprintf(out, ", min %g%s", *a.Min, a.Unit)
		}
		if a.Max != nil {
			fmt.Fprintf(out, ", max %g%s", *a.Max, a.Unit)
		}
		fmt.Fprintf(out, " — %s\n", a.Doc)
		writeArguments(out, indent+"  ", a.Arguments)
	}
}
