package nodeprep

import (
	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// containerd installs the container runtime before anything that configures it.
func containerd() item {
	return item{
		Key: "containerd", Title: "containerd",
		Keys: []key{{Name: "containerd", Legal: oneOf("on")}},
		Host: true, Slow: true,
		Needs: []string{"upgrades", "limits"},
		Assess: func(_ want, h *facts.Host) []Setting {
			if unit := embeddedContainerd(h); unit != "" {
				return []Setting{blocked(Setting{Name: "containerd", Wanted: "active"}, unit+" brings a containerd of its own")}
			}
			u := h.Units["containerd.service"]
			s := Setting{Name: "containerd", Live: u.Active, Wanted: "active"}
			if u.File == "enabled" {
				s.OnDisk = "active"
			}
			return []Setting{judged(s)}
		},
		Steps: func(want) []script.Step { return []script.Step{script.Call("np_containerd")} },
	}
}
