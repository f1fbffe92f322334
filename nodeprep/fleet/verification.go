package fleet

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep"
)

// Verification is a report setting by setting: the proof that hosts are as they should be now, not after a reboot.
type Verification struct {
	Hosts []Verified `json:"hosts"`
	// Strict has what does not apply to a host count as wrong: where every host should be of one kind, a setting that
	// one of them cannot have is a finding.
	Strict bool `json:"strict"`
}

// Verified is one host of a verification.
type Verified struct {
	Host    string  `json:"host"`
	Error   string  `json:"error,omitempty"`
	Seconds float64 `json:"seconds"`
	// Settings are all settings, those that are right as well.
	Settings []VerifiedSetting `json:"settings"`
}

// VerifiedSetting is one setting, and the item that it belongs to.
type VerifiedSetting struct {
	Item string `json:"item"`
	nodeprep.Setting
}

// Verification takes a report apart. The report is one of a run that looked and changed nothing.
func (r *Report) Verification(strict bool) *Verification {
	v := &Verification{Strict: strict}
	for _, h := range r.Hosts {
		one := Verified{Host: h.Host, Error: h.Error, Seconds: h.Seconds, Settings: []VerifiedSetting{}}
		if h.Plan == nil && one.Error == "" {
			one.Error = string(h.Status)
		}
		if h.Plan != nil {
			one.Settings = settings(h.Plan)
		}
		v.Hosts = append(v.Hosts, one)
	}
	return v
}

func settings(p *nodeprep.Plan) []VerifiedSetting {
	hide := nodeprep.NewRedactor(p.Profile).Text
	out := []VerifiedSetting{}
	for _, i := range p.Items {
		for _, s := range i.Settings {
			s.Live, s.OnDisk, s.Wanted, s.Reason = hide(s.Live), hide(s.OnDisk), hide(s.Wanted), hide(s.Reason)
			out = append(out, VerifiedSetting{i.Key, s})
		}
	}
	return out
}

// wrong says whether a setting speaks against its host.
func (v *Verification) wrong(s VerifiedSetting) bool {
	return s.Verdict != nodeprep.OK && (v.Strict || s.Verdict != nodeprep.NotApplicable)
}

// text is a setting in one line.
func (s VerifiedSetting) text() string {
	out := s.Name
	if s.Verdict != nodeprep.NotApplicable {
		out += fmt.Sprintf(": live %s, on disk %s, wanted %s", s.Live, s.OnDisk, s.Wanted)
	}
	if s.Reason != "" {
		out += " (" + s.Reason + ")"
	}
	return out
}

// ExitCode is what a command ends with.
func (v *Verification) ExitCode() int {
	code := ExitRight
	for _, h := range v.Hosts {
		if h.Error != "" {
			return ExitFailed
		}
		for _, s := range h.Settings {
			if v.wrong(s) {
				code = ExitDiffers
			}
		}
	}
	return code
}

// Summary is the verification in one line.
func (v *Verification) Summary() string {
	failed, wrongHosts, wrong, all := 0, 0, 0, 0
	for _, h := range v.Hosts {
		before := wrong
		for _, s := range h.Settings {
			all++
			if v.wrong(s) {
				wrong++
			}
		}
		switch {
		case h.Error != "":
			failed++
		case wrong > before:
			wrongHosts++
		}
	}
	return fmt.Sprintf("%s, %d failed, %d not as they should be: %d of %d settings wrong", counted(len(v.Hosts)), failed, wrongHosts, wrong, all)
}

// WriteText writes what is wrong and what does not apply, host by host.
func (v *Verification) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, h := range v.Hosts {
		right, wrong, none, lines := 0, 0, 0, ""
		for _, s := range h.Settings {
			switch {
			case v.wrong(s):
				wrong++
				lines += fmt.Sprintf("  wrong           %s\n", s.text())
			case s.Verdict == nodeprep.NotApplicable:
				none++
				lines += fmt.Sprintf("  not applicable  %s\n", s.text())
			default:
				right++
			}
		}
		switch {
		case h.Error != "":
			fmt.Fprintf(&b, "%s: failed: %s\n", h.Host, h.Error)
		default:
			fmt.Fprintf(&b, "%s: %d right, %d wrong, %d not applicable\n%s", h.Host, right, wrong, none, lines)
		}
	}
	fmt.Fprintln(&b, v.Summary())
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteJSON writes the verification for machines.
func (v *Verification) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// WriteJUnit writes a test suite a host and a test case a setting. A host that could not be asked is one case with an
// error.
func (v *Verification) WriteJUnit(w io.Writer) error {
	all := suites{}
	for _, h := range v.Hosts {
		s := suite{Name: h.Host}
		if h.Error != "" {
			s.Cases = append(s.Cases, test{Name: "reached", Class: "nodeprep", Time: fmt.Sprintf("%.3f", h.Seconds), Failure: &message{h.Error}})
			s.Failures++
		}
		for _, setting := range h.Settings {
			c := test{Name: setting.Name, Class: "nodeprep." + setting.Item, Time: "0.000"}
			switch {
			case v.wrong(setting):
				s.Failures++
				c.Failure = &message{setting.text()}
			case setting.Verdict == nodeprep.NotApplicable:
				s.Skipped++
				c.Skipped = &message{setting.Reason}
			}
			s.Cases = append(s.Cases, c)
		}
		s.Tests = len(s.Cases)
		all.Suites = append(all.Suites, s)
	}
	return writeXML(w, all)
}
