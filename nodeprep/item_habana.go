package nodeprep

import (
	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// habanaDriver installs Habana's driver, firmware and verbs in one exact version, with ib_uverbs loaded first:
// habanalabs_ib registers no verbs devices otherwise (ai-lab-recipes#483).
//
// Source: Intel Gaudi documentation, "Driver and Software Installation".
func habanaDriver() item {
	return item{
		Key: "habana_driver", Title: "Habana driver and firmware",
		Keys:  []key{{Name: "habana.driver", Legal: version}},
		Needs: []string{"kernel_line", "upgrades", "kernel_modules"},
		Host:  true, Slow: true,
		Assess: func(w want, h *facts.Host) []Setting {
			wanted := w.get("habana.driver")
			module := Setting{Name: "habanalabs module", Live: upstream(h.Habana.Loaded), OnDisk: upstream(h.Habana.OnDisk), Wanted: wanted}
			if len(h.Gaudis()) == 0 {
				return []Setting{notApplicable(module.Name, wanted, "this host has no Gaudi")}
			}
			if h.OS.Family == facts.Amazon || h.OS.Family == facts.Debian {
				return []Setting{blocked(module, "Habana has no packages for "+h.OS.Name+": Ubuntu 22.04, 24.04 and Red Hat 9 have")}
			}
			if why := cannotInstall(h, "habanalabs", h.Habana); why != "" {
				return []Setting{blocked(module, why)}
			}
			out := []Setting{loadedAtBoot(module)}
			for _, name := range []string{"habanalabs-dkms", "habanalabs-firmware", "habanalabs-rdma-core", "habanalabs-thunk"} {
				out = append(out, coupled(h, name, wanted, name))
			}
			return append(out, builtFor(h, "habanalabs", wanted)...)
		},
		Steps: func(w want) []script.Step { return []script.Step{script.Call("np_habana", w.get("habana.driver"))} },
	}
}
