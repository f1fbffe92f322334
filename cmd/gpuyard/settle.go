package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/gpuyard/gpuyard/internal/engine"
	"github.com/gpuyard/gpuyard/sim"
)

// settle resolves what an earlier run left open when it was killed, before another one begins: the embedded cloud can say
// what was made. The real one cannot, so there somebody has to look.
func (a *app) settle(ctx context.Context, w *engine.Workspace, cloud *sim.Cloud) error {
	if cloud == nil {
		cut, err := w.Cut(ctx)
		if err != nil {
			return err
		}
		return a.refuseCut(cut)
	}
	settled, err := w.Settle(ctx, whatExists(cloud))
	if err != nil {
		return err
	}
	if len(settled.Cut)+len(settled.Adopted) > 0 {
		fmt.Fprintln(a.out, "An earlier run was cut off. What it did is looked up in the embedded cloud:")
	}
	for _, f := range settled.Adopted {
		fmt.Fprintf(a.out, "  %s %s was made: %s is now in the state\n", shortType(f.Type), nameOf(f.URN), f.ID)
	}
	for _, c := range settled.Cut {
		if isAdopted(settled, c) {
			continue
		}
		what := "its state was read"
		if c.Creates() {
			what = "it was not made"
		}
		fmt.Fprintf(a.out, "  %s %s, cut off while %s: %s\n", shortType(typeOf(c.URN)), nameOf(c.URN), c.Doing, what)
	}
	if err := a.removeLeft(cloud, settled.Left); err != nil {
		return err
	}
	if !settled.Nothing() {
		fmt.Fprintln(a.out)
	}
	return nil
}

// removeLeft removes from the embedded cloud what the state of the stack has lost along with the provider to ask for it: with
// it there, the update would make everything twice.
func (a *app) removeLeft(cloud *sim.Cloud, left []engine.Found) error {
	for i, f := range left {
		if i == 0 {
			fmt.Fprintln(a.out, "The state was lost with all it knew of these. They are removed from the embedded cloud, which holds nothing real, and not made twice:")
		}
		fmt.Fprintf(a.out, "  %s %s: %s\n", shortType(f.Type), nameOf(f.URN), f.ID)
		gone := !slices.ContainsFunc(cloud.Resources(), func(r sim.Resource) bool { return r.Token == f.Type && r.ID == f.ID })
		if gone { // with something else
			continue
		}
		if err := cloud.Remove(f.Type, f.ID); err != nil {
			return fmt.Errorf("removing what the state has lost: %w", err)
		}
	}
	return nil
}

func isAdopted(settled engine.Settled, c engine.Cut) bool {
	for _, f := range settled.Adopted {
		if f.URN == c.URN && c.Creates() {
			return true
		}
	}
	return false
}

// refuseCut refuses to go on while a creation is open: made again, it would exist twice, and AWS would bill for both.
func (a *app) refuseCut(cut []engine.Cut) error {
	var open, other []string
	for _, c := range cut {
		if c.Creates() {
			open = append(open, c.URN)
		} else {
			other = append(other, fmt.Sprintf("%s %s, cut off while %s", shortType(typeOf(c.URN)), nameOf(c.URN), c.Doing))
		}
	}
	if len(other) > 0 {
		a.say("An earlier run was cut off. `gpuyard refresh` reads how these ended:\n  %s\n", strings.Join(other, "\n  "))
	}
	if len(open) == 0 {
		return nil
	}
	return fmt.Errorf("an earlier run was cut off while it created these, and AWS alone knows whether they exist:\n  %s\n"+
		"Look there for each. One that exists goes into the state with `gpuyard refresh --adopt 'URN=ID'`, which may be given several times; "+
		"when no other exists, add --forget. They are what `pulumi refresh` calls --import-pending-creates and --clear-pending-creates", strings.Join(open, "\n  "))
}

// whatExists lists what the embedded cloud has for the resources of the stack.
func whatExists(cloud *sim.Cloud) []engine.Found {
	var all []engine.Found
	for _, r := range cloud.Resources() {
		if r.URN != "" {
			all = append(all, engine.Found{Type: r.Token, ID: r.ID, URN: r.URN, Names: textsIn(resource.NewProperty(r.Inputs))})
		}
	}
	return all
}

// textsIn returns every text in a value, but for tags, which name nothing.
func textsIn(v resource.PropertyValue) []string {
	var all []string
	switch {
	case v.IsString():
		all = append(all, v.StringValue())
	case v.IsArray():
		for _, e := range v.ArrayValue() {
			all = append(all, textsIn(e)...)
		}
	case v.IsObject():
		for k, e := range v.ObjectValue() {
			if !strings.HasPrefix(string(k), "tags") {
				all = append(all, textsIn(e)...)
			}
		}
	}
	return all
}

// typeOf is the type in a URN.
func typeOf(urn string) string { return string(resource.URN(urn).Type()) }
