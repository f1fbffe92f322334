package reference

import (
	"encoding/json"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
)

// TestPage holds docs/blueprint.md to the code.
func TestPage(t *testing.T) {
	t.Parallel()
	page, err := Markdown(blueprint.Schema())
	if err != nil {
		t.Fatal(err)
	}
	pulumitest.Golden(t, page, "../../docs/blueprint.md")
}

// TestExamples loads every example: what the page shows is a blueprint without an error or a warning.
func TestExamples(t *testing.T) {
	t.Parallel()
	entries, err := fs.ReadDir(examples, "examples")
	if err != nil || len(entries) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	options := blueprint.Options{
		Environ: func(string) (string, bool) { return "", false },
		Now:     func() time.Time { return time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC) },
	}
	shown := map[string]bool{}
	for _, b := range blueprint.Schema() {
		shown[b.Name] = len(b.Kinds) == 0
		for _, k := range b.Kinds {
			shown[b.Name+"-"+k.Name] = true
		}
	}
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), ".hcl"); !shown[name] {
			t.Errorf("%s is the example of no block", e.Name())
		}
		if _, diags := blueprint.Load("examples/"+e.Name(), options); diags.Errors()+diags.Warnings() > 0 {
			var drawn strings.Builder
			if err := diags.Write(&drawn, 100, false); err != nil {
				t.Fatal(err)
			}
			t.Error(drawn.String())
		}
	}
}

// TestJSONSchema holds docs/blueprint.schema.json to the code, and what it accepts and refuses to what the loader does.
func TestJSONSchema(t *testing.T) {
	t.Parallel()
	text, err := JSONSchema(blueprint.Schema())
	if err != nil {
		t.Fatal(err)
	}
	pulumitest.Golden(t, string(text), "../../docs/blueprint.schema.json")
	schema, err := jsonschema.CompileString("blueprint.schema.json", string(text))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile("../../blueprint/testdata/valid/json/blueprint.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text string
		ok   bool
	}{
		"a whole blueprint": {string(whole), true},
		"an expression for a number": {`{"environment": {"dev": {"region": "us-west-2", "budget_per_hour": "${var.budget}"}},
			"variable": {"budget": {"default": 20}}}`, true},
		"a block with kinds":  {`{"environment": {"dev": {"region": "us-west-2"}}, "storage": {"s3": {"data": {"tier": "cold"}}}}`, true},
		"no environment":      {`{}`, false},
		"two environments":    {`{"environment": {"a": {"region": "us-west-2"}, "b": {"region": "us-west-2"}}}`, false},
		"no region":           {`{"environment": {"dev": {}}}`, false},
		"an unknown argument": {`{"environment": {"dev": {"region": "us-west-2", "regoin": "x"}}}`, false},
		"an unknown block":    {`{"environment": {"dev": {"region": "us-west-2"}}, "node_pol": {}}`, false},
		"an unknown kind":     {`{"environment": {"dev": {"region": "us-west-2"}}, "storage": {"nfs": {"a": {}}}}`, false},
		"an illegal value":    {`{"environment": {"dev": {"region": "us-west-2"}}, "network": {"cidr": "10.0.0.0/16", "zones": ["a"], "nat": "two"}}`, false},
		"a number in quotes":  {`{"environment": {"dev": {"region": "us-west-2", "budget_per_hour": "20"}}}`, false},
		"below the minimum":   {`{"environment": {"dev": {"region": "us-west-2", "budget_per_hour": -1}}}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var value any
			if err := json.Unmarshal([]byte(c.text), &value); err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(value); (err == nil) != c.ok {
				t.Errorf("accepted %v, want %v: %v", err == nil, c.ok, err)
			}
		})
	}
}
