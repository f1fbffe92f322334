package blueprint

import (
	"maps"

	"github.com/hashicorp/hcl/v2"
)

// NodeProfile tunes the system of a pool's nodes. It extends a built-in profile or another one, key by key; a map is
// merged key by key as well.
type NodeProfile struct {
	// Name is the block's label.
	Name Value[string]
	// Extends names the profile underneath: another node_profile of that name, or else a built-in one.
	Extends Value[string] `bp:"extends" doc:"Profile that this one extends: built in (training, gaudi-training, data-loading, inference, minimal) or another node_profile."`
	// TransparentHugepages is the kernel's switch.
	TransparentHugepages Value[string] `bp:"transparent_hugepages" legal:"always madvise never" doc:"Kernel switch for transparent huge pages."`
	// Hugepages reserves pages by size.
	Hugepages   map[string]int `bp:"hugepages" min:"0" doc:"Reserved huge pages by size: 2Mi and 1Gi."`
	HugepagesAt map[string]hcl.Range
	// CPUManager, TopologyManager and MemoryManager are kubelet policies.
	CPUManager      Value[string] `bp:"cpu_manager" legal:"none static" doc:"Kubelet CPU manager policy."`
	TopologyManager Value[string] `bp:"topology_manager" legal:"none best-effort restricted single-numa-node" doc:"Kubelet topology manager policy."`
	MemoryManager   Value[string] `bp:"memory_manager" legal:"None Static" doc:"Kubelet memory manager policy."`
	// Sysctl are kernel parameters.
	Sysctl   map[string]string `bp:"sysctl" doc:"Kernel parameters by name."`
	SysctlAt map[string]hcl.Range
	// Limits are resource limits of logins and services.
	Limits   map[string]string `bp:"limits" doc:"Resource limits by their name in limits.conf; unlimited is legal."`
	LimitsAt map[string]hcl.Range
	// NVIDIADriver pins the driver's exact version.
	NVIDIADriver Value[string] `bp:"nvidia_driver" doc:"Exact version of the NVIDIA driver, such as 580.95.05."`
	// NCCL are NCCL's parameters, by name in lower case without NCCL_.
	NCCL   map[string]string `bp:"nccl" doc:"NCCL parameters in lower case without NCCL_, such as algo."`
	NCCLAt map[string]hcl.Range
	// RoCE marks RDMA traffic on Ethernet; nil leaves it to the profile underneath.
	RoCE *RoCE `bp:"roce" doc:"How RDMA traffic on Ethernet is marked."`
	// Settings are by the keys of node preparation, such as thp.defrag. An empty one takes a key away.
	Settings   map[string]string `bp:"settings" doc:"What no other attribute says, by its key in docs/nodeprep.md, such as thp.defrag. An empty value takes a key of the profile underneath away."`
	SettingsAt map[string]hcl.Range
	// Range is the block's header; zero for a built-in profile.
	Range hcl.Range

	base  *NodeProfile // what Extends names; nil at the bottom, or where Extends is in error
	cut   string       // why base is nil, if Extends closes a cycle
	depth int          // how many profiles stand on each other, this one included
}

// RoCE says how RDMA traffic on Ethernet is marked, which must match the switches. It has no default.
type RoCE struct {
	TrafficClass Value[int] `bp:"traffic_class,required" min:"0" max:"255" doc:"Traffic class byte: DSCP times 4, plus ECN bits."`
	Priority     Value[int] `bp:"priority,required" min:"0" max:"7" doc:"Lossless priority."`
	Range        hcl.Range
}

// Profile is what a NodeProfile comes to, with all it extends underneath. An empty field leaves the system as it is.
type Profile struct {
	// BuiltIn is the built-in profile that it stands on, or empty.
	BuiltIn string
	// THP is the switch for transparent huge pages.
	THP string
	// Hugepages are reserved pages by size, 2Mi or 1Gi.
	Hugepages map[string]int
	// CPUManager, TopologyManager and MemoryManager are kubelet policies.
	CPUManager, TopologyManager, MemoryManager string
	// Sysctl are kernel parameters, Limits resource limits, NCCL parameters without their prefix.
	Sysctl, Limits, NCCL map[string]string
	// Settings are by the keys of node preparation, an empty one where a key is taken away.
	Settings map[string]string
	// NVIDIADriver is an exact version, or empty for the image's own.
	NVIDIADriver string
	// RoCE is nil where traffic is not marked.
	RoCE *RoCEMarking
}

// RoCEMarking is RoCE with plain values.
type RoCEMarking struct{ TrafficClass, Priority int }

// Resolved returns the profile with all it extends underneath it, key by key.
func (p *NodeProfile) Resolved() Profile {
	var out Profile
	if p.base != nil {
		out = p.base.Resolved()
	}
	if p.Range == (hcl.Range{}) {
		out.BuiltIn = p.Name.Value
	}
	overlay(&out.THP, p.TransparentHugepages)
	overlay(&out.CPUManager, p.CPUManager)
	overlay(&out.TopologyManager, p.TopologyManager)
	overlay(&out.MemoryManager, p.MemoryManager)
	overlay(&out.NVIDIADriver, p.NVIDIADriver)
	out.Hugepages = merged(out.Hugepages, p.Hugepages)
	out.Sysctl = merged(out.Sysctl, p.Sysctl)
	out.Limits = merged(out.Limits, p.Limits)
	out.NCCL = merged(out.NCCL, p.NCCL)
	out.Settings = merged(out.Settings, p.Settings)
	if p.RoCE != nil {
		out.RoCE = &RoCEMarking{p.RoCE.TrafficClass.Value, p.RoCE.Priority.Value}
	}
	return out
}

// overlay takes a value that is given. Built-in profiles have no ranges, so their values count when not empty.
func overlay(target *string, v Value[string]) {
	if v.IsSet() || v.Value != "" {
		*target = v.Value
	}
}

// merged returns a new map of both, the upper one's keys winning.
func merged[V any](under, upper map[string]V) map[string]V {
	out := map[string]V{}
	maps.Copy(out, under)
	maps.Copy(out, upper)
	return out
}

func nodeProfileBlock() blockType {
	return blockType{
		Name: "node_profile", Labels: []string{"name"},
		Doc:   "How the system of a pool's nodes is tuned: huge pages, kubelet policies, kernel parameters, limits, NCCL.",
		model: typeOf[NodeProfile](),
		ref:   "node_profile",
		add: func(b *Blueprint, h header) any {
			p := &NodeProfile{Name: h.name, Range: h.at}
			b.NodeProfiles = append(b.NodeProfiles, p)
			return p
		},
	}
}
