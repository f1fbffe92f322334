package pack_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"gopkg.in/yaml.v3"

	"github.com/gpuyard/gpuyard/policy/pack"
)

var update = flag.Bool("update", false, "rewrite what fixtures expect, and the pages under docs/policies")

// fixture is one file below testdata: resources, and what a policy says about them.
type fixture struct {
	path      string
	source    []byte
	policy    *pack.Policy
	config    pack.Config
	resources []pack.Resource
	want      []expectation
	becomes   map[string]property.Map // what a remediation makes of the resources, by name
	secrets   []string                // the texts that are marked as secret
}

type expectation struct {
	At   string `yaml:"at"`
	Says string `yaml:"says"`
}

// now is when fixtures are judged.
var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// kinds are the cases that every policy has.
var kinds = []string{"pass", "fail", "unknown", "secret", "missing", "wrong-kind"}

// kind is the part of the file's name that says which of the cases it is.
func (f *fixture) kind() string {
	name := strings.TrimSuffix(filepath.Base(f.path), ".yaml")
	i := slices.IndexFunc(kinds, func(k string) bool { return name == k || strings.HasPrefix(name, k+"-") })
	if i < 0 {
		return ""
	}
	return kinds[i]
}

// fixturesOf reads the fixtures of a policy.
func fixturesOf(t testing.TB, p *pack.Policy) []*fixture {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", p.Name, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var all []*fixture
	for _, path := range paths {
		f, err := readFixture(path)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		f.policy = p
		all = append(all, f)
	}
	return all
}

func readFixture(path string) (*fixture, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct {
		Config    map[string]any `yaml:"config"`
		Resources []struct {
			Type string `yaml:"type"`
			Name string `yaml:"name"`
			// Provider is the configuration of the resource's provider.
			Provider yaml.Node           `yaml:"provider"`
			Protect  bool                `yaml:"protect"`
			From     map[string][]string `yaml:"from"`
			Inputs   yaml.Node           `yaml:"inputs"`
		} `yaml:"resources"`
		Want    []expectation        `yaml:"want"`
		Becomes map[string]yaml.Node `yaml:"becomes"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(source))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		return nil, err
	}
	f := &fixture{path: path, source: source, want: file.Want, becomes: map[string]property.Map{}}
	if file.Config != nil {
		f.config = pack.Config(jsonLike(file.Config).(map[string]any))
	}
	urns := map[string]string{}
	for _, r := range file.Resources {
		urns[r.Name] = fmt.Sprintf("urn:pulumi:test::test::%s::%s", r.Type, r.Name)
	}
	for _, r := range file.Resources {
		inputs, err := f.value(&r.Inputs)
		if err != nil {
			return nil, err
		}
		made := pack.Resource{URN: urns[r.Name], Type: r.Type, Name: r.Name, Protect: r.Protect}
		if inputs.IsMap() {
			made.Properties = inputs.AsMap()
		}
		provider, err := f.value(&r.Provider)
		if err != nil {
			return nil, err
		}
		if provider.IsMap() {
			made.Provider = provider.AsMap()
		}
		for prop, names := range r.From {
			if made.PropertyDependencies == nil {
				made.PropertyDependencies = map[string][]string{}
			}
			for _, name := range names {
				if urns[name] == "" {
					return nil, fmt.Errorf("%s comes from %s, which is no resource of the file", prop, name)
				}
				made.PropertyDependencies[prop] = append(made.PropertyDependencies[prop], urns[name])
			}
		}
		f.resources = append(f.resources, made)
	}
	for name, node := range file.Becomes {
		v, err := f.value(&node)
		if err != nil {
			return nil, err
		}
		f.becomes[name] = v.AsMap()
	}
	return f, nil
}

// value makes a property of YAML. The tag !unknown is a value that is not known, and !secret marks one as secret.
func (f *fixture) value(node *yaml.Node) (property.Value, error) {
	switch node.Tag {
	case "!unknown":
		return property.New(property.Computed), nil
	case "!secret":
		plain := *node
		plain.Tag = ""
		if plain.Kind == yaml.ScalarNode && plain.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle) != 0 {
			plain.Tag = "!!str"
		}
		if plain.Kind == yaml.ScalarNode && len(plain.Value) > 3 {
			f.secrets = append(f.secrets, strings.TrimSpace(plain.Value))
		}
		v, err := f.value(&plain)
		return v.WithSecret(true), err
	}
	switch node.Kind {
	case yaml.MappingNode:
		entries := map[string]property.Value{}
		for i := 0; i < len(node.Content); i += 2 {
			v, err := f.value(node.Content[i+1])
			if err != nil {
				return property.Value{}, err
			}
			entries[node.Content[i].Value] = v
		}
		return property.New(entries), nil
	case yaml.SequenceNode:
		list := []property.Value{}
		for _, e := range node.Content {
			v, err := f.value(e)
			if err != nil {
				return property.Value{}, err
			}
			list = append(list, v)
		}
		return property.New(list), nil
	case 0:
		return property.Value{}, nil
	}
	var scalar any
	if err := node.Decode(&scalar); err != nil {
		return property.Value{}, err
	}
	return property.Any(jsonLike(scalar))
}

// jsonLike turns what YAML decodes to into what JSON decodes to: numbers are float64.
func jsonLike(v any) any {
	switch v := v.(type) {
	case int:
		return float64(v)
	case map[string]any:
		for key, e := range v {
			v[key] = jsonLike(e)
		}
	case []any:
		for i, e := range v {
			v[i] = jsonLike(e)
		}
	}
	return v
}

// judge runs the fixture's policy on its resources.
func (f *fixture) judge() []expectation {
	config := f.policy.WithDefaults(f.config)
	var got []expectation
	name := func(urn string) string { return urn[strings.LastIndex(urn, "::")+2:] }
	if f.policy.Stack != nil {
		for _, finding := range f.policy.Stack(pack.NewStack(f.resources, now), config) {
			at := ""
			if finding.URN != "" {
				at = name(finding.URN)
			}
			got = append(got, expectation{At: at, Says: finding.Message})
		}
		return got
	}
	for i := range f.resources {
		r := &f.resources[i]
		if f.policy.Resource == nil || !f.policy.Judges(r.Type) {
			continue
		}
		for _, finding := range f.policy.Resource(r, config) {
			got = append(got, expectation{At: r.Name, Says: finding.Message})
		}
	}
	return got
}

// rewrite puts what the policy says now into the file. The expectations are its last part.
func (f *fixture) rewrite(t *testing.T, got []expectation) {
	t.Helper()
	text := string(f.source)
	if i := strings.Index(text, "\nwant:"); i >= 0 {
		text = text[:i+1]
	}
	if len(got) == 0 {
		text += "want: []\n"
	} else {
		var out bytes.Buffer
		encoder := yaml.NewEncoder(&out)
		encoder.SetIndent(2)
		if err := encoder.Encode(map[string]any{"want": got}); err != nil {
			t.Fatal(err)
		}
		text += out.String()
	}
	if err := os.WriteFile(f.path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
