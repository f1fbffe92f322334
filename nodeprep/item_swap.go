package nodeprep

import (
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

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
