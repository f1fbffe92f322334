package engine

import (
	"fmt"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/sim/internal/store"
)

// Change overwrites properties of a resource from outside, asking no rule. A nil takes a property away.
func Change(tx *store.Tx, res *Resource, id string, set map[string]any) error {
	r, ok := tx.Get(res.Token, id)
	if !ok {
		return gone(res, id)
	}
	args, state := res.args(), res.state()
	for name, value := range set {
		key := resource.PropertyKey(name)
		if args.Field(name) == nil && state.Field(name) == nil {
			near := catalog.Near(name, append(args.Names(), state.Names()...))
			return fmt.Errorf("%s has no property %q; near it there are %s", res.Token, name, strings.Join(near, ", "))
		}
		for _, side := range []struct {
			props resource.PropertyMap
			has   bool
		}{{r.Inputs, args.Field(name) != nil}, {r.Outputs, state.Field(name) != nil}} {
			if value == nil || !side.has {
				delete(side.props, key)
			} else {
				side.props[key] = resource.NewPropertyValue(value)
			}
		}
	}
	r.Outputs = state.Fill(r.Outputs)
	return tx.Put(r)
}

// Remove takes a resource away from outside with all that came with it, asking no rule.
func Remove(tx *store.Tx, res *Resource, id string) error {
	r, ok := tx.Get(res.Token, id)
	if !ok {
		return gone(res, id)
	}
	return remove(tx, r)
}

// remove takes a record away with all that came with it, and with that.
func remove(tx *store.Tx, r *store.Record) error {
	for _, o := range owned(tx, r) {
		if err := remove(tx, o); err != nil {
			return err
		}
	}
	return tx.Delete(r.Token, r.ID)
}
