package nodeprep

import (
	"fmt"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// timeSync has exactly one time daemon run: two would pull the clock apart, and no log of a cluster means anything
// without one.
func timeSync() item {
	daemons := []string{"chronyd.service", "chrony.service", "ntpsec.service", "ntp.service", "ntpd.service", "systemd-timesyncd.service"}
	return item{
		Key: "time", Title: "Time synchronisation",
		Keys: []key{{Name: "time", Legal: oneOf("on")}},
		Host: true,
		Assess: func(_ want, h *facts.Host) []Setting {
			if !h.Systemd() {
				return []Setting{notApplicable("time", "one daemon", "systemd does not run this host")}
			}
			var running []string
			for _, d := range daemons {
				if h.Units[d].Active == "active" {
					running = append(running, strings.TrimSuffix(d, ".service"))
				}
			}
			s := Setting{Name: "time", Live: orUnset(strings.Join(running, ",")), Wanted: "one daemon", Verdict: Change}
			s.OnDisk = s.Live
			if len(running) == 1 {
				s.Verdict = OK
			}
			return []Setting{s}
		},
		Steps: func(want) []script.Step { return []script.Step{script.Call("np_time_on")} },
	}
}

// swap turns swap off, which kubelet refuses to start with, and which makes a slow host of one that should fail.
func swap() item {
	return item{
		Key: "swap", Title: "Swap",
		Keys: []key{{Name: "swap", Legal: oneOf("off")}},
		Assess: func(_ want, h *facts.Host) []Setting {
			s := Setting{Name: "swap", Live: "off", OnDisk: "on", Wanted: "off"}
			if len(h.Swaps) > 0 {
				s.Live = strings.Join(h.Swaps, ",")
			}
			if !h.Systemd() {
				s.OnDisk, s.Reason = "off", "systemd does not run this host: nothing turns swap on at boot"
			} else if u := h.Units["swap.target"]; u.Load == "masked" || u.File == "masked" {
				s.OnDisk = "off"
			}
			return []Setting{judged(s)}
		},
		Steps: func(want) []script.Step { return []script.Step{script.Call("np_swap_off")} },
	}
}

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

const needrestartFile = "/etc/needrestart/conf.d/zz-gpuyard.conf"

// needrestart lets it list what needs a restart and restart nothing: in its automatic mode it restarts sshd and
// containerd under a running job. The environment would not do: sudo drops it.
func needrestart() item {
	const content = "# It lists and restarts nothing by itself, kept by gpuyard.\n$nrconf{restart} = 'l';\n$nrconf{kernelhints} = -1;\n"
	return item{
		Key: "needrestart", Title: "Restarts after upgrades",
		Keys: []key{{Name: "needrestart", Legal: oneOf("list")}},
		Assess: func(_ want, h *facts.Host) []Setting {
			if h.PackageManager != "apt-get" {
				return []Setting{notApplicable("needrestart", "list", "only hosts with apt have it")}
			}
			return []Setting{ownedFile(h, needrestartFile, content)}
		},
		Steps: func(want) []script.Step {
			return []script.Step{script.On("ubuntu debian", script.File(needrestartFile, "0644", "any", content))}
		},
		Files: func(want) []string { return []string{needrestartFile} },
	}
}

// tuned turns tuned off, whose profile would set other values over and over: hpc-compute sets transparent huge pages
// to always, and zone reclaim.
func tuned() item {
	return item{
		Key: "tuned", Title: "tuned",
		Keys: []key{{Name: "tuned", Legal: oneOf("off")}},
		Assess: func(_ want, h *facts.Host) []Setting {
			u := h.Units["tuned.service"]
			if !u.Exists() {
				return []Setting{notApplicable("tuned", "off", "it is not installed")}
			}
			s := Setting{Name: "tuned", Live: "off", OnDisk: "off", Wanted: "off"}
			if u.Active == "active" {
				s.Live = fmt.Sprintf("profile %s", orUnset(h.Tuned.Profile))
			}
			if u.File == "enabled" {
				s.OnDisk = "enabled"
			}
			return []Setting{judged(s)}
		},
		Steps: func(want) []script.Step { return []script.Step{script.Call("np_unit_off", "tuned.service")} },
	}
}

func unknownOS(h *facts.Host) string {
	return fmt.Sprintf("%s is none of Ubuntu, Debian, Amazon Linux 2023, Red Hat Enterprise Linux and its kin", orUnset(h.OS.Name))
}
