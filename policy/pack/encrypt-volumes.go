package pack

import (
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

var encryptVolumes = Policy{
	Name: "encrypt-volumes", Level: Remediate, Area: Storage,
	Summary: "Encryption is switched on where it is left out.",
	Why:     "It costs nothing, and cannot be added later. A flag that says false is left alone, for `volume-encrypted` to refuse.",
	Fix:     "Nothing to do. Set the flag yourself to see no remediation.",
	Tokens:  slices.Concat(slices.Sorted(maps.Keys(encryptedBy)), []string{tokenLaunchTemplate}),

	Remedy: func(r *Resource, _ Config) (property.Map, bool) {
		if r.Type == tokenLaunchTemplate {
			return encryptMappings(r)
		}
		if name := encryptedBy[r.Type]; r.Get(name).Absent() {
			return r.Properties.Set(name, property.New(true)), true
		}
		return property.Map{}, false
	},
}

// encryptMappings sets the flag in the block device mappings of a launch template, whose flags are strings.
func encryptMappings(r *Resource) (property.Map, bool) {
	mappings := r.Properties.Get("blockDeviceMappings")
	if !mappings.IsArray() {
		return property.Map{}, false
	}
	list := mappings.AsArray().AsSlice()
	changed := false
	for i, m := range list {
		if !m.IsMap() || !m.AsMap().Get("ebs").IsMap() || !read(m, false).Get("ebs", "encrypted").Absent() {
			continue
		}
		list[i] = property.New(set(m.AsMap(), property.New("true"), "ebs", "encrypted")).WithSecret(m.Secret())
		changed = true
	}
	return r.Properties.Set("blockDeviceMappings", property.New(list).WithSecret(mappings.Secret())), changed
}
