package fault

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
)

// Kind is what happens to an operation.
type Kind string

// The kinds of faults.
const (
	// Throttle refuses an operation as the real cloud refuses too many requests, after the provider has given up
	// trying again. Nothing has happened.
	Throttle Kind = "throttle"
	// NoCapacity lets a node group be made for which no instances are to be had: it exists, and its creation failed.
	NoCapacity Kind = "no-capacity"
	// Timeout does what was asked, and answers that it took too long. A provider that waits for a resource knows its
	// identifier by then, and reports it with the failure.
	Timeout Kind = "timeout"
	// Crash ends the provider before the cloud has heard of the operation: the connection drops.
	Crash Kind = "crash"
	// CrashAfter ends the provider after the cloud has done what was asked: nobody learns of it.
	CrashAfter Kind = "crash-after"
)

var kinds = []Kind{Throttle, NoCapacity, Timeout, Crash, CrashAfter}

// The operations that faults strike.
const (
	Create = "create"
	Update = "update"
	Delete = "delete"
	Read   = "read"
	Call   = "call" // of a function
	Any    = "any"
)

var verbs = []string{Create, Update, Delete, Read, Call, Any}

// Always is the Times of a fault that never ends.
const Always = -1

// Fault is something that goes wrong on demand.
type Fault struct {
	Kind  Kind
	Token string // of the resource type or function, a pattern with *: aws:ec2/*
	On    string // the operation; empty means Create
	Name  string // of the Pulumi resource, a pattern with *; empty means any
	Zone  string // with NoCapacity, the zone without capacity, by name or id; empty means every zone
	From  int    // the first matching operation that it strikes, counted from 1; 0 means 1
	Times int    // how many it strikes from there; 0 means 1, Always all
}

// String returns f as Parse reads it.
func (f Fault) String() string {
	text := string(f.Kind) + "@" + f.Token
	add := func(key, value string) { text += "," + key + "=" + value }
	if on := f.on(); on != Create {
		add("on", on)
	}
	if f.Name != "" {
		add("name", f.Name)
	}
	if f.Zone != "" {
		add("zone", f.Zone)
	}
	if f.From > 1 {
		add("from", fmt.Sprint(f.From))
	}
	switch {
	case f.Times == Always:
		add("times", "all")
	case f.Times > 1:
		add("times", fmt.Sprint(f.Times))
	}
	return text
}

// Check says what is wrong with a fault. tokens are the resource types and functions that there are; capacity are those
// that start instances.
func (f Fault) Check(tokens, capacity []string) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("the fault %s: %s", f, fmt.Sprintf(format, args...))
	}
	matching := func(t string) bool { return matches(f.Token, t) }
	switch {
	case !slices.Contains(kinds, f.Kind):
		return wrong("%q is no kind of fault; there are %s", f.Kind, joined(kinds))
	case !slices.Contains(verbs, f.on()):
		return wrong("on is %q, wanted one of %s", f.On, joined(verbs))
	case !slices.ContainsFunc(tokens, matching):
		return wrong("the embedded cloud has no resource type or function that %s stands for%s", f.Token, catalog.Instead(f.Token, tokens))
	case f.Kind == NoCapacity && f.on() != Create:
		return wrong("%s strikes the creation of node groups only", f.Kind)
	case f.Kind == NoCapacity && !slices.ContainsFunc(capacity, matching):
		return wrong("%s starts no instances; %s does", f.Token, joined(capacity))
	case f.Zone != "" && f.Kind != NoCapacity:
		return wrong("zone goes with %s only", NoCapacity)
	case f.From < 0 || f.Times < Always:
		return wrong("from and times are counts")
	}
	return nil
}

func (f Fault) on() string {
	if f.On == "" {
		return Create
	}
	return f.On
}

// after says whether the fault strikes when the cloud has done its part.
func (f Fault) after() bool { return f.Kind != Throttle && f.Kind != Crash }

// matches says whether a pattern stands for a text. Without *, it is the text itself.
func matches(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(text, parts[0])
	if !ok || len(parts) == 1 {
		return ok && rest == ""
	}
	for _, p := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(rest, p)
		if !found {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, parts[len(parts)-1])
}

func joined[T ~string](words []T) string {
	var all []string
	for _, w := range words {
		all = append(all, string(w))
	}
	return strings.Join(all, ", ")
}
