package nodeprep

import (
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
