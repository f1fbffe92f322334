package sim_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/sim"
	"github.com/gpuyard/gpuyard/sim/aws"
	"github.com/gpuyard/gpuyard/sim/azure"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
	"github.com/gpuyard/gpuyard/sim/kubernetes"
	"github.com/gpuyard/gpuyard/sim/pace"
)

var update = flag.Bool("update", false, "write docs/embedded-cloud-rules.md anew")

// TestRulesAreDocumented holds the page of rules to the tables it is made from.
func TestRulesAreDocumented(t *testing.T) {
	t.Parallel()
	const page = "../docs/embedded-cloud-rules.md"
	want := rulesPage(aws.Provider(aws.Account{}), kubernetes.Provider(), azure.Provider())
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the tables say; run go test ./sim -run TestRulesAreDocumented -update", page)
	}
}

func rulesPage(providers ...*engine.Provider) string {
	var b strings.Builder
	b.WriteString("# What the embedded cloud refuses\n\n" +
		"Made from the tables in `sim/` by `go test ./sim -run TestRulesAreDocumented -update`; edit those, not this page.\n\n" +
		"*Preview* rules look at arguments alone and speak in previews too; *apply* rules look at the cloud and speak when a\n" +
		"resource is made or changed; *delete* rules when it is deleted. A reference that *holds* keeps what it names from\n" +
		"being deleted. Beside these, every argument is checked against the SDK's type.\n")
	for _, p := range providers {
		for _, r := range p.Resources {
			fmt.Fprintf(&b, "\n## %s\n\n", r.Token)
			resourcePage(&b, r)
		}
		if len(p.Functions) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## Functions of %s\n\n", p.Name)
		for _, f := range p.Functions {
			fmt.Fprintf(&b, "- `%s`\n", f.Token)
		}
	}
	quotasPage(&b)
	timesPage(&b)
	return b.String()
}

func quotasPage(b *strings.Builder) {
	b.WriteString("\n## Quotas\n\nThe keys are those of `sim.Options.Quotas`. A limit above AWS's default is an assumption: that of an account that trains.\n\n" +
		"| key | AWS's name | code | limit | AWS's default | source |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, q := range sim.Quotas() {
		fmt.Fprintf(b, "| `%s` | %s | %s | %d | %d | %s |\n", q.Key, q.Name, q.Code, q.Limit, q.Default, q.Source)
	}
}

func timesPage(b *strings.Builder) {
	b.WriteString("\n## Times\n\nWhat operations take at the pace `real`; see `sim/pace`. *Assumed* figures have no public source.\n\n" +
		"| resource type | create | update | delete | source of the creation |\n| --- | --- | --- | --- | --- |\n")
	times := pace.Times()
	for _, token := range slices.Sorted(maps.Keys(times)) {
		x := times[token]
		source := x.Source
		if x.Assumed {
			source = "*assumed*: " + source
		}
		fmt.Fprintf(b, "| `%s` | %v | %v | %v | %s |\n", token, x.Create, x.Update, x.Delete, source)
	}
}

func resourcePage(b *strings.Builder, r *engine.Resource) {
	for _, ref := range r.Refs {
		holds := ""
		if ref.Holds {
			holds = ", and holds it"
		}
		fmt.Fprintf(b, "- `%s` names a `%s` that exists (%s)%s\n", ref.Path, ref.To, ref.Code, holds)
	}
	for _, name := range r.Required {
		fmt.Fprintf(b, "- `%s` has at least one element\n", name)
	}
	for _, when := range []struct {
		word  string
		rules []engine.Rule
	}{{"preview", r.Plan}, {"apply", r.Apply}, {"delete", r.Keep}} {
		for _, rule := range when.rules {
			fmt.Fprintf(b, "- *%s*, **%s**: %s. Source: %s.\n", when.word, rule.Name, rule.Says, rule.Source)
		}
	}
	if replaces := slices.Clone(r.Replace); len(replaces) > 0 {
		fmt.Fprintf(b, "- replaced when one of these changes: `%s`\n", strings.Join(replaces, "`, `"))
	}
}
