package nodeprep

import (
	"fmt"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

const (
	ringsScript = "/usr/local/lib/gpuyard/rings"
	ringsUnit   = "/etc/systemd/system/gpuyard-rings.service"
)

// rings makes the rings of network adapters as large as their hardware has them: short ones drop packets when many
// senders begin at once. Drivers set them back at each boot, so a unit sets them again.
//
// An adapter pauses for a moment when its rings change. Source: ethtool(8), -g and -G.
func rings() item {
	return item{
		Key: "rings", Title: "Rings of network adapters",
		Keys:   []key{{Name: "net.rings", Legal: oneOf("max")}},
		Assess: assessRings,
		Steps: func(want) []script.Step {
			return []script.Step{script.Call("np_adapters", "ethtool", ringsScript, ringsContent, ringsUnit, unitOf("Rings of network adapters", ringsScript))}
		},
		Files: func(want) []string { return []string{ringsScript, ringsUnit} },
		Predict: func(want, *facts.Host) map[string]string {
			return map[string]string{ringsScript: ringsContent, ringsUnit: unitOf("Rings of network adapters", ringsScript)}
		},
	}
}

func assessRings(_ want, h *facts.Host) []Setting {
	if len(h.Net) == 0 {
		return []Setting{notApplicable("net.rings", "max", "this host has no network adapter")}
	}
	if !h.Has("ethtool") {
		return []Setting{blocked(Setting{Name: "net.rings", Wanted: "max"}, "ethtool is not installed")}
	}
	kept := h.Holds(ringsScript, ringsContent) && h.Holds(ringsUnit, unitOf("Rings of network adapters", ringsScript))
	var out []Setting
	for _, r := range h.Rings {
		s := Setting{Name: "rings of " + r.Name, Live: fmt.Sprintf("rx %d tx %d", r.RX, r.TX), Wanted: fmt.Sprintf("rx %d tx %d", r.MostRX, r.MostTX)}
		if kept {
			s.OnDisk = s.Wanted
		}
		out = append(out, judged(s))
	}
	if len(out) == 0 {
		return []Setting{notApplicable("net.rings", "max", "no adapter of this host has rings whose size can be set")}
	}
	return out
}

// ringsContent sets what is not as large as it can be.
const ringsContent = `#!/bin/sh
# Rings of network adapters as large as the hardware has them, kept by gpuyard.
R=${GPUYARD_ROOT:-}
code=0
for d in "$R"/sys/class/net/*/device; do
	[ -e "$d" ] || continue
	i=${d%/device}
	i=${i##*/}
	# The most for receiving and sending, then what is set.
	# shellcheck disable=SC2046 # four numbers
	set -- $(ethtool -g "$i" 2>/dev/null | awk '($1 == "RX:" || $1 == "TX:") && $2 ~ /^[0-9]+$/ { print $2 }')
	[ $# -eq 4 ] || continue
	if [ "$1" != "$3" ] || [ "$2" != "$4" ]; then
		if ethtool -G "$i" rx "$1" tx "$2"; then echo "$i"; else code=1; fi
	fi
done
exit $code
`

// unitOf is a unit that runs a script at each boot.
func unitOf(what, path string) string {
	return fmt.Sprintf(`# %[1]s, kept by gpuyard.
[Unit]
Description=%[1]s
After=network-pre.target openibd.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh %[2]s
[Install]
WantedBy=multi-user.target
`, what, path)
}
