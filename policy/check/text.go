package check

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// Text writes the report for a terminal, without colours.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	for _, f := range r.Findings {
		label := string(f.Level)
		if f.Exception != nil {
			label = "excepted"
		}
		fmt.Fprintf(&b, "%-9s  %s  (%s)\n", label, f.Policy.Name, plain(f.subject()))
		fmt.Fprintf(&b, "           %s\n           %s\n", f.Policy.Summary, plain(f.Message))
		if f.Exception != nil {
			fmt.Fprintf(&b, "           Excepted by %s: %s\n", plain(f.Exception.ID), plain(f.Exception.Reason))
		}
		fmt.Fprintln(&b)
	}
	for _, m := range r.Remedies {
		fmt.Fprintf(&b, "remediate  %s  (%s: %s)\n           %s\n\n", m.Policy.Name, m.Type, plain(m.Name), m.Policy.Summary)
	}
	for _, note := range r.Plan.Notes {
		fmt.Fprintf(&b, "note       %s\n\n", note)
	}
	fmt.Fprintln(&b, r.Summary())
	_, err := io.WriteString(w, b.String())
	return err
}

// Summary is the report in one line.
func (r *Report) Summary() string {
	mandatory, advisory, excepted := r.Count()
	text := fmt.Sprintf("%d mandatory, %d advisory", mandatory, advisory)
	if excepted > 0 {
		text += fmt.Sprintf(", %d excepted", excepted)
	}
	if len(r.Remedies) > 0 {
		text += fmt.Sprintf(", %d remediated", len(r.Remedies))
	}
	return fmt.Sprintf("%s: %d policies on %d resources of a %s.", text, r.Policies, r.Resources, r.Plan.Source)
}

// subject is what a finding is about: a resource, or the stack.
func (f *Finding) subject() string {
	if f.Name == "" {
		return "the stack"
	}
	return f.Type + ": " + f.Name
}

// plain replaces control characters: names and messages hold what a plan holds, which a terminal must not obey.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u202e' || r == '\u2066' || r == '\u2067' {
			return '\ufffd'
		}
		return r
	}, text)
}
