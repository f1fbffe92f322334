package nodeprep

import (
	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// containerToolkit installs NVIDIA's container toolkit and makes it known to containerd.
func containerToolkit() item {
	return item{
		Key: "container_toolkit", Title: "NVIDIA container toolkit",
		Keys:  []key{{Name: "nvidia.container_toolkit", Legal: version}},
		Needs: []string{"nvidia_driver", "containerd"},
		Host:  true, Slow: true,
		Assess: func(w want, h *facts.Host) []Setting {
			wanted := w.get("nvidia.container_toolkit")
			if len(h.GPUs()) == 0 {
				return []Setting{notApplicable("nvidia-container-toolkit", wanted, "this host has no NVIDIA GPU")}
			}
			if unit := embeddedContainerd(h); unit != "" {
				return []Setting{notApplicable("nvidia-container-toolkit", wanted, unit+" brings a containerd of its own, which finds the toolkit by itself")}
			}
			return []Setting{coupled(h, "nvidia-container-toolkit", wanted, "nvidia-container-toolkit")}
		},
		Steps: func(w want) []script.Step {
			return []script.Step{script.Call("np_where", "0x10de", "0x03", "an NVIDIA GPU", "np_container_toolkit", w.get("nvidia.container_toolkit"))}
		},
	}
}
