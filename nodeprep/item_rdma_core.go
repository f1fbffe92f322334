package nodeprep

import (
	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// rdmaCore installs the distribution's verbs: the library that applications open RDMA devices with, and the rules that
// name them. EFA's installer and NVIDIA's network driver bring their own, which must not be mixed with it.
//
// Source: linux-rdma/rdma-core, README; EC2 User Guide, "Get started with EFA".
func rdmaCore() item {
	return item{
		Key: "rdma_core", Title: "RDMA libraries",
		Keys:  []key{{Name: "rdma.core", Legal: oneOf("on")}},
		Needs: []string{"kernel_modules"},
		Host:  true, Slow: true,
		Assess: func(_ want, h *facts.Host) []Setting {
			s := Setting{Name: "rdma-core", Live: unset, Wanted: "installed"}
			switch {
			case len(h.EFAs()) > 0:
				return []Setting{notApplicable(s.Name, s.Wanted, "EFA's installer brings libraries of its own (efa.installer)")}
			case h.Units["openibd.service"].Exists():
				return []Setting{notApplicable(s.Name, s.Wanted, "NVIDIA's network driver brings libraries of its own")}
			case len(h.Mellanox()) == 0 && len(h.Gaudis()) == 0:
				return []Setting{notApplicable(s.Name, s.Wanted, "this host has no RDMA adapter")}
			case h.OS.Family == facts.Unknown:
				return []Setting{blocked(s, unknownOS(h))}
			}
			if h.Packages["rdma-core"].Installed {
				s.Live = s.Wanted
			}
			s.OnDisk = s.Live
			return []Setting{judged(s)}
		},
		Steps: func(want) []script.Step { return []script.Step{script.Call("np_rdma_core")} },
	}
}
