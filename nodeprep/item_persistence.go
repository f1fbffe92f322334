package nodeprep

import (
	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// persistence keeps the driver's state between jobs, by the daemon: what nvidia-smi sets is lost at the next boot.
func persistence() item {
	const unit = "nvidia-persistenced.service"
	return item{
		Key: "nvidia_persistence", Title: "NVIDIA persistence daemon",
		Keys:  []key{{Name: "nvidia.persistence", Legal: oneOf("on")}},
		Needs: []string{"nvidia_driver"},
		Host:  true,
		Assess: func(_ want, h *facts.Host) []Setting {
			if len(h.GPUs()) == 0 {
				return []Setting{notApplicable(unit, "active", "this host has no NVIDIA GPU")}
			}
			u := h.Units[unit]
			s := Setting{Name: unit, Live: u.Active, OnDisk: unset, Wanted: "active"}
			if u.File == "enabled" || u.File == "static" {
				s.OnDisk = "active"
			}
			return []Setting{judged(s)}
		},
		Steps: func(want) []script.Step {
			return []script.Step{script.Call("np_where", "0x10de", "0x03", "an NVIDIA GPU", "np_unit_on", unit)}
		},
	}
}
