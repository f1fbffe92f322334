package blueprint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

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
	for _, p := range profiles {
		measure(p)
	}
}

// measure gives a depth to a profile and all it extends.
func measure(start *NodeProfile) {
	var path []*NodeProfile
	at := map[*NodeProfile]int{}
	for p := start; p != nil && p.depth == 0; p = p.base {
		if first, again := at[p]; again {
			last := path[len(path)-1]
			last.cut, last.base = describeCycle(path[first:]), nil
			break
		}
		at[p] = len(path)
		path = append(path, p)
	}
	for _, p := range slices.Backward(path) {
		p.depth = 1
		if p.base != nil {
			p.depth = p.base.depth + 1
		}
		if p.depth > deepestProfile {
			p.base = nil
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

// attributeOf is the attribute that a key of node preparation is written with, or empty where that is settings.
func attributeOf(key string) string {
	group, _, _ := strings.Cut(key, ".")
	attributes := map[string]string{
		"thp.enabled": "transparent_hugepages", "nvidia.driver": "nvidia_driver",
		"hugepages": "hugepages", "sysctl": "sysctl", "limits": "limits", "nccl": "nccl", "roce": "roce",
	}
	return cmp.Or(attributes[key], attributes[group])
}

// At is where the profile, or the nearest one underneath it, gives a key of node preparation, or one as `gpuyard explain`
// names it, such as sysctl.vm.swappiness. It is zero for what a built-in profile gives, and for what none does.
func (p *NodeProfile) At(key string) hcl.Range {
	group, name, _ := strings.Cut(key, ".")
	group = cmp.Or(attributeOf(key), group)
	for ; p != nil; p = p.base {
		if at := p.SettingsAt[key]; at != (hcl.Range{}) {
			return at
		}
		at := map[string]hcl.Range{
			"transparent_hugepages": p.TransparentHugepages.Range, "nvidia_driver": p.NVIDIADriver.Range,
			"hugepages": p.HugepagesAt[name], "sysctl": p.SysctlAt[name], "limits": p.LimitsAt[name], "nccl": p.NCCLAt[name],
		}[group]
		if group == "roce" && p.RoCE != nil {
			at = p.RoCE.Range
		}
		if at != (hcl.Range{}) {
			return at
		}
	}
	return hcl.Range{}
}
