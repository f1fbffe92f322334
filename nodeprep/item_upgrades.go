package nodeprep

import (
	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// upgrades keeps packages as they are: an upgrade of the fabric manager alone takes every GPU of a host away
// (aws-parallelcluster#3034).
func upgrades() item {
	units := map[facts.Family][]string{
		facts.Ubuntu: {"unattended-upgrades.service", "apt-daily-upgrade.timer"},
		facts.Debian: {"unattended-upgrades.service", "apt-daily-upgrade.timer"},
		facts.RedHat: {"dnf-automatic.timer", "dnf-automatic-install.timer"},
		facts.Amazon: {"dnf-automatic.timer", "dnf-automatic-install.timer"},
	}
	return item{
		Key: "upgrades", Title: "Automatic upgrades",
		Keys: []key{{Name: "upgrades", Legal: oneOf("off")}},
		Assess: func(_ want, h *facts.Host) []Setting {
			if len(units[h.OS.Family]) == 0 {
				return []Setting{notApplicable("upgrades", "off", unknownOS(h))}
			}
			if !h.Systemd() {
				return []Setting{notApplicable("upgrades", "off", "systemd does not run this host")}
			}
			var out []Setting
			for _, name := range units[h.OS.Family] {
				u := h.Units[name]
				switch {
				case u.Load == "masked" || u.File == "masked":
					out = append(out, Setting{Name: name, Live: "off", OnDisk: "off", Wanted: "off", Verdict: OK})
				case !u.Exists():
					out = append(out, notApplicable(name, "off", "it is not installed"))
				default:
					out = append(out, judged(Setting{Name: name, Live: orUnset(u.Active), OnDisk: orUnset(u.File), Wanted: "off"}))
				}
			}
			return out
		},
		Steps: func(want) []script.Step {
			return []script.Step{
				script.On("ubuntu debian", script.Call("np_unit_mask", units[facts.Ubuntu]...)),
				script.On("rhel al2023", script.Call("np_unit_mask", units[facts.RedHat]...)),
			}
		},
	}
}
