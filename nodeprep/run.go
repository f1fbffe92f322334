package nodeprep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// Runner runs one script on one host.
type Runner interface {
	// Run runs a POSIX shell script as root and returns what it wrote to its standard output. An error that says
	// OutcomeUnknown() is one after which the script may have run.
	Run(ctx context.Context, script string) ([]byte, error)
}

// Reconnecter is a runner that can be asked for a new connection: what an old one says after a reboot means nothing.
type Reconnecter interface {
	Reconnect(ctx context.Context) error
}

// Gather asks a host what it is, in one script that only reads.
func Gather(ctx context.Context, r Runner, p profile.Profile) (*facts.Host, error) {
	out, err := r.Run(ctx, script.Of(facts.Script(Query(p))).Script())
	if err != nil {
		return nil, NewRedactor(p).Error(fmt.Errorf("asking the host for its facts: %w", err))
	}
	answer, err := parseAnswer(out)
	if err != nil {
		return nil, err
	}
	if answer.Host == nil {
		return nil, facts.ErrIncomplete
	}
	return answer.Host, nil
}

// Result is what became of one item on a host.
type Result struct {
	Key    string `json:"key"`
	Status string `json:"status"` // ok, changed, reboot, not-applicable, skipped or failed; of a revert: reverted, kept or failed
	Detail string `json:"detail,omitempty"`
}

// RefusedError is a host's own word that it did nothing.
type RefusedError struct {
	Status string // busy, refused or damaged
	Reason string
}

// Error is the host's reason.
func (e *RefusedError) Error() string { return "the host did nothing (" + e.Status + "): " + e.Reason }

// answer is what a script printed.
type answer struct {
	Results []Result
	Status  string // done, reboot or failed; empty: the run did not end
	Detail  string
	Host    *facts.Host
}

// parseAnswer reads lines of results and the document of facts; anything else, such as a login banner, is left out.
func parseAnswer(out []byte) (answer, error) {
	var a answer
	for line := range bytes.Lines(out) {
		line = bytes.TrimRight(line, "\r\n")
		if bytes.HasPrefix(line, []byte(`{"format":`)) {
			h, err := facts.Parse(line)
			if err != nil {
				return a, err
			}
			a.Host = h
			continue
		}
		f := strings.SplitN(string(line), "\t", 4)
		if len(f) != 4 || f[0] != "np" {
			continue
		}
		if f[1] == "end" || f[1] == "reboot" {
			a.Status, a.Detail = f[2], f[3]
			continue
		}
		a.Results = append(a.Results, Result{Key: f[1], Status: f[2], Detail: f[3]})
	}
	if slices.Contains([]string{"busy", "refused", "damaged"}, a.Status) {
		return a, &RefusedError{Status: a.Status, Reason: a.Detail}
	}
	return a, nil
}

// ApplyOptions say how far Apply goes.
type ApplyOptions struct {
	// MayReboot is asked before a reboot and may wait for its turn; release is called when the host is back. nil: no
	// reboot, and the report says that one is needed.
	MayReboot func(ctx context.Context) (release func(), err error)
	// BootTimeout is how long a host may take to come back; 0: 20 minutes. Servers with eight GPUs take ten.
	BootTimeout time.Duration
	// Poll is the pause between two looks for a host that boots; 0: 5 seconds.
	Poll time.Duration
}

// Report is what Apply did.
type Report struct {
	Before  *Plan    // as the host was
	After   *Plan    // as it is now; nil if it could not be asked
	Results []Result // of all rounds, in order
	Reboots int
	// Waiting says that the host is right after a reboot that was not allowed.
	Waiting bool
}

// ErrFailed is a run in which items failed; the report has which.
var ErrFailed = errors.New("items failed")

// maxRounds is how often a host is looked at and changed: at most twice it reboots in between.
const maxRounds = 3

// Apply brings a host to what a profile wants: it asks, plans, carries the plan out, and after a reboot asks and plans
// again. What was done before a connection was lost is found, and not done again.
func Apply(ctx context.Context, r Runner, p profile.Profile, o ApplyOptions) (*Report, error) {
	report := &Report{}
	return report, NewRedactor(p).Error(rounds(ctx, r, p, o, report))
}

// rounds asks, plans and carries out, until the host is right or nothing more can be done.
func rounds(ctx context.Context, r Runner, p profile.Profile, o ApplyOptions, report *Report) error {
	h, err := Gather(ctx, r, p)
	if err != nil {
		return err
	}
	for range maxRounds {
		plan, err := NewPlan(p, h)
		if err != nil {
			return err
		}
		if report.Before == nil {
			report.Before = plan
		}
		report.After = plan
		if !plan.Changes() && !plan.Reboot() {
			return nil
		}
		ans, err := carryOut(ctx, r, p, plan)
		report.Results = append(report.Results, redacted(p, ans.Results)...)
		if err != nil {
			report.After = nil
			return err
		}
		if report.After, err = NewPlan(p, ans.Host); err != nil {
			return err
		}
		if ans.Status != "reboot" {
			return failure(ans)
		}
		if o.MayReboot == nil {
			report.Waiting = true
			return nil
		}
		if h, err = reboot(ctx, r, p, ans.Host, o); err != nil {
			return err
		}
		report.Reboots++
	}
	return fmt.Errorf("the host is not right after %d rounds: %s", maxRounds, report.After.Summary())
}

// carryOut runs a plan's script. If the connection is lost, the host is asked again: it may have done all of it.
func carryOut(ctx context.Context, r Runner, p profile.Profile, plan *Plan) (answer, error) {
	out, err := r.Run(ctx, plan.Body().Script())
	if err == nil {
		ans, err := parseAnswer(out)
		if err == nil && (ans.Host == nil || ans.Status == "") {
			err = facts.ErrIncomplete
		}
		return ans, err
	}
	again, can := r.(Reconnecter)
	if !outcomeUnknown(err) || !can {
		return answer{}, fmt.Errorf("carrying out the plan: %w", err)
	}
	if err := again.Reconnect(ctx); err != nil {
		return answer{}, fmt.Errorf("the connection was lost while the plan was carried out, and no new one comes: %w", err)
	}
	h, err := Gather(ctx, r, p)
	if err != nil {
		return answer{}, err
	}
	return answer{Host: h, Status: h.State["status"], Detail: "the connection was lost on the way"}, nil
}

func failure(ans answer) error {
	switch ans.Status {
	case "done":
		return nil
	case "running":
		return errors.New("the host is still at it: look again later")
	}
	for _, r := range ans.Results {
		if r.Status == "failed" {
			return fmt.Errorf("%w: %s: %s", ErrFailed, r.Key, r.Detail)
		}
	}
	return fmt.Errorf("%w (%s)", ErrFailed, ans.Status)
}

// reboot has the host reboot for what the run left, and waits for another boot id over a new connection.
func reboot(ctx context.Context, r Runner, p profile.Profile, before *facts.Host, o ApplyOptions) (*facts.Host, error) {
	again, can := r.(Reconnecter)
	if !can {
		return nil, errors.New("this runner cannot connect again, so the host is not rebooted")
	}
	release, err := o.MayReboot(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	out, err := r.Run(ctx, script.Reboot().Script())
	if err != nil {
		if !outcomeUnknown(err) {
			return nil, fmt.Errorf("rebooting: %w", err)
		}
	} else if _, err := parseAnswer(out); err != nil {
		return nil, fmt.Errorf("rebooting: %w", err)
	}
	limit, poll := o.BootTimeout, o.Poll
	if limit == 0 {
		limit = 20 * time.Minute
	}
	if poll == 0 {
		poll = 5 * time.Second
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("the host did not come back within %v", limit))
	defer cancel()
	for {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(poll):
		}
		// The old connection may answer until the machine goes down: only another boot id over a new one counts.
		if again.Reconnect(ctx) != nil {
			continue
		}
		if h, err := Gather(ctx, r, p); err == nil && h.BootID != before.BootID {
			return h, nil
		}
	}
}

func redacted(p profile.Profile, results []Result) []Result {
	r := NewRedactor(p)
	for n := range results {
		results[n].Detail = r.Text(results[n].Detail)
	}
	return results
}
