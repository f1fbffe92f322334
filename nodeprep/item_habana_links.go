package nodeprep

import (
	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

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
		Predict: func(_ want, _ *facts.Host) map[string]string {
			return map[string]string{linksUnit: linksContent}
		},
	}
}
