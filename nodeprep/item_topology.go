package nodeprep

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// topology reports which adapter is near which GPU, and tells NCCL so where the platform does not: most virtual machines
// show no memory node of a device. It cannot be found out there, so the profile says it, and a hint that names a device
// or a memory node that the host does not have is that of another machine, and is not written.
func topology() item {
	return item{
		Key: "topology", Title: "GPUs and adapters by memory node",
		Keys: []key{{Name: "topology", Legal: oneOf("report")}, {Name: "topology.hint", Legal: legalHint}},
		Assess: func(w want, h *facts.Host) []Setting {
			var out []Setting
			if w.has("topology") {
				out = reportTopology(h)
			}
			if w.has("topology.hint") {
				out = append(out, assessHint(w, h))
			}
			return out
		},
		Steps: func(w want) []script.Step {
			if !w.has("topology.hint") {
				return nil
			}
			var nodes, slots []string
			for _, g := range hint(w) {
				nodes, slots = append(nodes, g.Node), append(slots, g.Slots...)
			}
			return []script.Step{script.Call("np_where", "0x10de", "0x03", "an NVIDIA GPU", "np_topology", topologyFile, topologyLive, hintContent(w),
				topologyTmpfiles, hintTmpfiles, strings.Join(nodes, " "), strings.Join(slots, " "))}
		},
		Files: func(w want) []string {
			if !w.has("topology.hint") {
				return nil
			}
			return []string{topologyFile, topologyLive, topologyTmpfiles}
		},
		Predict: func(w want, _ *facts.Host) map[string]string {
			if !w.has("topology.hint") {
				return nil
			}
			return map[string]string{topologyFile: hintContent(w), topologyLive: hintContent(w), topologyTmpfiles: hintTmpfiles}
		},
	}
}

// reportTopology says of every accelerator and RDMA adapter which memory node it is on.
func reportTopology(h *facts.Host) []Setting {
	var out []Setting
	list := func(kind string, devices []facts.PCIDevice) {
		for _, d := range devices {
			s := Setting{Name: kind + " " + d.Slot, Live: fmt.Sprintf("node %d", d.NUMANode), Wanted: "known", Verdict: OK}
			s.OnDisk = s.Live
			if d.NUMANode < 0 && len(h.Memory.Nodes) > 1 {
				s.Verdict, s.Reason = NotApplicable, "the platform does not say which memory node it is on"
			}
			out = append(out, s)
		}
	}
	list("gpu", h.GPUs())
	list("gaudi", h.Gaudis())
	list("adapter", h.Mellanox())
	list("efa", h.EFAs())
	if len(out) == 0 {
		return []Setting{notApplicable("topology", "known", "this host has neither accelerators nor RDMA adapters")}
	}
	return out
}

// NCCL looks for a description of a virtual machine at topologyLive, unless NCCL_TOPO_FILE names another. That is a
// folder of the running system, so a line of tmpfiles.d puts ours there at boot where the platform has put none.
//
// Source: NCCL, "Environment Variables", NCCL_TOPO_FILE; src/graph/xml.cc, which fills in what the file leaves out.
const (
	topologyFile     = "/etc/gpuyard/nccl-topology.xml"
	topologyLive     = "/run/nvidia-topologyd/virtualTopology.xml"
	topologyTmpfiles = "/etc/tmpfiles.d/gpuyard-nccl-topology.conf"
	hintTmpfiles     = "# Which GPU is near which adapter, for NCCL, kept by gpuyard.\nC " + topologyLive + " 0644 - - - " + topologyFile + "\n"
	// hintMark tells ours from the platform's.
	hintMark = `name="gpuyard"`
)

// group is devices behind one switch, on one memory node.
type group struct {
	Node  string
	Slots []string
}

var hintGroup = regexp.MustCompile(`^([0-9]{1,3})=([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7](?:,[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])*)$`)

// legalHint takes groups of devices, each with its memory node.
func legalHint(value string) string {
	const legal = "legal: groups of what is behind one switch, each as NODE=ADDRESS,ADDRESS, such as 0=0001:00:00.0,0101:00:00.0 1=0002:00:00.0,0102:00:00.0"
	seen := map[string]bool{}
	for _, text := range strings.Fields(value) {
		m := hintGroup.FindStringSubmatch(text)
		if m == nil {
			return legal
		}
		for slot := range strings.SplitSeq(m[2], ",") {
			if seen[slot] {
				return slot + " is there twice"
			}
			seen[slot] = true
		}
	}
	if len(seen) == 0 {
		return legal
	}
	return ""
}

// hint is the groups of a profile, by memory node.
func hint(w want) []group {
	var out []group
	for _, text := range strings.Fields(w.get("topology.hint")) {
		node, slots, _ := strings.Cut(text, "=")
		out = append(out, group{node, strings.Split(slots, ",")})
	}
	slices.SortStableFunc(out, func(a, b group) int { return cmp.Compare(atoi(a.Node), atoi(b.Node)) })
	return out
}

// hintContent is the hint as NCCL reads it. The speed is that of a switch's way to its processor, which is not known:
// between a GPU and an adapter behind one switch it does not count.
func hintContent(w want) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<system version=\"1\" %s>\n", hintMark)
	node := ""
	for n, g := range hint(w) {
		if g.Node != node {
			if node != "" {
				b.WriteString("  </cpu>\n")
			}
			fmt.Fprintf(&b, "  <cpu numaid=\"%s\">\n", g.Node)
			node = g.Node
		}
		fmt.Fprintf(&b, "    <pci busid=\"ffff:ff:%02x.0\" class=\"0x060400\" link_speed=\"16 GT/s\" link_width=\"16\">\n", n+1)
		for _, slot := range g.Slots {
			fmt.Fprintf(&b, "      <pci busid=\"%s\"/>\n", slot)
		}
		b.WriteString("    </pci>\n")
	}
	b.WriteString("  </cpu>\n</system>\n")
	return b.String()
}

// assessHint judges the hint: whether the host needs one, whether it is its own, and whether it is there.
func assessHint(w want, h *facts.Host) Setting {
	s := Setting{Name: "NCCL topology hint", Wanted: "present"}
	if len(h.GPUs()) == 0 {
		return notApplicable(s.Name, s.Wanted, "this host has no NVIDIA GPU")
	}
	silent := false
	for _, g := range hint(w) {
		if !slices.ContainsFunc(h.Memory.Nodes, func(n facts.NUMANode) bool { return fmt.Sprint(n.ID) == g.Node }) {
			return blocked(s, "this host has no memory node "+g.Node+": the hint is that of another machine")
		}
		for _, slot := range g.Slots {
			i := slices.IndexFunc(h.PCI, func(d facts.PCIDevice) bool { return d.Slot == slot })
			if i < 0 {
				return blocked(s, slot+" is not on this host: the hint is that of another machine")
			}
			silent = silent || h.PCI[i].NUMANode < 0
		}
	}
	if !silent {
		return notApplicable(s.Name, s.Wanted, "the platform says which memory node each device is on, and NCCL reads that")
	}
	if live, found := h.Files[topologyLive]; found && !strings.Contains(live.Content, hintMark) {
		return notApplicable(s.Name, s.Wanted, "the platform has a description of its own, "+topologyLive)
	}
	s.Live = onDisk(h, topologyLive, hintContent(w), s.Wanted)
	if h.Holds(topologyTmpfiles, hintTmpfiles) {
		s.OnDisk = onDisk(h, topologyFile, hintContent(w), s.Wanted)
	}
	return judged(s)
}
