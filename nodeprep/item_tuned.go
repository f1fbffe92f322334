package nodeprep

import (
	"fmt"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

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
