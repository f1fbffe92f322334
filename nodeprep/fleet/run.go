package fleet

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

// Host is a host of the fleet.
type Host struct {
	Name    string
	Profile profile.Profile
	// Runner reaches the host. One that can be closed is closed when the host is done: of a thousand connections, only
	// those that are at work are open.
	Runner nodeprep.Runner
}

// Options say how a fleet is gone through.
type Options struct {
	// Apply changes hosts; otherwise they are only looked at.
	Apply bool
	// Facts asks what hosts are and judges nothing.
	Facts bool
	// Canaries, Wave, Concurrency (default 32) and StopAfter are those of a [Schedule].
	Canaries, Wave, Concurrency, StopAfter int
	// Reboots is how many hosts may be down at once; 0: none is rebooted.
	Reboots     int
	BootTimeout time.Duration
	// HostTimeout is how long one host may take; 0: an hour.
	HostTimeout time.Duration
	// Progress is told when a host starts and when it is done, from one goroutine.
	Progress func(Event)
	// Poll is the pause between two looks for a host that boots; 0: the default of nodeprep.
	Poll time.Duration
}

// Event is a host that starts (no outcome) or is done.
type Event struct {
	Host    string
	Outcome *Outcome
}

// Run goes through a fleet. It returns when every host that was started is done, and closes each host's runner, if that
// can be closed, when the host is done: a thousand connections are not kept open for a report.
func Run(ctx context.Context, hosts []Host, o Options) *Report {
	if o.Concurrency == 0 {
		o.Concurrency = 32
	}
	if o.HostTimeout == 0 {
		o.HostTimeout = time.Hour
	}
	tell := o.Progress
	if tell == nil {
		tell = func(Event) {}
	}
	budget := make(chan struct{}, max(1, o.Reboots))
	schedule := &Schedule{Hosts: len(hosts), Canaries: o.Canaries, Wave: o.Wave, Concurrency: o.Concurrency, StopAfter: o.StopAfter}
	report := &Report{Hosts: make([]Outcome, len(hosts))}
	for n, h := range hosts {
		report.Hosts[n] = Outcome{Host: h.Name, Status: NotStarted}
	}
	type finished struct {
		host    int
		outcome Outcome
	}
	done := make(chan finished)
	for !schedule.Over() {
		for ctx.Err() == nil {
			n, ok := schedule.Start()
			if !ok {
				break
			}
			tell(Event{Host: hosts[n].Name})
			go func() { done <- finished{n, one(ctx, hosts[n], o, budget)} }()
		}
		if ctx.Err() != nil && schedule.running == 0 {
			break
		}
		f := <-done
		report.Hosts[f.host] = f.outcome
		schedule.Finish(f.outcome.Failed())
		tell(Event{Host: f.outcome.Host, Outcome: &f.outcome})
	}
	return report
}

// one looks at or prepares one host.
func one(ctx context.Context, h Host, o Options, budget chan struct{}) Outcome {
	start, run := time.Now(), ctx
	ctx, cancel := context.WithTimeoutCause(ctx, o.HostTimeout, errors.New("the host took longer than "+o.HostTimeout.String()))
	defer cancel()
	if c, can := h.Runner.(io.Closer); can {
		defer c.Close() //nolint:errcheck // what the host said is what counts
	}
	out := Outcome{Host: h.Name}
	if o.Apply {
		out = apply(ctx, h, o, budget)
	} else if seen, err := nodeprep.Gather(ctx, h.Runner, h.Profile); err != nil {
		out.Status, out.Error = Failed, err.Error()
	} else if o.Facts {
		out.Facts, out.Status = seen, Seen
	} else if plan, err := nodeprep.NewPlan(h.Profile, seen); err != nil {
		out.Status, out.Error = Failed, err.Error()
	} else {
		out.Plan, out.Status = plan, statusOf(plan)
	}
	if out.Status == Failed && run.Err() != nil {
		out.Status = Interrupted
	}
	out.Host, out.Seconds = h.Name, time.Since(start).Seconds()
	out.Error = nodeprep.NewRedactor(h.Profile).Text(out.Error)
	return out
}

func apply(ctx context.Context, h Host, o Options, budget chan struct{}) Outcome {
	options := nodeprep.ApplyOptions{BootTimeout: o.BootTimeout, Poll: o.Poll}
	if o.Reboots > 0 {
		options.MayReboot = func(ctx context.Context) (func(), error) {
			select {
			case budget <- struct{}{}:
				return func() { <-budget }, nil
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
		}
	}
	done, err := nodeprep.Apply(ctx, h.Runner, h.Profile, options)
	out := Outcome{Plan: done.After, Results: done.Results, Reboots: done.Reboots}
	switch {
	case err != nil:
		out.Status, out.Error = Failed, err.Error()
	case done.After.Right() && done.Before.Right():
		out.Status = Right
	case done.After.Right():
		out.Status = Changed
	default:
		out.Status = statusOf(done.After)
	}
	return out
}

// statusOf is a plan in one word.
func statusOf(p *nodeprep.Plan) Status {
	switch {
	case p.Count(nodeprep.Blocked) > 0:
		return Blocked
	case p.Changes():
		return Differs
	case p.Reboot():
		return NeedsReboot
	}
	return Right
}
