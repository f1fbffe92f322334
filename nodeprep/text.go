package nodeprep

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// WriteText writes a plan for people: one line an item, its settings where something is to be said, file changes as
// diffs, and the steps. all also shows settings that are right.
func (p *Plan) WriteText(w io.Writer, all bool) error {
	r := NewRedactor(p.Profile)
	var b strings.Builder
	for _, i := range p.Items {
		fmt.Fprintf(&b, "%-19s %s\n", i.Verdict, i.Title)
		for _, s := range i.Settings {
			if !all && s.Verdict == OK {
				continue
			}
			fmt.Fprintf(&b, "    %-17s %s", s.Verdict, s.Name)
			if s.Verdict != NotApplicable {
				fmt.Fprintf(&b, ": live %s, on disk %s, wanted %s", s.Live, s.OnDisk, s.Wanted)
			}
			if s.Reason != "" {
				fmt.Fprintf(&b, " (%s)", s.Reason)
			}
			b.WriteString("\n")
		}
		for _, f := range i.Files {
			for line := range strings.Lines(f.Diff()) {
				b.WriteString("    " + line)
			}
		}
		for _, s := range i.Steps {
			b.WriteString("    $ " + s.Brief() + "\n")
		}
	}
	fmt.Fprintf(&b, "%s\n", p.Summary())
	_, err := io.WriteString(w, r.Text(b.String()))
	return err
}

// Summary is the plan in one line.
func (p *Plan) Summary() string {
	var parts []string
	for _, v := range []Verdict{Blocked, ChangeThenReboot, Change, RightAfterReboot, OK, NotApplicable} {
		if n := p.Count(v); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	if len(parts) == 0 {
		return "nothing is wanted"
	}
	return strings.Join(parts, ", ")
}

// MarshalJSON is the plan for machines, without secrets.
func (p *Plan) MarshalJSON() ([]byte, error) {
	type file struct {
		Path string `json:"path"`
		Diff string `json:"diff"`
	}
	type planned struct {
		Key      string    `json:"key"`
		Title    string    `json:"title"`
		Verdict  Verdict   `json:"verdict"`
		Settings []Setting `json:"settings"`
		Files    []file    `json:"files,omitempty"`
		Steps    []string  `json:"steps,omitempty"`
	}
	r := NewRedactor(p.Profile)
	out := struct {
		Profile string    `json:"profile"`
		OS      string    `json:"os"`
		BootID  string    `json:"bootId"`
		Summary string    `json:"summary"`
		Items   []planned `json:"items"`
	}{p.Profile.Name, p.OS, p.BootID, p.Summary(), []planned{}}
	for _, i := range p.Items {
		one := planned{Key: i.Key, Title: i.Title, Verdict: i.Verdict}
		for _, s := range i.Settings {
			s.Live, s.OnDisk, s.Wanted, s.Reason = r.Text(s.Live), r.Text(s.OnDisk), r.Text(s.Wanted), r.Text(s.Reason)
			one.Settings = append(one.Settings, s)
		}
		for _, f := range i.Files {
			one.Files = append(one.Files, file{f.Path, r.Text(f.Diff())})
		}
		for _, s := range i.Steps {
			one.Steps = append(one.Steps, r.Text(s.String()))
		}
		out.Items = append(out.Items, one)
	}
	return json.Marshal(out)
}
