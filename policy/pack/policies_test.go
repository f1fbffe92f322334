package pack_test

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/gpuyard/gpuyard/policy/internal/fixture"
	"github.com/gpuyard/gpuyard/policy/pack"
)

var update = flag.Bool("update", false, "rewrite what fixtures expect, and the pages under docs/policies")

// fixturesOf reads the fixtures of a policy.
func fixturesOf(t testing.TB, p *pack.Policy) []*fixture.Fixture {
	t.Helper()
	all, err := fixture.Of("testdata", p)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestFixtures judges every fixture of every policy. A file below testdata/POLICY is a case.
func TestFixtures(t *testing.T) {
	if !*update { // the pages are made of the fixtures
		t.Parallel()
	}
	for _, p := range pack.Policies() {
		t.Run(p.Name, func(t *testing.T) {
			if !*update {
				t.Parallel()
			}
			seen := map[string]bool{}
			for _, f := range fixturesOf(t, p) {
				seen[f.Kind()] = true
				t.Run(f.Name(), func(t *testing.T) {
					if !*update {
						t.Parallel()
					}
					if p.Remedy != nil {
						checkRemedy(t, f)
						return
					}
					got := f.Judge()
					if *update {
						if err := f.Rewrite(got); err != nil {
							t.Fatal(err)
						}
						f.Want = got
					}
					if !slices.Equal(got, f.Want) {
						t.Errorf("says\n%q\nand should say\n%q", got, f.Want)
					}
					checkKind(t, f, len(got))
					checkSecrets(t, f, got)
				})
			}
			for _, kind := range fixture.Kinds() {
				if !seen[kind] {
					t.Errorf("testdata/%s has no %s*.yaml", p.Name, kind)
				}
			}
		})
	}
}

// TestPages holds the pages of the policies: the example of a page is the policy's fail fixture with what the policy says
// about it, and the rest is in the policy. -update writes them.
func TestPages(t *testing.T) {
	if !*update {
		t.Parallel()
	}
	for _, p := range pack.Policies() {
		checkPage(t, p.Name+".md", page(t, p))
	}
	readme, err := os.ReadFile(filepath.Join(pages, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := between(t, string(readme), "the list", index())
	checkPage(t, "README.md", between(t, text, "the reports", reportTable(t)))
}

// checkKind holds a fixture to what its name says.
func checkKind(t *testing.T, f *fixture.Fixture, findings int) {
	t.Helper()
	switch kind := f.Kind(); {
	case kind == "":
		t.Errorf("the file's name begins with none of %v", fixture.Kinds())
	case kind == "pass" && findings > 0:
		t.Error("a pass fixture has findings")
	case kind == "fail" && findings == 0:
		t.Error("a fail fixture has no finding")
	case kind == "unknown" && findings > 0:
		t.Error("a value that is not known yet is reported")
	case kind == "unknown" && !strings.Contains(string(f.Source), "!unknown"):
		t.Error("nothing in the file is !unknown")
	case kind == "secret" && !strings.Contains(string(f.Source), "!secret"):
		t.Error("nothing in the file is !secret")
	}
}

// checkSecrets looks for secret values in messages. A word that the policy's own source has, such as "efa-only", gives
// nothing away.
func checkSecrets(t *testing.T, f *fixture.Fixture, got []fixture.Finding) {
	t.Helper()
	source, err := os.ReadFile(f.Policy.Name + ".go")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range got {
		for _, secret := range f.Secrets {
			if strings.Contains(e.Says, secret) && !strings.Contains(string(source), secret) {
				t.Errorf("the message shows the secret %q: %s", secret, e.Says)
			}
		}
	}
}

func checkRemedy(t *testing.T, f *fixture.Fixture) {
	t.Helper()
	changed := 0
	for i := range f.Resources {
		r := &f.Resources[i]
		if !f.Policy.Judges(r.Type) {
			continue
		}
		got, ok := f.Policy.Remedy(r, f.Policy.WithDefaults(f.Config))
		want, wanted := f.Becomes[r.Name]
		switch {
		case ok != wanted:
			t.Errorf("%s: changed is %v, want %v", r.Name, ok, wanted)
		case ok && !property.New(got).Equals(property.New(want)):
			t.Errorf("%s becomes\n%#v\nand should become\n%#v", r.Name, got, want)
		}
		if ok {
			changed++
			if again, ok := f.Policy.Remedy(&pack.Resource{Type: r.Type, Name: r.Name, Properties: got}, f.Policy.WithDefaults(f.Config)); ok {
				t.Errorf("%s is changed once more, into %#v", r.Name, again)
			}
		}
	}
	checkKind(t, f, changed)
}

var kebab = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// TestEveryPolicyIsWhole holds the list against the files: policies, fixtures and pages belong together by name.
func TestEveryPolicyIsWhole(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, p := range pack.Policies() {
		if names[p.Name] {
			t.Errorf("two policies are called %s; policyx does not notice", p.Name)
		}
		names[p.Name] = true
		if !kebab.MatchString(p.Name) || p.Name == "all" {
			t.Errorf("%q is no name for a policy", p.Name)
		}
		if _, err := os.Stat(p.Name + ".go"); err != nil {
			t.Errorf("%s is not in a file of its name: %v", p.Name, err)
		}
		judgements := 0
		for _, f := range []any{p.Resource, p.Stack, p.Remedy} {
			if !reflect.ValueOf(f).IsNil() {
				judgements++
			}
		}
		if judgements != 1 {
			t.Errorf("%s has %d judgements", p.Name, judgements)
		}
		if level := p.Level; (level == pack.Remediate) != (p.Remedy != nil) || level != pack.Advisory && level != pack.Mandatory && level != pack.Remediate {
			t.Errorf("%s has the level %q", p.Name, level)
		}
		if p.Summary == "" || p.Why == "" || p.Fix == "" || p.Area == "" || !strings.HasSuffix(p.Summary, ".") {
			t.Errorf("%s does not say what it is for: Summary, Why, Fix and Area are wanted", p.Name)
		}
		if p.Stack != nil && (len(p.Tokens) > 0 || len(p.Settings) > 0) {
			t.Errorf("%s is a stack policy and has tokens or settings, which nobody reads", p.Name)
		}
	}
	for _, p := range pack.Policies() {
		if p.SettingsOf != "" && !slices.ContainsFunc(pack.Policies(), func(o *pack.Policy) bool { return o.Name == p.SettingsOf && len(o.Settings) > 0 }) {
			t.Errorf("%s reads the settings of %s, which has none", p.Name, p.SettingsOf)
		}
	}
	for _, pattern := range []string{"testdata/*", "../../docs/policies/*.md"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			name := strings.TrimSuffix(filepath.Base(path), ".md")
			if !names[name] && name != "README" && name != "misconfigurations" && name != "fuzz" {
				t.Errorf("%s belongs to no policy", path)
			}
		}
	}
}

// TestNoPolicyPanicsOnAnothersFixtures shows every stack to every policy.
func TestNoPolicyPanicsOnAnothersFixtures(t *testing.T) {
	t.Parallel()
	for _, owner := range pack.Policies() {
		for _, f := range fixturesOf(t, owner) {
			stack := pack.NewStack(f.Resources, fixture.Now())
			for _, p := range pack.Policies() {
				judgeAll(p, f.Resources, stack)
			}
		}
	}
}

// judgeAll runs one policy over resources and returns how much it said, so that nothing is optimised away.
func judgeAll(p *pack.Policy, resources []pack.Resource, stack *pack.Stack) int {
	config := p.WithDefaults(nil)
	if p.Stack != nil {
		return len(p.Stack(stack, config))
	}
	said := 0
	for i := range resources {
		switch {
		case !p.Judges(resources[i].Type):
		case p.Remedy != nil:
			if _, ok := p.Remedy(&resources[i], config); ok {
				said++
			}
		default:
			said += len(p.Resource(&resources[i], config))
		}
	}
	return said
}
