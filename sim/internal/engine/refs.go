package engine

import (
	"errors"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/sim/internal/store"
)

// missing returns a refusal for each reference of c's arguments that names nothing.
func (c *Call) missing() error {
	var errs []error
	for _, ref := range c.res.Refs {
		for _, leaf := range c.In.Leaves(ref.Path) {
			if leaf.Value.IsString() && !c.names(ref, leaf.Value.StringValue()) {
				errs = append(errs, &Error{Path: leaf.Path, Code: ref.Code, Message: notThere(ref, leaf.Value.StringValue())})
			}
		}
	}
	return errors.Join(errs...)
}

func notThere(ref Ref, value string) string {
	return "The " + kindOf(ref.To) + " '" + value + "' does not exist; make it in this account and region first, or correct the reference"
}

func (c *Call) names(ref Ref, value string) bool {
	return slices.ContainsFunc(ref.By, func(by string) bool {
		_, ok := c.Find(ref.To, by, value)
		return ok
	})
}

// holders returns the resources that hold target by a reference, apart from those that go with it.
func (p *Provider) holders(tx *store.Tx, target *store.Record) []Item {
	var found []Item
	for _, res := range p.Resources {
		for _, ref := range res.Refs {
			if !ref.Holds || ref.To != target.Token {
				continue
			}
			for _, r := range tx.All(res.Token) {
				self := r.ID == target.ID && r.Token == target.Token
				if !self && r.Owner != ownerKey(target.Token, target.ID) && refersTo(Props(r.Inputs), ref, target) {
					found = append(found, item(r))
				}
			}
		}
	}
	return found
}

func refersTo(in Props, ref Ref, target *store.Record) bool {
	for _, value := range in.Strs(ref.Path) {
		for _, by := range ref.By {
			if value == target.ID && by == "id" || value == Props(target.Outputs).Str(by) {
				return true
			}
		}
	}
	return false
}

// owned returns the records that come and go with target, of whichever provider.
func owned(tx *store.Tx, target *store.Record) []*store.Record {
	var found []*store.Record
	for _, token := range tx.Tokens() {
		for _, r := range tx.All(token) {
			if r.Owner == ownerKey(target.Token, target.ID) {
				found = append(found, r)
			}
		}
	}
	return found
}

// inUse refuses the deletion of target while something holds it or anything that goes with it.
func (p *Provider) inUse(tx *store.Tx, target *store.Record) error {
	for _, t := range append(owned(tx, target), target) {
		holders := p.holders(tx, t)
		holders = slices.DeleteFunc(holders, func(i Item) bool { return i.ID == target.ID && i.Token == target.Token })
		if len(holders) == 0 {
			continue
		}
		var names []string
		for _, h := range holders {
			names = append(names, h.Name())
		}
		slices.Sort(names)
		return Refuse("DependencyViolation", "The %s '%s' has dependencies and cannot be deleted; delete first: %s",
			kindOf(t.Token), t.ID, strings.Join(slices.Compact(names), ", "))
	}
	return nil
}

// kindOf returns how messages call a resource type: "ec2 Subnet" for aws:ec2/subnet:Subnet.
func kindOf(token string) string {
	parts := strings.Split(token, ":")
	module, _, _ := strings.Cut(parts[1], "/")
	return module + " " + parts[len(parts)-1]
}
