package nodeprep

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

const governorUnit = "/etc/systemd/system/gpuyard-governor.service"

// governor sets the frequency governor of the processors that are online, now and at every boot.
//
// Most virtual machines have no cpufreq. Source: Linux, Documentation/admin-guide/pm/cpufreq.rst.
func governor() item {
	return item{
		Key: "governor", Title: "Processor frequency governor",
		Keys:  []key{{Name: "cpu.governor", Legal: oneOf("performance", "powersave", "schedutil", "ondemand", "conservative")}},
		Needs: []string{"tuned"},
		Assess: func(w want, h *facts.Host) []Setting {
			wanted := w.get("cpu.governor")
			if len(h.CPU.Governors) == 0 {
				return []Setting{notApplicable("cpu.governor", wanted, "this host has no cpufreq: its processors' frequency is not its own business")}
			}
			live := strings.Join(slices.Sorted(maps.Keys(h.CPU.Governors)), ",")
			s := Setting{Name: "cpu.governor", Live: live, Wanted: wanted, OnDisk: onDisk(h, governorUnit, governorContent(w), wanted)}
			if len(h.CPU.Available) > 0 && !slices.Contains(h.CPU.Available, wanted) {
				return []Setting{blocked(s, "this host offers "+strings.Join(h.CPU.Available, ", "))}
			}
			if t, owned := h.Tuned.Settings["cpu.governor"]; owned && !slices.Contains(strings.Split(t.Value, "|"), wanted) && w.get("tuned") != "off" {
				return []Setting{blocked(s, fmt.Sprintf("tuned's profile %s sets it to %s in %s", h.Tuned.Profile, t.Value, t.File))}
			}
			return []Setting{judged(s)}
		},
		Steps: func(w want) []script.Step {
			return []script.Step{script.Call("np_governor", w.get("cpu.governor"), governorContent(w))}
		},
		Files: func(want) []string { return []string{governorUnit} },
		Predict: func(w want, _ *facts.Host) map[string]string {
			return map[string]string{governorUnit: governorContent(w)}
		},
	}
}

func governorContent(w want) string {
	return fmt.Sprintf(`# Frequency governor of the processors, kept by gpuyard.
[Unit]
Description=Frequency governor
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c 'for f in /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor; do [ "$$(cat "$${f%%%%/cpufreq/*}/online" 2>/dev/null)" = 0 ] || echo %s >"$$f" || exit 1; done'
[Install]
WantedBy=multi-user.target
`, w.get("cpu.governor"))
}
