package main

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/gpuyard/gpuyard/nodeprep/fleet"
)

// fleetWatch shows how far a fleet is. On a terminal a bar is drawn, with the hosts that are under way; what a host came
// to is a line above it. Elsewhere only these lines are written.
type fleetWatch struct {
	out   io.Writer
	bars  *mpb.Progress // nil where there is no terminal
	bar   *mpb.Bar
	total int
	done  int

	mu      sync.Mutex // the bar is drawn by a goroutine of its own
	failed  int
	running []string
}

func (a *app) watchFleet(total int) *fleetWatch {
	w := &fleetWatch{out: a.err, total: total}
	if !a.live {
		return w
	}
	w.bars = mpb.New(mpb.WithOutput(a.err), mpb.WithWidth(24))
	w.bar = w.bars.AddBar(int64(total),
		mpb.PrependDecorators(decor.CountersNoUnit("%d of %d hosts")),
		mpb.AppendDecorators(decor.Elapsed(decor.ET_STYLE_GO), decor.Any(w.underWay)),
		mpb.BarRemoveOnComplete(),
	)
	w.out = w.bars
	return w
}

// underWay says which hosts are under way, as many as a line can hold.
func (w *fleetWatch) underWay(decor.Statistics) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	const most = 3
	names := w.running
	more := ""
	if len(names) > most {
		names, more = names[:most], fmt.Sprintf(" and %d more", len(w.running)-most)
	}
	text := "  " + strings.Join(names, ", ") + more
	if w.failed > 0 {
		text = fmt.Sprintf("  %d failed%s", w.failed, text)
	}
	return text
}

// tell takes note of what happened to a host.
func (w *fleetWatch) tell(e fleet.Event) {
	w.mu.Lock()
	if e.Outcome == nil {
		w.running = append(w.running, e.Host)
		w.mu.Unlock()
		return
	}
	for n, name := range w.running {
		if name == e.Host {
			w.running = append(w.running[:n:n], w.running[n+1:]...)
			break
		}
	}
	if e.Outcome.Failed() {
		w.failed++
	}
	w.mu.Unlock()
	w.done++
	line := fmt.Sprintf("[%d/%d] %s: %s", w.done, w.total, e.Host, e.Outcome.Status)
	if e.Outcome.Reboots > 0 {
		line += fmt.Sprintf(" after %d reboots", e.Outcome.Reboots)
	}
	fmt.Fprintf(w.out, "%s (%.1f s)\n", line, e.Outcome.Seconds) //nolint:errcheck // a reader that is gone sees nothing
	if w.bar != nil {
		w.bar.Increment()
	}
}

// finish takes the bar away. Hosts that were not started leave it incomplete.
func (w *fleetWatch) finish() {
	if w.bars == nil {
		return
	}
	w.bar.Abort(true)
	w.bars.Wait()
}
