package nodeprep

import (
	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

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
