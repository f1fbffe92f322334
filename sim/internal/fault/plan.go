package fault

import (
	"slices"
	"sync"
)

// Operation is one operation as faults see it.
type Operation struct {
	Verb      string // Create, Update, Delete, Read or Call
	Token     string
	Name      string      // of the Pulumi resource; empty in calls
	Instances string      // what instances the operation starts, in words; empty: none
	Zones     [][2]string // where it may start them, by name and by id
}

// Plan is what goes wrong in a cloud, and what has passed so far. A nil Plan is no faults.
type Plan struct {
	mu    sync.Mutex
	armed []*armed
}

// armed is a fault with the number of operations that it has seen.
type armed struct {
	Fault
	seen int
}

// NewPlan returns a plan of faults that have seen nothing yet.
func NewPlan(faults []Fault) *Plan {
	p := &Plan{}
	for _, f := range faults {
		p.armed = append(p.armed, &armed{Fault: f})
	}
	return p
}

// Before returns the fault that strikes an operation before the cloud has heard of it.
func (p *Plan) Before(op Operation) (Fault, bool) { return p.strike(op, false) }

// After returns the fault that strikes an operation when the cloud has done its part.
func (p *Plan) After(op Operation) (Fault, bool) { return p.strike(op, true) }

// strike counts an operation for every fault of a phase that it matches, and returns the first whose turn it is.
func (p *Plan) strike(op Operation, after bool) (struck Fault, ok bool) {
	if p == nil {
		return Fault{}, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.armed {
		if a.after() != after || !a.covers(op) {
			continue
		}
		a.seen++
		first := max(a.From, 1)
		last := first + max(a.Times, 1) - 1
		if turn := a.seen >= first && (a.Times == Always || a.seen <= last); turn && !ok {
			struck, ok = a.Fault, true
		}
	}
	return struck, ok
}

// covers says whether a fault is about an operation.
func (f Fault) covers(op Operation) bool {
	if on := f.on(); on != Any && on != op.Verb || !matches(f.Token, op.Token) || f.Name != "" && !matches(f.Name, op.Name) {
		return false
	}
	if f.Kind != NoCapacity {
		return true
	}
	elsewhere := func(z [2]string) bool { return !slices.Contains(z[:], f.Zone) }
	return op.Instances != "" && (f.Zone == "" || !slices.ContainsFunc(op.Zones, elsewhere))
}
