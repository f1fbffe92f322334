package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/auto/events"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	"github.com/pulumi/pulumi/sdk/v3/go/common/diag/colors"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/gpuyard/gpuyard/internal/engine"
)

// progress tells what the engine does, a line for each resource that changes. On a terminal a status line below says
// what is under way; elsewhere there are no control codes at all.
type progress struct {
	out    io.Writer
	status *statusLine
	color  bool
	mode   mode
	// quiet progress only counts.
	quiet bool
	// total is how many changes are expected; 0 where that is not known, or where a preview has foretold that there are none.
	total    int
	foretold bool

	started map[string]time.Time
	// parents has the parent of every resource that was told of, by URN.
	parents  map[string]string
	done     int
	counts   map[apitype.OpType]int
	replaced []string // "TYPE NAME (what changed)" of what holds state
	refused  []string // what AWS would refuse in the middle, and what to do
	advice   []string
	problems []string
	now      func() time.Time
	// remedy says what can be done about an error of a resource; nil: nobody knows.
	remedy func(urn, text string) string
}

// mode says what lines tell: what would be done, what was done, or what somebody else is found to have done.
type mode int

const (
	wouldDo mode = iota + 1
	did
	found
)

func (a *app) newProgress(m mode) *progress {
	p := &progress{
		out: a.out, color: a.color, mode: m,
		started: map[string]time.Time{}, parents: map[string]string{}, counts: map[apitype.OpType]int{}, now: time.Now,
	}
	if a.color {
		p.status = &statusLine{out: a.out, width: a.width}
	}
	return p
}

// verb is an operation that changes something, by its sign and what a line says of it in each mode.
type verb struct {
	sign  string
	words map[mode]string
}

func verbOf(op apitype.OpType) (verb, bool) {
	v, ok := map[apitype.OpType]verb{
		apitype.OpCreate:            {"+", map[mode]string{wouldDo: "create", did: "created", found: "appeared"}},
		apitype.OpCreateReplacement: {"+", map[mode]string{wouldDo: "create as replacement", did: "created as replacement"}},
		apitype.OpUpdate:            {"~", map[mode]string{wouldDo: "update", did: "updated", found: "changed by somebody else"}},
		apitype.OpDelete:            {"-", map[mode]string{wouldDo: "delete", did: "deleted", found: "gone"}},
		apitype.OpDeleteReplaced:    {"-", map[mode]string{wouldDo: "delete the replaced one", did: "deleted the replaced one"}},
		apitype.OpReplace:           {"±", map[mode]string{wouldDo: "replace", did: "replaced"}},
		apitype.OpImport:            {"+", map[mode]string{wouldDo: "import", did: "imported"}},
	}[op]
	return v, ok
}

// watch is an engine.Watcher.
func (p *progress) watch(e events.EngineEvent) {
	switch {
	case e.ResourcePreEvent != nil:
		p.begin(e.ResourcePreEvent.Metadata)
	case e.ResOutputsEvent != nil:
		p.end(e.ResOutputsEvent.Metadata)
	case e.ResOpFailedEvent != nil:
		m := e.ResOpFailedEvent.Metadata
		delete(p.started, m.URN)
		v, _ := verbOf(m.Op)
		p.line("!", "failed to "+v.words[wouldDo], m, 0)
	case e.DiagnosticEvent != nil:
		p.diagnostic(e.DiagnosticEvent)
	case e.PolicyEvent != nil:
		p.policy(e.PolicyEvent)
	}
	p.status.show(p.state())
}

func (p *progress) begin(m apitype.StepEventMetadata) {
	for _, state := range []*apitype.StepEventStateMetadata{m.Old, m.New} {
		if state != nil {
			p.parents[m.URN] = state.Parent
		}
	}
	if _, changes := verbOf(m.Op); changes && p.mode == wouldDo {
		p.record(m, 0)
	} else if changes || p.mode == found {
		p.started[m.URN] = p.now()
	}
}

func (p *progress) end(m apitype.StepEventMetadata) {
	start, ok := p.started[m.URN]
	delete(p.started, m.URN)
	if _, changes := verbOf(m.Op); ok && changes {
		p.record(m, p.now().Sub(start))
	}
}

// record counts an operation and writes its line. A component is not something that exists by itself: it has neither.
func (p *progress) record(m apitype.StepEventMetadata, took time.Duration) {
	if !isCustom(m) {
		return
	}
	p.counts[m.Op]++
	p.done++
	if m.Op == apitype.OpReplace && holdsState(m.Type) {
		p.replaced = append(p.replaced, fmt.Sprintf("%s %s (%s)", shortType(m.Type), nameOf(m.URN), changedKeys(m)))
	}
	if wrong := versionStep(m); wrong != "" {
		p.refused = append(p.refused, wrong)
	}
	v, _ := verbOf(m.Op)
	p.line(v.sign, v.words[p.mode], m, took)
}

func (p *progress) line(sign, word string, m apitype.StepEventMetadata, took time.Duration) {
	if p.quiet {
		return
	}
	text := fmt.Sprintf("  %s %-68s %s", sign, shortType(m.Type)+" "+nameOf(m.URN), word)
	if took >= 100*time.Millisecond {
		text += fmt.Sprintf(" in %s", took.Round(100*time.Millisecond))
	}
	if keys := changedKeys(m); keys != "" {
		text += " (" + keys + ")"
	}
	p.status.clear()
	fmt.Fprintln(p.out, p.paint(sign, text))
}

// untold is how diagnostics begin that say nothing: what failed is told by others, and the engine speaks with the provider in
// this process whatever it finds on the PATH.
var untold = []string{"update failed", "preview failed", "using pulumi-resource-gpuyard from $PATH"}

func (p *progress) diagnostic(d *apitype.DiagnosticEvent) {
	about := d.URN != "" && resource.URN(d.URN).IsValid()
	ofHost := about && string(resource.URN(d.URN).Type()) == hostToken // what is to be done there, item by item
	if d.Ephemeral || (d.Severity != "error" && d.Severity != "warning" && !(ofHost && strings.HasPrefix(d.Severity, "info"))) {
		return
	}
	text := strings.TrimSpace(plain(d.Message))
	if text == "" || slices.ContainsFunc(untold, func(start string) bool { return strings.HasPrefix(text, start) }) {
		return
	}
	if about {
		text = fmt.Sprintf("%s %s: %s", shortType(string(resource.URN(d.URN).Type())), nameOf(d.URN), text)
	}
	switch {
	case d.Severity == "error":
		text = ofProgram(text)
		if p.remedy != nil {
			text += p.remedy(d.URN, text)
		}
		p.problem(text)
	case d.Severity == "warning":
		p.status.clear()
		fmt.Fprintf(p.out, "  warning: %s\n", text)
	case !p.quiet:
		p.status.clear()
		fmt.Fprintf(p.out, "  %s\n", strings.ReplaceAll(text, "\n", "\n    "))
	}
}

// ofProgram takes off what the engine and the SDK put before the error that a program returned.
func ofProgram(text string) string {
	text = strings.TrimPrefix(text, "an unhandled error occurred: ")
	if one, ok := strings.CutPrefix(text, "1 error occurred:"); ok {
		text = strings.TrimPrefix(strings.TrimSpace(one), "* ")
	}
	return strings.TrimPrefix(text, "Error: ")
}

// policy tells what a policy found: advice at once and once, and what stops the update with the other problems.
func (p *progress) policy(e *apitype.PolicyEvent) {
	message := strings.TrimSpace(plain(e.Message))
	if _, found, ok := strings.Cut(message, "\n"); ok {
		message = found // before it is the policy's description, the same every time
	}
	text := fmt.Sprintf("policy %s: %s", e.PolicyName, message)
	if e.ResourceURN != "" && resource.URN(e.ResourceURN).IsValid() {
		text = fmt.Sprintf("%s %s: %s", shortType(string(resource.URN(e.ResourceURN).Type())), nameOf(e.ResourceURN), text)
	}
	if e.EnforcementLevel == "mandatory" {
		p.problem(text)
		return
	}
	if p.quiet || slices.Contains(p.advice, text) {
		return
	}
	p.advice = append(p.advice, text)
	p.status.clear()
	fmt.Fprintf(p.out, "  advice: %s\n", text)
}

// problem keeps an error for the end, where it is not scrolled away, and once.
func (p *progress) problem(text string) {
	for _, known := range p.problems {
		if known == text {
			return
		}
	}
	p.problems = append(p.problems, text)
}

// family is the URNs of the components of a name and of everything below them, sorted.
func (p *progress) family(name string) []string {
	var urns []string
	for urn := range p.parents {
		for at := urn; at != ""; at = p.parents[at] {
			if nameOf(at) == name && strings.Contains(at, "gpuyard:") {
				urns = append(urns, urn)
				break
			}
		}
	}
	slices.Sort(urns)
	return urns
}

// changes is how many resources change.
func (p *progress) changes() int { return p.done }

// finish writes the last line of an operation that went well, unless nothing changed and the preview said so.
func (p *progress) finish() {
	p.status.clear()
	if p.foretold && p.done == 0 {
		return
	}
	fmt.Fprintf(p.out, "\n%s\n", p.summary())
}

// failed writes every problem that the engine told, and returns the error to end with: what to do where that is known,
// and otherwise no more than that it failed, since the reasons stand above.
func (p *progress) failed(err error) error {
	p.status.clear()
	if p.done > 0 {
		fmt.Fprintf(p.out, "\n%s\n", p.summary())
	}
	for _, problem := range p.problems {
		fmt.Fprintf(p.out, "\n%s\n", p.paint("!", "error: "+problem))
	}
	if refused := refusedLoss(p.problems); refused != nil && p.mode == wouldDo {
		return refused
	}
	var known *engine.Error
	if len(p.problems) == 0 || errors.As(err, &known) && known.Hint != "" {
		return err
	}
	if p.mode == wouldDo {
		return errors.New("the preview failed, for the reasons above. Nothing was changed")
	}
	return errors.New("the operation failed, for the reasons above. What was finished is in the state; the same command goes on from there")
}

func (p *progress) summary() string {
	var parts []string
	for _, op := range []apitype.OpType{apitype.OpCreate, apitype.OpImport, apitype.OpUpdate, apitype.OpReplace, apitype.OpDelete} {
		if n := p.counts[op]; n > 0 {
			v, _ := verbOf(op)
			word := v.words[p.mode]
			if p.mode == wouldDo {
				word = "to " + word
			}
			parts = append(parts, fmt.Sprintf("%d %s", n, word))
		}
	}
	switch {
	case len(parts) > 0:
		return strings.Join(parts, ", ") + "."
	case p.mode == found:
		return "Nothing was changed by anybody else."
	default:
		return "Nothing to change."
	}
}

func (p *progress) state() string {
	if len(p.started) == 0 {
		return ""
	}
	var oldest string
	for urn, start := range p.started {
		if oldest == "" || start.Before(p.started[oldest]) {
			oldest = urn
		}
	}
	text := fmt.Sprintf("%d done", p.done)
	if p.total > 0 {
		text = fmt.Sprintf("%d of %d done", p.done, p.total)
	}
	return fmt.Sprintf("%s, %d under way; longest: %s for %s", text, len(p.started), nameOf(oldest),
		p.now().Sub(p.started[oldest]).Round(time.Second))
}

func (p *progress) paint(sign, text string) string {
	codes := map[string]string{"+": "32", "~": "33", "±": "35", "-": "31", "!": "31;1"}
	if !p.color || codes[sign] == "" {
		return text
	}
	return "\x1b[" + codes[sign] + "m" + text + "\x1b[0m"
}

func isCustom(m apitype.StepEventMetadata) bool {
	state := m.New
	if state == nil {
		state = m.Old
	}
	return state != nil && state.Custom && !strings.HasPrefix(m.Type, "pulumi:")
}

// changedKeys names what makes a resource change or be replaced.
func changedKeys(m apitype.StepEventMetadata) string {
	if m.Op == apitype.OpCreate || m.Op == apitype.OpDelete {
		return ""
	}
	if m.Type == hostToken && len(m.DetailedDiff) > 0 {
		return hostChanges(m)
	}
	if len(m.Keys) > 0 {
		return strings.Join(m.Keys, ", ")
	}
	return strings.Join(m.Diffs, ", ")
}

// plain removes the engine's colour marks.
func plain(text string) string { return colors.Never.Colorize(text) }

// shortType is a type token as people say it: aws:ec2/vpc:Vpc is aws:ec2:Vpc.
func shortType(token string) string {
	module, name, ok := cutLast(token, ":")
	if !ok {
		return token
	}
	if before, _, ok := strings.Cut(module, "/"); ok {
		module = before
	}
	return module + ":" + name
}

func nameOf(urn string) string {
	if _, name, ok := cutLast(urn, "::"); ok {
		return name
	}
	return urn
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
