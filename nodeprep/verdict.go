package nodeprep

import (
	"slices"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
)

// Verdict says what a setting needs.
type Verdict string

// Verdicts.
const (
	// OK: live and on disk are as wanted.
	OK Verdict = "ok"
	// NotApplicable: this host has nothing to set; the reason says why.
	NotApplicable Verdict = "not-applicable"
	// RightAfterReboot: it is on disk as wanted, and counts from the next boot on.
	RightAfterReboot Verdict = "right-after-reboot"
	// Change: it is changed now, and stays.
	Change Verdict = "change"
	// ChangeThenReboot: it is changed on disk now, and counts from the next boot on.
	ChangeThenReboot Verdict = "change-then-reboot"
	// Blocked: something is in the way that a person must decide about; the reason names it.
	Blocked Verdict = "blocked"
)

// gravity orders verdicts: an item is as its gravest setting.
var gravity = []Verdict{NotApplicable, OK, RightAfterReboot, Change, ChangeThenReboot, Blocked}

// Setting is one value of a host.
type Setting struct {
	Name    string  `json:"name"`
	Live    string  `json:"live"`
	OnDisk  string  `json:"onDisk"`
	Wanted  string  `json:"wanted"`
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason,omitempty"`
}

// gravest is the gravest verdict; nothing to set is not applicable. What changes now, beside something that waits for a
// reboot, is a change and then a reboot.
func gravest(settings []Setting) Verdict {
	worst := NotApplicable
	waits := false
	for _, s := range settings {
		waits = waits || s.Verdict == RightAfterReboot
		if slices.Index(gravity, s.Verdict) > slices.Index(gravity, worst) {
			worst = s.Verdict
		}
	}
	if worst == Change && waits {
		return ChangeThenReboot
	}
	return worst
}

// unset stands for a value that a host does not have.
const unset = "-"

// judged fills in the verdict of a setting that can be changed while the host runs.
func judged(s Setting) Setting {
	s.Live, s.OnDisk = orUnset(s.Live), orUnset(s.OnDisk)
	s.Verdict = Change
	if s.Live == s.Wanted && s.OnDisk == s.Wanted {
		s.Verdict = OK
	}
	return s
}

// judgedAtBoot fills in the verdict of a setting that counts from the next boot on.
func judgedAtBoot(s Setting) Setting {
	s.Live, s.OnDisk = orUnset(s.Live), orUnset(s.OnDisk)
	switch {
	case s.Live == s.Wanted && s.OnDisk == s.Wanted:
		s.Verdict = OK
	case s.OnDisk == s.Wanted:
		s.Verdict = RightAfterReboot
	case s.Live == s.Wanted:
		s.Verdict = Change
	default:
		s.Verdict = ChangeThenReboot
	}
	return s
}

func orUnset(text string) string {
	if text == "" {
		return unset
	}
	return text
}

// notApplicable is a setting that this host has no use for.
func notApplicable(name, wanted, reason string) Setting {
	return Setting{Name: name, Live: unset, OnDisk: unset, Wanted: wanted, Verdict: NotApplicable, Reason: reason}
}

// blocked is a setting that a person must decide about.
func blocked(s Setting, reason string) Setting {
	s.Live, s.OnDisk = orUnset(s.Live), orUnset(s.OnDisk)
	s.Verdict, s.Reason = Blocked, reason
	return s
}

// ownedFile judges a file that nodeprep owns, for which there is nothing live to read.
func ownedFile(h *facts.Host, path, content string) Setting {
	s := Setting{Name: path, Live: "present", Wanted: "present", Verdict: OK}
	_, found := h.Files[path]
	switch {
	case !found:
		s.Live, s.Verdict = "absent", Change
	case !h.Holds(path, content):
		s.Live, s.Verdict = "differs", Change
	}
	s.OnDisk = s.Live
	return s
}

// onDisk is a word about a file for a setting whose live value is elsewhere: the wanted value, if the file is right.
func onDisk(h *facts.Host, path, content, wanted string) string {
	if h.Holds(path, content) {
		return wanted
	}
	return unset
}
