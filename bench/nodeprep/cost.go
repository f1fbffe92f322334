package main

import (
	"cmp"
	"fmt"
	"slices"
	"syscall"
	"time"
)

// cost is what something took: time on the clock, and of processors, here and on the hosts. On a machine that does other
// things as well, the second is the one to compare.
type cost struct{ wall, processor time.Duration }

// String is a row of the table.
func (c cost) String() string {
	return fmt.Sprintf("%9.2f %11.2f", c.wall.Seconds(), c.processor.Seconds())
}

// measured runs f and says what it took.
func (f *field) measured(do func() error) (cost, error) {
	before, err := f.processor()
	if err != nil {
		return cost{}, err
	}
	start := time.Now()
	if err := do(); err != nil {
		return cost{}, err
	}
	wall := time.Since(start)
	// A host knows what a session took once it has seen it end.
	time.Sleep(time.Second)
	after, err := f.processor()
	return cost{wall, after - before}, err
}

// processor is the processor time of this process, of its children that have ended, and of all hosts.
func (f *field) processor() (time.Duration, error) {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var r syscall.Rusage
		if err := syscall.Getrusage(who, &r); err != nil {
			return 0, err
		}
		sum += time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	for _, h := range f.hosts {
		p, err := h.Processor()
		if err != nil {
			return 0, err
		}
		sum += p
	}
	return sum, nil
}

// median has the middle one of each.
func median(c []cost) cost {
	slices.SortFunc(c, func(a, b cost) int { return cmp.Compare(a.processor, b.processor) })
	processor := c[len(c)/2].processor
	slices.SortFunc(c, func(a, b cost) int { return cmp.Compare(a.wall, b.wall) })
	return cost{c[len(c)/2].wall, processor}
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }
