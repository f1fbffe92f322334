package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"

	"github.com/gpuyard/gpuyard/stacks"
)

// writeStores writes a line for each store and cache: the first things that its explanation says.
func writeStores(out io.Writer, plan *stacks.Plan) {
	stores := plan.ExplainStorage()
	if len(stores) == 0 {
		return
	}
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "\nSTORE\tWHAT")
	for _, s := range stores {
		fmt.Fprintf(table, "%s\t%s\n", s.Title, s.Brief(2))
	}
	_ = table.Flush() // a standard stream that cannot be written to has nobody to tell
}

// storesText describes the stores that exist, a line each, from the stack's output.
func storesText(outputs auto.OutputMap) []string {
	stores, _ := outputs["storage"].Value.(map[string]any)
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(stores)) {
		made, _ := stores[name].(map[string]any)
		var parts []string
		for _, key := range slices.Sorted(maps.Keys(made)) {
			if key != "kind" {
				parts = append(parts, fmt.Sprintf("%s %v", key, made[key]))
			}
		}
		lines = append(lines, fmt.Sprintf("%v %s  %s", made["kind"], name, strings.Join(parts, ", ")))
	}
	return lines
}
