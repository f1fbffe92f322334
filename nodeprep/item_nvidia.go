package nodeprep

import (
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// nvidiaDriver installs one exact version of NVIDIA's kernel modules, libraries and, where NVSwitches are, fabric
// manager, from the repositories that the host has, and holds them.
//
// A version that a glob resolves has put fabric manager 590 beside driver 580 (gpu-driver-container#735), and an
// upgrade of one of them takes the GPUs away (aws-parallelcluster#3034). With Secure Boot an unsigned module installs
// and never loads (dkms#347). Open modules need Turing or newer. Source: NVIDIA Driver Installation Guide.
func nvidiaDriver() item {
	return item{
		Key: "nvidia_driver", Title: "NVIDIA driver",
		Keys: []key{{Name: "nvidia.driver", Legal: version}},
		Host: true, Slow: true,
		Needs:  []string{"kernel_line", "upgrades"},
		Assess: assessNVIDIA,
		Steps: func(w want) []script.Step {
			return []script.Step{script.Call("np_nouveau_off"), script.Call("np_nvidia", w.get("nvidia.driver"))}
		},
		Files: func(want) []string { return []string{"/etc/modprobe.d/gpuyard-nouveau.conf"} },
	}
}

func assessNVIDIA(w want, h *facts.Host) []Setting {
	wanted := w.get("nvidia.driver")
	if len(h.GPUs()) == 0 {
		return []Setting{notApplicable("nvidia.driver", wanted, "this host has no NVIDIA GPU")}
	}
	module := Setting{Name: "nvidia module", Live: h.NVIDIA.Loaded, OnDisk: h.NVIDIA.OnDisk, Wanted: wanted}
	if why := cannotInstall(h, "nvidia", h.NVIDIA); why != "" {
		return []Setting{blocked(module, why)}
	}
	out := []Setting{nouveau(h), loadedAtBoot(module)}
	out = append(out, coupled(h, "driver packages", wanted, "nvidia-open", "cuda-drivers", "nvidia-driver-", "kmod-nvidia-", "nvidia-dkms-", "nvidia-kernel-"))
	if len(h.NVSwitches()) > 0 {
		out = append(out, coupled(h, "fabric manager", wanted, "nvidia-fabricmanager", "nvidia-fabric-manager"))
	} else {
		out = append(out, notApplicable("fabric manager", wanted, "this host has no NVSwitch, without which it fails to start"))
	}
	return append(out, builtFor(h, "nvidia", wanted)...)
}

// nouveau judges whether the kernel's own driver stays away.
func nouveau(h *facts.Host) Setting {
	s := Setting{Name: "nouveau", Live: "off", OnDisk: unset, Wanted: "off"}
	if h.Module("nouveau") {
		s.Live = "loaded"
	}
	for _, f := range h.Modprobe {
		for _, line := range f.Lines {
			if strings.Join(strings.Fields(line), " ") == "blacklist nouveau" {
				s.OnDisk = "off"
			}
		}
	}
	return judgedAtBoot(s)
}
