package stacks

import (
	"maps"
	"strconv"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

// HostProfile is what a node profile wants of the system of a host. A built-in profile that it stands on is the whole
// one of package nodeprep, housekeeping included, and what the blueprint says lies on top. Settings of kubelet are not
// in it: they reach a node with its configuration. Without a profile a host is kept as little as possible.
func HostProfile(p *blueprint.NodeProfile) profile.Profile {
	if p == nil {
		minimal, _ := profile.BuiltIn(profile.Minimal)
		return minimal
	}
	resolved := p.Resolved()
	base, _ := profile.BuiltIn(resolved.BuiltIn)
	return base.Extend(p.Name.Value, systemKeys(resolved))
}

// systemKeys are the settings of the operating system, by the keys of package nodeprep.
func systemKeys(p blueprint.Profile) map[string]string {
	keys := map[string]string{"thp.enabled": p.THP, "nvidia.driver": p.NVIDIADriver}
	for size, pages := range p.Hugepages {
		keys["hugepages."+size] = strconv.Itoa(pages)
	}
	for _, group := range []struct {
		prefix string
		values map[string]string
	}{{"sysctl.", p.Sysctl}, {"limits.", p.Limits}, {"nccl.", p.NCCL}} {
		for name, value := range group.values {
			keys[group.prefix+name] = value
		}
	}
	if p.RoCE != nil {
		keys["roce.priority"] = strconv.Itoa(p.RoCE.Priority)
		keys["roce.traffic_class"] = strconv.Itoa(p.RoCE.TrafficClass)
	}
	for key, value := range keys {
		if value == "" {
			delete(keys, key) // what the blueprint leaves out takes nothing away
		}
	}
	maps.Copy(keys, p.Settings) // of which an empty one does
	return keys
}
