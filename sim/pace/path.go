package pace

import (
	"strings"
	"time"
)

// Change is what a plan does to a resource. The zero Change creates it.
type Change string

// The changes that a plan makes.
const (
	Create  Change = ""
	Update  Change = "update"
	Replace Change = "replace" // the old one goes first
	Delete  Change = "delete"
	Keep    Change = "keep"
)

// Resource is one resource of a plan.
type Resource struct {
	URN, Token   string
	Parent       string   // a URN; empty: none
	Dependencies []string // the URNs that it waits for, for whatever reason, as the engine's state lists them
	Provider     string   // the URN of its provider resource, with or without the "::id" of the engine's references
	Data         []string // of the dependencies, those that its arguments come from (the state's property dependencies)
	Change       Change
}

// CriticalPath returns how long a plan takes when everything runs as early as what it waits for allows, and the chain
// that takes this long: the URNs that take time, in the order in which they wait for each other. A resource waits for
// its dependencies, its parent and its provider. URNs that are not among the resources are there already. Of chains that
// take the same time, the first by URN is returned. Plans that delete much wait the other way round: leave deletions out.
func CriticalPath(resources []Resource) (total time.Duration, path []string) {
	return longest(resources, func(r Resource) []string {
		return append([]string{r.Parent, provider(r)}, r.Dependencies...)
	})
}

// LowerBound returns how long the same plan would take if everything waited only for what its arguments are made of. What
// CriticalPath takes longer is the price of dependencies that somebody stated: they may be needed, and are worth a look.
func LowerBound(resources []Resource) (total time.Duration, path []string) {
	return longest(resources, func(r Resource) []string {
		return append([]string{r.Parent, provider(r)}, r.Data...)
	})
}

// provider returns the URN in a reference to a provider.
func provider(r Resource) string {
	parts := strings.Split(r.Provider, "::")
	return strings.Join(parts[:min(len(parts), 4)], "::") // a URN has four parts, the id of a reference is a fifth
}

// chain is the longest way to the end of one resource.
type chain struct {
	ends     time.Duration
	last     string // its last URN
	before   *chain
	ownTime  time.Duration
	visiting bool
}

func longest(resources []Resource, waitsFor func(Resource) []string) (time.Duration, []string) {
	g := graph{times: Times(), byURN: map[string]Resource{}, done: map[string]*chain{}, waitsFor: waitsFor}
	for _, r := range resources {
		g.byURN[r.URN] = r
	}
	var best *chain
	for _, r := range resources {
		if c := g.chainTo(r); c.longer(best) {
			best = c
		}
	}
	if best == nil {
		return 0, nil
	}
	var path []string
	for c := best; c != nil; c = c.before {
		if c.ownTime > 0 {
			path = append([]string{c.last}, path...)
		}
	}
	return best.ends, path
}

type graph struct {
	times    map[string]Time
	byURN    map[string]Resource
	done     map[string]*chain
	waitsFor func(Resource) []string
}

// chainTo returns the longest chain that ends with r. A circle, which no engine makes, is cut.
func (g *graph) chainTo(r Resource) *chain {
	if c, ok := g.done[r.URN]; ok {
		return c
	}
	c := &chain{last: r.URN, visiting: true, ownTime: of(g.times, r.Token, r.Change)}
	g.done[r.URN] = c
	for _, urn := range g.waitsFor(r) {
		other, ok := g.byURN[urn]
		if !ok {
			continue
		}
		if before := g.chainTo(other); !before.visiting && before.longer(c.before) {
			c.before = before
		}
	}
	c.ends, c.visiting = c.ownTime, false
	if c.before != nil {
		c.ends += c.before.ends
	}
	return c
}

// longer says whether c is to be preferred to another chain.
func (c *chain) longer(other *chain) bool {
	return other == nil || c.ends > other.ends || c.ends == other.ends && c.last < other.last
}
