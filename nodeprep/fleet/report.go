package fleet

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/facts"
)

// Status is what became of a host.
type Status string

// Statuses.
const (
	Right       Status = "right"
	Seen        Status = "seen"    // its facts are known, and nothing was judged
	Changed     Status = "changed" // and right now
	Differs     Status = "differs"
	NeedsReboot Status = "needs-reboot"
	Blocked     Status = "blocked"
	Failed      Status = "failed"
	Interrupted Status = "interrupted" // it was under way when the run was; another run goes on
	NotStarted  Status = "not-started"
)

// Outcome is one host of a report.
type Outcome struct {
	Host    string            `json:"host"`
	Status  Status            `json:"status"`
	Error   string            `json:"error,omitempty"`
	Reboots int               `json:"reboots,omitempty"`
	Seconds float64           `json:"seconds"`
	Results []nodeprep.Result `json:"results,omitempty"`
	Plan    *nodeprep.Plan    `json:"plan,omitempty"`
	Facts   *facts.Host       `json:"facts,omitempty"`
}

// Failed says whether the host counts as a failure: something is wrong that another run would not mend by itself.
func (o Outcome) Failed() bool { return o.Status == Failed || o.Status == Blocked }

// Report is all hosts, in the order in which they were named.
type Report struct {
	Hosts []Outcome `json:"hosts"`
}

// Exit codes of a report, the gravest that applies. 1 and 2 are left to mistakes in what was asked.
const (
	ExitRight   = 0 // every host is as wanted
	ExitFailed  = 3 // a host failed or is blocked, or was interrupted or not started
	ExitDiffers = 4 // a host differs, or needs a reboot
)

// ExitCode is what a command ends with.
func (r *Report) ExitCode() int {
	code := ExitRight
	for _, h := range r.Hosts {
		switch h.Status {
		case Failed, Blocked, Interrupted, NotStarted:
			return ExitFailed
		case Differs, NeedsReboot:
			code = ExitDiffers
		}
	}
	return code
}

// Count says how many hosts have a status.
func (r *Report) Count(s Status) int {
	n := 0
	for _, h := range r.Hosts {
		if h.Status == s {
			n++
		}
	}
	return n
}

// Summary is the report in one line.
func (r *Report) Summary() string {
	parts := []string{counted(len(r.Hosts))}
	for _, s := range []Status{Failed, Blocked, Interrupted, NotStarted, Differs, NeedsReboot, Changed, Right, Seen} {
		if n := r.Count(s); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	return strings.Join(parts, ", ")
}

// counted is a number of hosts.
func counted(n int) string {
	if n == 1 {
		return "1 host"
	}
	return fmt.Sprintf("%d hosts", n)
}

// detail is what is said about a host beside its status.
func (o Outcome) detail() string {
	if o.Error != "" {
		return o.Error
	}
	if o.Plan == nil {
		return ""
	}
	var reasons []string
	for _, i := range o.Plan.Items {
		if i.Verdict != nodeprep.OK && i.Verdict != nodeprep.NotApplicable {
			reasons = append(reasons, fmt.Sprintf("%s %s", i.Key, i.Verdict))
		}
	}
	return strings.Join(reasons, ", ")
}

// WriteText writes a line a host, and the summary.
func (r *Report) WriteText(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, h := range r.Hosts {
		line := strings.TrimRight(fmt.Sprintf("%s\t%s\t%s", h.Host, h.Status, h.detail()), "\t")
		if _, err := fmt.Fprintln(table, line); err != nil {
			return err
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, r.Summary())
	return err
}

// WriteJSON writes the report for machines.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

type (
	suites struct {
		XMLName xml.Name `xml:"testsuites"`
		Suites  []suite  `xml:"testsuite"`
	}
	suite struct {
		XMLName  xml.Name `xml:"testsuite"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Skipped  int      `xml:"skipped,attr"`
		Cases    []test   `xml:"testcase"`
	}
	test struct {
		Name    string   `xml:"name,attr"`
		Class   string   `xml:"classname,attr"`
		Time    string   `xml:"time,attr"`
		Failure *message `xml:"failure"`
		Skipped *message `xml:"skipped"`
	}
	message struct {
		Text string `xml:"message,attr"`
	}
)

// WriteJUnit writes a test case a host: one that is not right has failed, one that was not started is skipped.
func (r *Report) WriteJUnit(w io.Writer) error {
	s := suite{Name: "nodeprep", Tests: len(r.Hosts)}
	for _, h := range r.Hosts {
		c := test{Name: h.Host, Class: "nodeprep", Time: fmt.Sprintf("%.3f", h.Seconds)}
		switch h.Status {
		case Right, Changed, Seen:
		case NotStarted:
			s.Skipped++
			c.Skipped = &message{string(h.Status)}
		default:
			s.Failures++
			c.Failure = &message{strings.TrimRight(string(h.Status)+": "+h.detail(), ": ")}
		}
		s.Cases = append(s.Cases, c)
	}
	return writeXML(w, s)
}

// writeXML writes a document.
func writeXML(w io.Writer, document any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(document); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
