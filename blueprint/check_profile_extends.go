package blueprint

import (
	"fmt"
	"slices"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// deepestProfile bounds how many profiles may stand on each other: more of them hide where a value comes from.
const deepestProfile = 8

// checkProfileExtends refuses a profile that extends nothing known, or itself.
func checkProfileExtends(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	names := profileNames(b)
	exists := map[string]bool{}
	for _, name := range names {
		exists[name] = true
	}
	misses := 0
	for _, p := range b.NodeProfiles {
		if !p.Extends.IsSet() {
			continue
		}
		switch {
		case !exists[p.Extends.Value] || p.base == nil && p.cut == "" && p.Extends.Value == p.Name.Value:
			hint := ""
			if misses++; misses < 100 { // each costs a look at every profile
				others := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == p.Name.Value })
				hint = fmt.Sprintf("%s Legal: %s.", didYouMean("", catalog.Near(p.Extends.Value, others)), list(others))
			}
			diags = append(diags, errorf(p.Extends.Range, "Unknown profile", "There is no profile %q to extend.%s", p.Extends.String(), hint))
		case p.cut != "":
			diags = append(diags, errorf(p.Extends.Range, "Profiles in a cycle", "%s.", p.cut))
		case p.depth > deepestProfile:
			diags = append(diags, errorf(p.Extends.Range, "Profiles nested too deeply", "%d profiles stand on each other here, and %d may.", p.depth, deepestProfile))
		}
	}
	return diags
}

// profileNames lists the built-in profiles and the declared ones, each once.
func profileNames(b *Blueprint) []string {
	var names []string
	for _, p := range builtinProfiles() {
		names = append(names, p.Name.Value)
	}
	for _, p := range b.NodeProfiles {
		names = append(names, p.Name.Value)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
