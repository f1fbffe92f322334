package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"

	"github.com/gpuyard/gpuyard/internal/engine"
	"github.com/gpuyard/gpuyard/sim/pace"
)

// shownSteps is how many steps of the longest chain are shown: the others take seconds.
const shownSteps = 5

// estimate writes how long an update takes on AWS until everything is ready, which is how long its longest chain takes.
func (a *app) estimate(steps []engine.Step) {
	plan := paced(steps)
	total, path := pace.CriticalPath(plan)
	bound, _ := pace.LowerBound(plan)
	writeEstimate(a.out, total, bound, durations(plan, path))
}

// paced are steps as package pace takes them. Deletions are left out: they wait the other way round, and nobody for them.
func paced(steps []engine.Step) []pace.Resource {
	var plan []pace.Resource
	for _, s := range steps {
		r := pace.Resource{URN: s.URN, Token: s.Type, Parent: s.Parent, Provider: s.Provider, Dependencies: s.Dependencies, Data: s.Data, Change: pace.Keep}
		switch has := func(op apitype.OpType) bool { return slices.Contains(s.Ops, op) }; {
		case has(apitype.OpReplace), has(apitype.OpCreateReplacement):
			r.Change = pace.Replace
		case has(apitype.OpCreate):
			r.Change = pace.Create
		case has(apitype.OpUpdate):
			r.Change = pace.Update
		}
		plan = append(plan, r)
	}
	return plan
}

// timed is a resource of a chain, and how long it takes.
type timed struct {
	urn   string
	takes time.Duration
}

func durations(plan []pace.Resource, path []string) []timed {
	var chain []timed
	for _, urn := range path {
		i := slices.IndexFunc(plan, func(r pace.Resource) bool { return r.URN == urn })
		chain = append(chain, timed{urn, pace.Real.Takes(plan[i].Token, plan[i].Change)})
	}
	return chain
}

func writeEstimate(out io.Writer, total, bound time.Duration, chain []timed) {
	if total == 0 {
		return
	}
	least := shortest(chain)
	fmt.Fprintf(out, "\nReady in about %s on AWS, which is how long this chain takes:\n", about(total))
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	var rest time.Duration
	for _, c := range chain {
		if c.takes < least {
			rest += c.takes
			continue
		}
		fmt.Fprintf(table, "  %s %s\t%s\n", shortType(typeOf(c.urn)), nameOf(c.urn), c.takes)
	}
	if rest > 0 {
		fmt.Fprintf(table, "  and shorter steps\t%s\n", rest)
	}
	_ = table.Flush() // a standard stream that cannot be written to has nobody to tell
	fmt.Fprintf(out, "At least %s, if everything waited only for what its arguments are made of.\n", about(bound))
}

// shortest is how long the shortest step takes that is shown.
func shortest(chain []timed) time.Duration {
	var all []time.Duration
	for _, c := range chain {
		all = append(all, c.takes)
	}
	slices.Sort(all)
	return all[max(0, len(all)-shownSteps)]
}

// about is a time as people say it: in minutes, or in seconds where it is short.
func about(d time.Duration) string {
	if d < 2*time.Minute {
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f min", d.Minutes())
}
