package check

import (
	"fmt"
	"io"
	"strings"
)

// maxComment is how long a Markdown report may get.
// Source: GitHub REST API, "Create an issue comment": a body has at most 65536 characters.
const maxComment = 60000

// Markdown writes the report as a comment on a pull request. What does not fit into a comment is counted.
func (r *Report) Markdown(w io.Writer) error {
	var b strings.Builder
	title := "### Policies: passed"
	if r.Failed() {
		title = "### Policies: this plan is refused"
	}
	fmt.Fprintf(&b, "%s\n\n%s\n", title, r.Summary())
	groups := []struct {
		title string
		in    func(*Finding) bool
	}{
		{"Must be put right", func(f *Finding) bool { return f.Stops() }},
		{"Advice", func(f *Finding) bool { return !f.Stops() && f.Exception == nil }},
		{"Excepted", func(f *Finding) bool { return f.Exception != nil }},
	}
	for _, group := range groups {
		var rows []string
		for i := range r.Findings {
			if f := &r.Findings[i]; group.in(f) {
				rows = append(rows, row(f))
			}
		}
		table(&b, group.title, rows)
	}
	var remedies []string
	for _, m := range r.Remedies {
		remedies = append(remedies, fmt.Sprintf("| `%s` | %s | %s |\n", m.Policy.Name, code(m.Name), m.Policy.Summary))
	}
	table(&b, "Put right by the pack", remedies)
	for _, note := range r.Plan.Notes {
		fmt.Fprintf(&b, "\n> %s\n", note)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func row(f *Finding) string {
	message := escape(f.Message)
	if f.Exception != nil {
		message += fmt.Sprintf("<br>Excepted by %s: %s", escape(f.Exception.ID), escape(f.Exception.Reason))
	}
	subject := "the stack"
	if f.Name != "" {
		subject = code(f.Name) + "<br><sub>" + escape(f.Type) + "</sub>"
	}
	return fmt.Sprintf("| `%s` | %s | %s |\n", f.Policy.Name, subject, message)
}

func table(b *strings.Builder, title string, rows []string) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n#### %s\n\n| policy | resource | finding |\n| --- | --- | --- |\n", title)
	for i, row := range rows {
		if b.Len()+len(row) > maxComment {
			fmt.Fprintf(b, "\n… and %d more, which do not fit into a comment.\n", len(rows)-i)
			return
		}
		b.WriteString(row)
	}
}

// escape makes a text safe in a cell of a table: it holds what a plan holds.
func escape(text string) string {
	return strings.NewReplacer("\\", "\\\\", "|", "\\|", "<", "&lt;", ">", "&gt;", "&", "&amp;", "`", "\\`", "*", "\\*", "_", "\\_",
		"[", "\\[", "]", "\\]", "@", "&#64;", "\n", " ").Replace(plain(strings.ReplaceAll(text, "\n", " ")))
}

// code shows a name as code. A backtick cannot be escaped there, so it becomes a quote.
func code(text string) string {
	return "`" + strings.NewReplacer("`", "'", "|", "\\|", "\n", " ").Replace(plain(text)) + "`"
}
