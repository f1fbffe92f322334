package pack

import (
	"slices"
	"time"
)

// Stack is all resources of a stack, as a stack policy sees it.
type Stack struct {
	now    time.Time
	all    []*Resource
	byURN  map[string]*Resource
	byType map[string][]*Resource
	pools  []pool
}

// NewStack indexes the resources of a stack. Now is the time at which it is judged: some things have a beginning.
func NewStack(resources []Resource, now time.Time) *Stack {
	s := &Stack{now: now, byURN: make(map[string]*Resource, len(resources)), byType: map[string][]*Resource{}}
	for i := range resources {
		r := &resources[i]
		s.all = append(s.all, r)
		s.byURN[r.URN] = r
		s.byType[Unversioned(r.Type)] = append(s.byType[Unversioned(r.Type)], r)
	}
	s.pools = findPools(s)
	return s
}

// Of returns the resources of some types, in the order of the stack.
func (s *Stack) Of(tokens ...string) []*Resource {
	if len(tokens) == 1 {
		return s.byType[tokens[0]]
	}
	var found []*Resource
	for _, r := range s.all {
		if slices.Contains(tokens, Unversioned(r.Type)) {
			found = append(found, r)
		}
	}
	return found
}

// Behind returns the resources of some types that a property of a resource comes from, by the engine's own record.
// That record names everything that a value was computed from, which can be more than what the value ends up naming.
func (s *Stack) Behind(r *Resource, prop string, tokens ...string) []*Resource {
	var found []*Resource
	for _, urn := range r.PropertyDependencies[prop] {
		if target := s.byURN[urn]; target != nil && slices.Contains(tokens, target.Type) {
			found = append(found, target)
		}
	}
	return found
}

// Named returns the resource of a type one of whose outputs (id, name, arn, bucket) is the value. It is nil for a value
// that is not known.
func (s *Stack) Named(v Value, token string) *Resource {
	text, ok := v.Text()
	if !ok || text == "" {
		return nil
	}
	for _, r := range s.Of(token) {
		for _, output := range []string{"id", "name", "arn", "bucket"} {
			if own, ok := r.Get(output).Text(); ok && own == text {
				return r
			}
		}
	}
	return nil
}

// Meant returns the resource of a type that a property names: by its value where that is known, else the only resource
// of the type that the property comes from. It is nil if that cannot be told.
func (s *Stack) Meant(r *Resource, prop string, v Value, token string) *Resource {
	if named := s.Named(v, token); named != nil {
		return named
	}
	if _, ok := v.Text(); ok && len(r.PropertyDependencies[prop]) == 0 {
		return nil
	}
	if behind := s.Behind(r, prop, token); len(behind) == 1 {
		return behind[0]
	}
	return nil
}
