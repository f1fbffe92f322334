package pack

import (
	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

var requireIMDSv2 = Policy{
	Name: "require-imdsv2", Level: Remediate, Area: Nodes,
	Summary: "Launch templates and instances that allow version 1 of the metadata service are changed to require version 2.",
	Why:     "It is what `imdsv2-required` asks for, and there is one right value.",
	Fix:     "Nothing to do. Set the option yourself to see no remediation, or the level to `disabled` to be refused instead.",
	Tokens:  []string{tokenLaunchTemplate, tokenInstance},
	Remedy: func(r *Resource, c Config) (property.Map, bool) {
		if len(judgeIMDSv2(r, c)) == 0 {
			return property.Map{}, false
		}
		return set(r.Properties, property.New("required"), "metadataOptions", "httpTokens"), true
	},
}

// set returns a copy of properties with a value at a path of names. What stands in the way and is no object is replaced.
func set(m property.Map, v property.Value, path ...string) property.Map {
	if len(path) > 1 {
		child, below := m.Get(path[0]), property.Map{}
		if child.IsMap() {
			below = child.AsMap()
		}
		v = property.New(set(below, v, path[1:]...)).WithSecret(child.Secret())
	}
	return m.Set(path[0], v)
}
