package stacks

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

// profileItem is one setting of a node profile, as the blueprint names it.
type profileItem struct {
	name, value string
	// note says where the setting is not what one would think; empty for most.
	note string
}

// profileItems lists what a profile sets on the nodes of a pool, in a fixed order.
func profileItems(pool *blueprint.NodePool) []profileItem {
	p := pool.Profile.Resolved()
	var items []profileItem
	add := func(name, value, note string) {
		if value != "" {
			items = append(items, profileItem{name, value, note})
		}
	}
	add("cpu_manager", p.CPUManager, "")
	add("topology_manager", p.TopologyManager, "")
	add("memory_manager", p.MemoryManager, "")
	add("transparent_hugepages", p.THP, "")
	add("nvidia_driver", p.NVIDIADriver, onHosts(pool, "the image brings its driver"))
	for _, size := range sortedKeys(p.Hugepages) {
		add("hugepages."+size, strconv.Itoa(p.Hugepages[size]), "")
	}
	for _, group := range []struct {
		name, note string
		values     map[string]string
	}{{"sysctl", "", p.Sysctl}, {"limits", "", p.Limits}, {"nccl", "in /etc/nccl.conf of the node, which containers see where it is mounted", p.NCCL}} {
		for _, key := range sortedKeys(group.values) {
			add(group.name+"."+key, group.values[key], group.note)
		}
	}
	if p.RoCE != nil {
		add("roce", fmt.Sprintf("traffic class %d, priority %d", p.RoCE.TrafficClass, p.RoCE.Priority), onHosts(pool, "EC2 has no RoCE"))
	}
	for _, key := range sortedKeys(p.Settings) {
		note := ""
		if !isBootKey(key) {
			note = onHosts(pool, "it is for hosts")
		}
		add(key, p.Settings[key], note)
	}
	return append(items, builtInItems(pool, p)...)
}

// builtInItems are settings that the built-in profile underneath has on every kind of host, beyond what blueprints name.
func builtInItems(pool *blueprint.NodePool, p blueprint.Profile) []profileItem {
	if pool.OS.Value == "bottlerocket" {
		return nil
	}
	base, _ := profile.BuiltIn(p.BuiltIn)
	if pool.Hosts == nil {
		base = atBoot(base)
	}
	said := systemKeys(p)
	var items []profileItem
	for _, key := range base.Keys() {
		if _, known := said[key]; !known {
			items = append(items, profileItem{key, base.Values[key], "from the built-in profile " + p.BuiltIn})
		}
	}
	return items
}

// onHosts notes that a setting is for hosts alone, on a pool that has none.
func onHosts(pool *blueprint.NodePool, why string) string {
	if pool.Hosts != nil {
		return ""
	}
	return "not applied: " + why
}

func hasNVIDIA(t *catalog.InstanceType) bool {
	return t.Accelerator != nil && t.Accelerator.Maker == catalog.MakerNVIDIA
}

// sortedKeys are the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
