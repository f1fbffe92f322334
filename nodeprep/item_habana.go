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

const (
	linksUnit    = "/etc/systemd/system/gpuyard-gaudi-links.service"
	linksContent = `# Brings the links between Gaudis up, kept by gpuyard: they are down after a boot and after the driver loads.
[Unit]
Description=Links between Gaudis
After=network-pre.target systemd-modules-load.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c 'for d in /sys/class/net/*/device/driver; do case $$(readlink "$$d") in */habanalabs*) ip link set "$$(echo "$$d" | cut -d / -f 5)" up || exit 1 ;; esac; done'
[Install]
WantedBy=multi-user.target
`
)

// habanaLinks brings the links between Gaudis up, now and at every boot.
//
// Source: HabanaAI/Setup_and_Install, manage_network_ifs.sh, which does it until the next boot.
func habanaLinks() item {
	return item{
		Key: "habana_links", Title: "Links between Gaudis",
		Keys:  []key{{Name: "habana.links", Legal: oneOf("up")}},
		Needs: []string{"habana_driver"},
		Host:  true,
		Assess: func(_ want, h *facts.Host) []Setting {
			if len(h.Gaudis()) == 0 {
				return []Setting{notApplicable("habana.links", "up", "this host has no Gaudi")}
			}
			disk := onDisk(h, linksUnit, linksContent, "up")
			var out []Setting
			for _, n := range h.Net {
				if n.Driver == "habanalabs" || n.Driver == "habanalabs_en" {
					s := Setting{Name: n.Name, Live: "down", OnDisk: disk, Wanted: "up"}
					if n.Up {
						s.Live = "up"
					}
					out = append(out, judged(s))
				}
			}
			if len(out) == 0 {
				unit := ownedFile(h, linksUnit, linksContent)
				unit.Reason = "the driver has made no interfaces yet"
				return []Setting{unit}
			}
			return out
		},
		Steps: func(want) []script.Step {
			return []script.Step{script.Call("np_where", "0x1da3", "", "a Gaudi", "np_links_up", linksContent)}
		},
		Files: func(want) []string { return []string{linksUnit} },
	}
}

// habanaEnvironment keeps what Gaudi jobs have in their environment, for a job to read; no global file: libfabric's EFA
// provider must not see it.
//
// Source: Intel Gaudi documentation, "Scale-Out via Host NIC"; OFI, efa-env-var.md, for the contrary.
func habanaEnvironment() item {
	const file, content = "/etc/gpuyard/gaudi.env", "# Environment of Gaudi jobs over host network interfaces, kept by gpuyard.\nRDMAV_FORK_SAFE=1\nFI_EFA_USE_DEVICE_RDMA=1\n"
	return item{
		Key: "habana_environment", Title: "Environment of Gaudi jobs",
		Keys: []key{{Name: "habana.environment", Legal: oneOf("on")}},
		Assess: func(_ want, h *facts.Host) []Setting {
			if len(h.Gaudis()) == 0 {
				return []Setting{notApplicable(file, "present", "this host has no Gaudi")}
			}
			return []Setting{ownedFile(h, file, content)}
		},
		Steps: func(want) []script.Step {
			return []script.Step{script.Call("np_where", "0x1da3", "", "a Gaudi", "np_file", file, "0644", "any", content)}
		},
		Files: func(want) []string { return []string{file} },
	}
}
