package nodeprep

import (
	"fmt"
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

// cannotInstall says what keeps a driver off a host.
func cannotInstall(h *facts.Host, module string, d facts.Driver) string {
	switch {
	case h.GPUOperator && module == "nvidia":
		return "the GPU operator owns the driver on this host: take nvidia.driver out of the profile, or set driver.enabled=false there"
	case h.SecureBoot == facts.SecureBootOn && d.OnDisk == "":
		return "Secure Boot is on, and nobody whose key this host trusts has signed the module: enrol a key, or turn Secure Boot off"
	case h.OS.Family == facts.Unknown:
		return unknownOS(h)
	case len(h.Broken) > 0 && strings.Contains(strings.Join(h.Broken, " "), "must be reinstalled"):
		return "dpkg has packages that must be installed again: " + h.Broken[0]
	case freeMiB(h, "/var") < 4096:
		return fmt.Sprintf("%d MiB are free in /var, and a driver needs 4096", freeMiB(h, "/var"))
	}
	return ""
}

func freeMiB(h *facts.Host, mount string) int64 {
	free := int64(1 << 30) // not known
	for _, s := range h.Space {
		if s.Mount == "/" && free == 1<<30 || s.Mount == mount {
			free = s.FreeKiB / 1024
		}
	}
	return free
}

// loadedAtBoot judges a module: the version that is loaded stays loaded until the next boot.
func loadedAtBoot(s Setting) Setting {
	if s.Live == "" {
		return judged(s)
	}
	return judgedAtBoot(s)
}

// coupled judges packages that must have one upstream version: any of them that is installed counts.
func coupled(h *facts.Host, name, wanted string, prefixes ...string) Setting {
	s := Setting{Name: name, Wanted: wanted}
	for _, prefix := range prefixes {
		for pkg, p := range h.Packages {
			if p.Installed && strings.HasPrefix(pkg, prefix) && s.Live != wanted {
				s.Live = upstream(p.Version)
				if !p.Held {
					s.Reason = pkg + " is not held: an upgrade could move it alone"
				}
			}
		}
	}
	s.OnDisk = s.Live
	s = judged(s)
	if s.Reason != "" && s.Verdict == OK {
		s.Verdict = Change
	}
	return s
}

// upstream takes the epoch and the distribution's part of a version away.
func upstream(full string) string {
	if _, rest, found := strings.Cut(full, ":"); found {
		full = rest
	}
	if i := strings.IndexAny(full, "-+~"); i >= 0 {
		full = full[:i]
	}
	return full
}

// builtFor judges what DKMS has built: the kernel that boots next must have the module, or the GPUs are gone after a
// reboot (compute-gpu-installation#25).
func builtFor(h *facts.Host, module, wanted string) []Setting {
	var mine []facts.DKMSModule
	for _, m := range h.DKMS {
		if m.Module == module || strings.HasPrefix(m.Module, module+"-") {
			mine = append(mine, m)
		}
	}
	if len(mine) == 0 {
		return nil
	}
	next := h.NextKernel()
	s := Setting{Name: "built for " + next, Live: unset, Wanted: wanted}
	for _, m := range mine {
		if m.Kernel == next && m.Status == "installed" {
			s.Live = m.Version
		}
	}
	s.OnDisk = s.Live
	return []Setting{judged(s)}
}

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

// gdrcopy installs and loads the module that copies GPU memory with low latency. insmod alone is lost at a reboot.
func gdrcopy() item {
	const file, content = "/etc/modules-load.d/gpuyard-gdrdrv.conf", "# GDRCopy, kept by gpuyard.\ngdrdrv\n"
	return item{
		Key: "gdrcopy", Title: "GDRCopy",
		Keys:  []key{{Name: "nvidia.gdrcopy", Legal: version}},
		Needs: []string{"nvidia_driver"},
		Host:  true, Slow: true,
		Assess: func(w want, h *facts.Host) []Setting {
			if len(h.GPUs()) == 0 {
				return []Setting{notApplicable("gdrcopy", w.get("nvidia.gdrcopy"), "this host has no NVIDIA GPU")}
			}
			loaded := Setting{Name: "gdrdrv", Live: unset, OnDisk: onDisk(h, file, content, "loaded"), Wanted: "loaded"}
			if h.Module("gdrdrv") {
				loaded.Live = "loaded"
			}
			return []Setting{coupled(h, "gdrdrv-dkms", w.get("nvidia.gdrcopy"), "gdrdrv-dkms", "gdrcopy-kmod"), judged(loaded)}
		},
		Steps: func(w want) []script.Step {
			return []script.Step{
				script.Call("np_where", "0x10de", "0x03", "an NVIDIA GPU", "np_gdrcopy", w.get("nvidia.gdrcopy")),
				script.Call("np_where", "0x10de", "0x03", "an NVIDIA GPU", "np_file", file, "0644", "any", content),
				script.Call("np_where", "0x10de", "0x03", "an NVIDIA GPU", "np_module", "gdrdrv"),
			}
		},
		Files: func(want) []string { return []string{file} },
	}
}

// gpuDirect makes network adapters reach GPU memory: by dma-buf where the open modules and the kernel can, else by
// nvidia-peermem, which needs an ib_core that was patched for it (nv_peer_memory#28).
//
// Source: NVIDIA GPU Operator, "GPUDirect RDMA": dma-buf needs open modules, Linux 5.12 and Turing.
func gpuDirect() item {
	const file, content = "/etc/modules-load.d/gpuyard-peermem.conf", "# GPUDirect RDMA, kept by gpuyard.\nnvidia-peermem\n"
	return item{
		Key: "gpudirect", Title: "GPUDirect RDMA",
		Keys:  []key{{Name: "nvidia.gpudirect", Legal: oneOf("dma-buf", "peermem")}},
		Needs: []string{"nvidia_driver"},
		Host:  true,
		Assess: func(w want, h *facts.Host) []Setting {
			wanted := w.get("nvidia.gpudirect")
			s := Setting{Name: "nvidia.gpudirect", Live: unset, Wanted: wanted}
			switch {
			case len(h.GPUs()) == 0:
				return []Setting{notApplicable(s.Name, wanted, "this host has no NVIDIA GPU")}
			case wanted == "dma-buf" && !h.NVIDIA.Open && h.NVIDIA.Loaded != "":
				return []Setting{blocked(s, "dma-buf needs the open modules, and the proprietary ones are loaded: use peermem")}
			case wanted == "dma-buf" && h.KernelBefore(5, 12):
				return []Setting{blocked(s, "dma-buf needs Linux 5.12, and this is "+h.Kernel.Release+": use peermem")}
			case wanted == "dma-buf":
				s.Live, s.OnDisk = wanted, wanted
			default:
				s.OnDisk = onDisk(h, file, content, wanted)
				if h.Module("nvidia_peermem") {
					s.Live = wanted
				}
			}
			return []Setting{judged(s)}
		},
		Steps: func(w want) []script.Step {
			if w.get("nvidia.gpudirect") != "peermem" {
				return nil
			}
			return []script.Step{
				script.Call("np_where", "0x10de", "0x03", "an NVIDIA GPU", "np_file", file, "0644", "any", content),
				script.Call("np_where", "0x10de", "0x03", "an NVIDIA GPU", "np_module", "nvidia-peermem"),
			}
		},
		Files: func(want) []string { return []string{file} },
	}
}
