package nodeprep

import (
	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

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
