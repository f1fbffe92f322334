package blueprint

import (
	"slices"
	"strings"

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
			var near []string
			if misses++; misses < 100 {
				near = catalog.Near(p.Extends.Value, without(names, p.Name.Value))
			}
			diags = append(diags, errorf(p.Extends.Range, "Unknown profile", "There is no profile %q to extend.%s Legal: %s.",
				p.Extends.String(), didYouMean("", near), list(without(names, p.Name.Value))))
		case p.cut != "":
			diags = append(diags, errorf(p.Extends.Range, "Profiles in a cycle", "%s.", p.cut))
		case p.depth > deepestProfile:
			diags = append(diags, errorf(p.Extends.Range, "Profiles nested too deeply", "%d profiles stand on each other here, and %d may.", p.depth, deepestProfile))
		}
	}
	return diags
}

// without leaves a name out.
func without(names []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })
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

// linkProfiles resolves what each profile extends, and cuts chains that do not end or are too long, so that Resolved
// ends. checkProfileExtends reports them, by cut and depth.
func linkProfiles(profiles []*NodeProfile) {
	declared, builtin := map[string]*NodeProfile{}, map[string]*NodeProfile{}
	for _, p := range builtinProfiles() {
		builtin[p.Name.Value] = p
	}
	for _, p := range profiles {
		declared[p.Name.Value] = p
	}
	for _, p := range profiles {
		// A profile named like a built-in one may extend it.
		if under := declared[p.Extends.Value]; under != nil && under != p {
			p.base = under
		} else {
			p.base = builtin[p.Extends.Value]
		}
	}
	for _, start := range profiles {
		var path []*NodeProfile
		at := map[*NodeProfile]int{}
		p := start
		for p != nil && p.depth == 0 && len(at) == len(path) {
			at[p] = len(path)
			path = append(path, p)
			if p = p.base; p == nil {
				break
			}
			if first, again := at[p]; again {
				last := path[len(path)-1]
				last.cut, last.base = describeCycle(path[first:]), nil
				break
			}
		}
		for i := len(path) - 1; i >= 0; i-- {
			path[i].depth = 1
			if under := path[i].base; under != nil {
				path[i].depth = under.depth + 1
			}
			if path[i].depth > deepestProfile {
				path[i].base = nil
			}
		}
	}
}

// describeCycle words a chain of profiles that ends where it began.
func describeCycle(chain []*NodeProfile) string {
	last := chain[len(chain)-1]
	names := []string{last.Name.Value}
	for _, p := range chain {
		if len(names) > 8 {
			names = append(names, "…", last.Name.Value)
			break
		}
		names = append(names, p.Name.Value)
	}
	return last.Name.Value + " extends itself: " + strings.Join(names, " → ")
}
