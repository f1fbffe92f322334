package stacks

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/gpuyard/gpuyard/blueprint"
)

// profileItem is one setting of a node profile, as the blueprint names it.
type profileItem struct {
	name, value string
	// kubelet says that the setting is the kubelet's, and reaches the node with its node configuration. Every other
	// setting is the operating system's.
	kubelet bool
}

// profileItems lists what a profile sets, in a fixed order.
func profileItems(p blueprint.Profile) []profileItem {
	var items []profileItem
	add := func(name, value string, kubelet bool) {
		if value != "" {
			items = append(items, profileItem{name, value, kubelet})
		}
	}
	add("cpu_manager", p.CPUManager, true)
	add("topology_manager", p.TopologyManager, true)
	add("memory_manager", p.MemoryManager, true)
	add("transparent_hugepages", p.THP, false)
	add("nvidia_driver", p.NVIDIADriver, false)
	for _, size := range slices.Sorted(maps.Keys(p.Hugepages)) {
		add("hugepages."+size, strconv.Itoa(p.Hugepages[size]), false)
	}
	for _, group := range []struct {
		name   string
		values map[string]string
	}{{"sysctl", p.Sysctl}, {"limits", p.Limits}, {"nccl", p.NCCL}} {
		for _, key := range slices.Sorted(maps.Keys(group.values)) {
			add(group.name+"."+key, group.values[key], false)
		}
	}
	if p.RoCE != nil {
		add("roce", fmt.Sprintf("traffic class %d, priority %d", p.RoCE.TrafficClass, p.RoCE.Priority), false)
	}
	return items
}

// warnUnapplied names the settings of a pool's profile that no component applies yet: those of the operating system.
// They are named every time, since a node that silently lacks them trains slowly and nobody knows why.
func warnUnapplied(pool *blueprint.NodePool, items []profileItem) hcl.Diagnostics {
	var names []string
	for _, item := range items {
		name, _, _ := strings.Cut(item.name, ".")
		if !item.kubelet && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return hcl.Diagnostics{{
		Severity: hcl.DiagWarning,
		Summary:  "Profile is applied in part",
		Detail: fmt.Sprintf("This version of gpuyard applies what a profile says of the kubelet. The nodes of %s keep the image's own %s.",
			pool.Name.Value, strings.Join(names, ", ")),
		Subject: pool.Range.Ptr(),
	}}
}
