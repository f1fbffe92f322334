package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"

	"github.com/gpuyard/gpuyard/stacks"
)

// writeServerless writes what runs without a cluster: what it costs at rest, and where it ends.
func writeServerless(out io.Writer, plan *stacks.Plan) {
	if len(plan.Blueprint.Serverless) == 0 {
		return
	}
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "SERVERLESS\tKIND\tAT REST\tLIMIT HIT FIRST")
	for _, s := range plan.Serverless() {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", s.Name, s.Kind, s.AtRest, s.Limit)
	}
	_ = table.Flush() // a standard stream that cannot be written to has nobody to tell
}

// pictureServerless writes what exists of it after an update, from the stack's outputs.
func (a *app) pictureServerless(plan *stacks.Plan, outputs auto.OutputMap) {
	all, _ := outputs["serverless"].Value.(map[string]any)
	for _, s := range plan.Serverless() {
		made, _ := all[s.Name].(map[string]any)
		fmt.Fprintf(a.out, "└─ %s %s\n", s.Kind, s.Name)
		for _, key := range slices.Sorted(maps.Keys(made)) {
			if key != "kind" {
				fmt.Fprintf(a.out, "   %-14s %v\n", key, made[key])
			}
		}
	}
}
