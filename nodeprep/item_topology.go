package nodeprep

import (
	"fmt"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// topology reports which adapter is near which GPU. It changes nothing: NCCL reads the same from the kernel, and a
// topology file of another machine would be worse than none.
func topology() item {
	return item{
		Key: "topology", Title: "GPUs and adapters by memory node",
		Keys: []key{{Name: "topology", Legal: oneOf("report")}},
		Assess: func(_ want, h *facts.Host) []Setting {
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
		},
		Steps: func(want) []script.Step { return nil },
	}
}
