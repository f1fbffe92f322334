package pack_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/gpuyard/gpuyard/policy/internal/fixture"
	"github.com/gpuyard/gpuyard/policy/pack"
)

const pages = "../../docs/policies"

// between replaces what stands between two markers of a page.
func between(t *testing.T, page, what, text string) string {
	t.Helper()
	begin, end := "<!-- "+what+" -->", "<!-- end of "+what+" -->"
	head, rest, ok := strings.Cut(page, begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("README.md has no place for %s", what)
	}
	return head + begin + "\n\n" + text + "\n" + end + tail
}

func checkPage(t *testing.T, name, want string) {
	t.Helper()
	path := filepath.Join(pages, name)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the policies and fixtures say: run go test ./policy/pack -update", path)
	}
}

// index is a table of all policies by area.
func index() string {
	var b strings.Builder
	var area pack.Area
	for _, p := range pack.Policies() {
		if p.Area != area {
			area = p.Area
			fmt.Fprintf(&b, "%s### %s%s\n\n| policy | level | rule |\n| --- | --- | --- |\n", map[bool]string{true: "", false: "\n"}[b.Len() == 0],
				strings.ToUpper(string(area[:1])), area[1:])
		}
		fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s |\n", p.Name, p.Name, p.Level, p.Summary)
	}
	return b.String()
}

// page writes the page of a policy.
func page(t *testing.T, p *pack.Policy) string {
	t.Helper()
	all := fixturesOf(t, p)
	i := slices.IndexFunc(all, func(f *fixture.Fixture) bool { return f.Name() == "fail" })
	if i < 0 {
		t.Fatalf("%s has no fixture called fail.yaml", p.Name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\nLevel: %s. Judges: %s.\n", p.Name, p.Summary, p.Level, judges(p))
	fmt.Fprintf(&b, "\n## Example\n\n%s", example(t, p, all[i]))
	fmt.Fprintf(&b, "\n## Why\n\n%s\n\n## How to fix\n\n%s\n\n## Configuration\n\n%s", p.Why, p.Fix, configuration(p))
	return b.String()
}

func judges(p *pack.Policy) string {
	switch {
	case p.Stack != nil:
		return "all resources of the stack together, at the end of a preview and of an update"
	case len(p.Tokens) == 0:
		return "every resource"
	}
	var tokens []string
	for _, token := range slices.Sorted(slices.Values(p.Tokens)) {
		tokens = append(tokens, "`"+token+"`")
	}
	return strings.Join(tokens, ", ")
}

// example shows the resources of a fixture, shortened, and what the engine prints about them.
func example(t *testing.T, p *pack.Policy, f *fixture.Fixture) string {
	t.Helper()
	var file struct {
		Config    yaml.Node `yaml:"config"`
		Resources yaml.Node `yaml:"resources"`
	}
	if err := yaml.Unmarshal(f.Source, &file); err != nil {
		t.Fatal(err)
	}
	for _, r := range file.Resources.Content {
		shorten(r)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "```yaml\n%s```\n\n", encoded(t, &file.Resources))
	if !file.Config.IsZero() {
		name := p.Name
		if p.SettingsOf != "" {
			name = p.SettingsOf
		}
		fmt.Fprintf(&b, "With the configuration of `%s`\n\n```yaml\n%s```\n\n", name, encoded(t, &file.Config))
	}
	b.WriteString("the engine says:\n\n```\n")
	for _, r := range f.Resources {
		if _, changed := f.Becomes[r.Name]; changed {
			fmt.Fprintf(&b, "[remediate]  %s  (%s: %s)\n", p.Name, short(r.Type), r.Name)
		}
	}
	for _, w := range f.Want {
		subject := "pulumi:pulumi:Stack: example"
		for _, r := range f.Resources {
			if r.Name == w.At {
				subject = short(r.Type) + ": " + r.Name
			}
		}
		fmt.Fprintf(&b, "[%s]  %s  (%s)\n%s\n%s\n", p.Level, p.Name, subject, p.Summary, w.Says)
	}
	b.WriteString("```\n")
	return b.String()
}

// short is a type as the engine prints it: aws:ec2:LaunchTemplate.
func short(token string) string {
	parts := strings.Split(token, ":")
	if len(parts) == 3 {
		parts[1], _, _ = strings.Cut(parts[1], "/")
	}
	return strings.Join(parts, ":")
}

// shorten cuts long texts, such as user data.
func shorten(node *yaml.Node) {
	if len(node.Value) > 110 && node.Kind == yaml.ScalarNode {
		node.Value = node.Value[:100] + "…"
	}
	for _, child := range node.Content {
		shorten(child)
	}
}

func encoded(t *testing.T, node *yaml.Node) string {
	t.Helper()
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := encoder.Encode(node); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func configuration(p *pack.Policy) string {
	var b strings.Builder
	levels := "`advisory`, `mandatory` or `disabled`"
	if p.Remedy != nil {
		levels = "`remediate` or `disabled`"
	}
	fmt.Fprintf(&b, "`enforcementLevel`: %s. Left out: `%s`.\n", levels, p.Level)
	if p.SettingsOf != "" {
		fmt.Fprintf(&b, "\nIt reads the settings of [%s](%s.md), since the engine gives none to policies about the stack.\n", p.SettingsOf, p.SettingsOf)
	}
	if len(p.Settings) == 0 {
		return b.String()
	}
	b.WriteString("\n| setting | kind | default | what it does |\n| --- | --- | --- | --- |\n")
	for _, s := range p.Settings {
		def := "unset"
		if texts, ok := s.Default.([]string); ok {
			def = "`" + strings.Join(texts, "`, `") + "`"
		} else if s.Default != nil {
			def = fmt.Sprintf("`%v`", s.Default)
		}
		doc := s.Doc
		if len(s.Legal) > 0 {
			doc += " Possible: `" + strings.Join(s.Legal, "`, `") + "`."
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", s.Name, s.Kind, def, doc)
	}
	return b.String()
}
