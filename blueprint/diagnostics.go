package blueprint

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// redacted stands in a message where a sensitive value would.
const redacted = "(sensitive value)"

// maxDiagnostics bounds how many problems are kept: beyond it they repeat one mistake.
const maxDiagnostics = 200

// Diagnostics are the errors and warnings of one blueprint, in the order of the source, with the source itself so
// that they can be drawn. The zero value is empty.
type Diagnostics struct {
	list  hcl.Diagnostics
	files map[string]*hcl.File
}

// HasErrors reports whether at least one of them is an error.
func (d *Diagnostics) HasErrors() bool { return d.Errors() > 0 }

// Errors counts the errors.
func (d *Diagnostics) Errors() int { return d.count(hcl.DiagError) }

// Warnings counts the warnings.
func (d *Diagnostics) Warnings() int { return d.count(hcl.DiagWarning) }

// List returns the diagnostics in the order of the source. RuleOf tells the rule of each.
func (d *Diagnostics) List() hcl.Diagnostics {
	if d == nil {
		return nil
	}
	return slices.Clone(d.list)
}

func (d *Diagnostics) count(severity hcl.DiagnosticSeverity) int {
	if d == nil {
		return 0
	}
	n := 0
	for _, diag := range d.list {
		if diag.Severity == severity {
			n++
		}
	}
	return n
}

// Write draws every diagnostic with its source. A width of zero does not wrap.
func (d *Diagnostics) Write(w io.Writer, width int, color bool) error {
	if d == nil {
		return nil
	}
	for _, diag := range d.list {
		diag, files := cutLine(diag, d.files)
		if err := hcl.NewDiagnosticTextWriter(w, files, uint(max(width, 0)), color).WriteDiagnostic(diag); err != nil {
			return fmt.Errorf("writing diagnostics: %w", err)
		}
	}
	return nil
}

// Err returns nil when there are no errors, or an error whose text is the drawn diagnostics, warnings included.
func (d *Diagnostics) Err() error {
	if !d.HasErrors() {
		return nil
	}
	var text strings.Builder
	if err := d.Write(&text, 100, false); err != nil {
		return err
	}
	return errors.New(strings.TrimSpace(text.String()))
}

// A jsonDiagnostic is the stable form of a diagnostic for machines.
type jsonDiagnostic struct {
	Severity string        `json:"severity"`
	Rule     string        `json:"rule"`
	Summary  string        `json:"summary"`
	Detail   string        `json:"detail"`
	File     string        `json:"file,omitempty"`
	Start    *jsonPosition `json:"start,omitempty"`
	End      *jsonPosition `json:"end,omitempty"`
}

type jsonPosition struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// JSON returns the diagnostics as a JSON array. Fields are only ever added to its objects: severity, rule, summary,
// detail, file, start{line,column}, end{line,column}. The array is empty, never null, when there is nothing to say.
func (d *Diagnostics) JSON() ([]byte, error) {
	out := []jsonDiagnostic{}
	for _, diag := range d.List() {
		j := jsonDiagnostic{Severity: "error", Rule: RuleOf(diag), Summary: diag.Summary, Detail: diag.Detail}
		if diag.Severity == hcl.DiagWarning {
			j.Severity = "warning"
		}
		if at := diag.Subject; at != nil {
			j.File = at.Filename
			j.Start = &jsonPosition{at.Start.Line, at.Start.Column}
			j.End = &jsonPosition{at.End.Line, at.End.Column}
		}
		out = append(out, j)
	}
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encoding diagnostics: %w", err)
	}
	return append(text, '\n'), nil
}

// RuleName is what a diagnostic carries in Extra: the name of the rule that gave it.
type RuleName string

const (
	// rulePlan names what a later stage found wrong.
	rulePlan RuleName = "plan"
	// RuleUnbuilt names what the language knows and this version cannot make: the blueprint is right, and nothing can come
	// of it.
	RuleUnbuilt RuleName = "unbuilt"
)

// RuleOf returns the name of the rule that gave a diagnostic. Rules of the language itself are "syntax", "schema",
// "expression", "reference", "variable" and "limit"; "plan" is for what the plan of the environment is refused or warned
// of, and "unbuilt" for what this version cannot make; every other name is in Rules.
func RuleOf(d *hcl.Diagnostic) string {
	if name, ok := d.Extra.(RuleName); ok {
		return string(name)
	}
	return ""
}

// named puts a rule's name on diagnostics that carry none yet, in place of what the HCL library puts there.
func named(rule RuleName, diags hcl.Diagnostics) hcl.Diagnostics {
	for _, d := range diags {
		if _, has := d.Extra.(RuleName); !has {
			d.Extra = rule
		}
	}
	return diags
}

// errorf makes an error whose Detail is formatted.
func errorf(at hcl.Range, summary, format string, args ...any) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &at}
}

// warnf makes a warning whose Detail is formatted.
func warnf(at hcl.Range, summary, format string, args ...any) *hcl.Diagnostic {
	d := errorf(at, summary, format, args...)
	d.Severity = hcl.DiagWarning
	return d
}

// newDiagnostics sorts, bounds and redacts what the stages collected.
func newDiagnostics(list hcl.Diagnostics, files map[string]*hcl.File, secrets *secrets) *Diagnostics {
	slices.SortStableFunc(list, func(a, b *hcl.Diagnostic) int {
		if a.Subject == nil || b.Subject == nil {
			return cmp.Compare(fmt.Sprint(a.Subject != nil), fmt.Sprint(b.Subject != nil))
		}
		return cmp.Compare(a.Subject.Start.Byte, b.Subject.Start.Byte)
	})
	if left := len(list) - maxDiagnostics; left > 0 {
		more := &hcl.Diagnostic{
			Severity: hcl.DiagError,
			Summary:  "Too many problems",
			Detail:   fmt.Sprintf("%d more problems are not shown, the first of them here. Correct the ones above and load the blueprint again.", left),
			Subject:  list[maxDiagnostics].Subject,
		}
		list = append(list[:maxDiagnostics:maxDiagnostics], named(ruleLimit, hcl.Diagnostics{more})...)
	}
	for _, d := range list {
		// The writer would print the values of every variable in the expression.
		d.Expression, d.EvalContext = nil, nil
		d.Summary, d.Detail = printable(secrets.redact(d.Summary)), cutWords(printable(secrets.redact(d.Detail)))
	}
	return &Diagnostics{list: list, files: secrets.mask(files)}
}
