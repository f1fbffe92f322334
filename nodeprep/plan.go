package nodeprep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// Plan is what a host needs to become what a profile wants: the very thing that Apply carries out.
type Plan struct {
	Profile profile.Profile
	OS      string
	BootID  string
	Items   []ItemPlan
}

// ItemPlan is one item of a plan.
type ItemPlan struct {
	Key, Title string
	Verdict    Verdict
	Settings   []Setting
	Files      []FileChange
	// Steps are what the script runs; none where nothing is to be done.
	Steps      []script.Step
	Needs      []string
	Host, Slow bool
}

// FileChange is a file before and after.
type FileChange struct{ Path, Before, After string }

// InvalidProfileError lists what is wrong with a profile.
type InvalidProfileError struct{ Problems []Problem }

// Error is all problems.
func (e *InvalidProfileError) Error() string {
	var lines []string
	for _, p := range e.Problems {
		lines = append(lines, p.String())
	}
	return "the profile cannot be used: " + strings.Join(lines, "; ")
}

// NewPlan compares a host with a profile. It asks nobody and changes nothing.
func NewPlan(p profile.Profile, h *facts.Host) (*Plan, error) {
	if problems := Check(p); len(problems) > 0 {
		return nil, &InvalidProfileError{problems}
	}
	plan := &Plan{Profile: p, OS: h.OS.Name, BootID: h.BootID}
	w := want{p}
	for _, i := range items() {
		if !i.wanted(p) {
			continue
		}
		settings := i.Assess(w, h)
		if len(settings) == 0 {
			continue
		}
		if why := cannotWrite(h); why != "" && needed(gravest(settings)) {
			for n := range settings {
				settings[n] = blocked(settings[n], why)
			}
		}
		ip := ItemPlan{Key: i.Key, Title: i.Title, Verdict: gravest(settings), Settings: settings, Needs: i.Needs, Host: i.Host, Slow: i.Slow}
		if ip.Verdict == Change || ip.Verdict == ChangeThenReboot || ip.Verdict == RightAfterReboot {
			ip.Steps = pinned(i.Steps(w), h)
			ip.Files = changes(i, w, h)
		}
		plan.Items = append(plan.Items, ip)
	}
	return plan, nil
}

func needed(v Verdict) bool { return v == Change || v == ChangeThenReboot }

// cannotWrite says why nothing on a host can be changed.
func cannotWrite(h *facts.Host) string {
	if len(h.ReadOnly) > 0 {
		return strings.Join(h.ReadOnly, " and ") + " is read-only: such a host is configured by its image"
	}
	for _, s := range h.Space {
		if s.Mount == "/" && s.FreeKiB < 10240 {
			return fmt.Sprintf("%d KiB are free on /, and 10240 are needed to write files safely", s.FreeKiB)
		}
	}
	return ""
}

// pinned ties steps to what was seen: a file that somebody else changes in the meantime is left alone.
func pinned(steps []script.Step, h *facts.Host) []script.Step {
	for n, s := range steps {
		at := slices.Index(append([]string{s.Func}, s.Args...), "np_file")
		if at < 0 {
			continue
		}
		args := slices.Clone(s.Args)
		if f, found := h.Files[args[at]]; found {
			args[at+2] = f.SHA256
		} else {
			args[at+2] = "absent"
		}
		steps[n].Args = args
	}
	return steps
}

// changes are the files that an item's steps make different.
func changes(i item, w want, h *facts.Host) []FileChange {
	after := map[string]string{}
	var paths []string
	for path, content := range contents(i, w) {
		after[path] = content
		paths = append(paths, path)
	}
	if i.Predict != nil {
		for path, content := range i.Predict(w, h) {
			after[path] = content
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	var out []FileChange
	for _, path := range slices.Compact(paths) {
		before := h.Files[path]
		if !sameText(before.Content, after[path]) {
			out = append(out, FileChange{Path: path, Before: before.Content, After: after[path]})
		}
	}
	return out
}

// contents are the files that an item's steps name, with their content.
func contents(i item, w want) map[string]string {
	out := map[string]string{}
	for _, s := range i.Steps(w) {
		words := append([]string{s.Func}, s.Args...)
		if at := slices.Index(words, "np_file"); at >= 0 {
			out[words[at+1]] = words[at+4]
		} else if at := slices.Index(words, "np_service_file"); at >= 0 {
			out[words[at+1]] = words[at+2]
		}
	}
	return out
}

// sameText compares files, but for the empty lines at the end that facts add.
func sameText(a, b string) bool { return strings.TrimRight(a, "\n") == strings.TrimRight(b, "\n") }

// Query is what must be asked of a host for a profile.
func Query(p profile.Profile) facts.Query {
	w := want{p}
	var q facts.Query
	for _, i := range items() {
		if !i.wanted(p) {
			continue
		}
		if i.Sysctl != nil {
			q.Sysctl = append(q.Sysctl, i.Sysctl(w)...)
		}
		if i.Files != nil {
			q.Files = append(q.Files, i.Files(w)...)
		}
		for path := range contents(i, w) {
			q.Files = append(q.Files, path)
		}
	}
	q.Sysctl = append(q.Sysctl, "fs.nr_open")
	return q
}

// Count says how many items have a verdict.
func (p *Plan) Count(v Verdict) int {
	n := 0
	for _, i := range p.Items {
		if i.Verdict == v {
			n++
		}
	}
	return n
}

// Changes says whether there is anything to carry out.
func (p *Plan) Changes() bool { return p.Count(Change)+p.Count(ChangeThenReboot) > 0 }

// Reboot says whether the host is right only after a reboot.
func (p *Plan) Reboot() bool { return p.Count(ChangeThenReboot)+p.Count(RightAfterReboot) > 0 }

// Right says whether the host is as the profile wants it.
func (p *Plan) Right() bool { return !p.Changes() && !p.Reboot() && p.Count(Blocked) == 0 }

// Body is the plan as a script: the steps of items that need them, and the host's facts afterwards.
func (p *Plan) Body() script.Body {
	var list []script.Item
	for _, i := range p.Items {
		if len(i.Steps) > 0 {
			list = append(list, script.Item{Key: i.Key, Needs: i.Needs, Steps: i.Steps, Host: i.Host, Slow: i.Slow})
		}
	}
	return script.New(list, script.Options{Profile: ProfileHash(p.Profile), Facts: facts.Functions(Query(p.Profile))})
}

// Render is a profile as a script for hosts that nobody has asked yet: every item looks for itself.
func Render(p profile.Profile) (script.Body, error) {
	if problems := Check(p); len(problems) > 0 {
		return script.Body{}, &InvalidProfileError{problems}
	}
	var list []script.Item
	for _, i := range items() {
		if !i.wanted(p) {
			continue
		}
		if steps := i.Steps(want{p}); len(steps) > 0 {
			list = append(list, script.Item{Key: i.Key, Needs: i.Needs, Steps: steps, Host: i.Host, Slow: i.Slow})
		}
	}
	return script.New(list, script.Options{Profile: ProfileHash(p)}), nil
}

// ProfileHash identifies what is wanted.
func ProfileHash(p profile.Profile) string {
	text, err := json.Marshal(p.Values)
	if err != nil {
		panic(err) // a map of strings
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
