package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/stacks"
)

func (a *app) explainCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "explain ENVIRONMENT|FILE",
		Short:   "Print what a blueprint comes to, and why each value is what it is",
		Example: "  gpuyard explain dev\n  gpuyard explain --json prod",
		Args:    exactly(1, "one environment or one blueprint file"),
		RunE: func(_ *cobra.Command, args []string) error {
			plan, err := a.plan(args[0])
			if err != nil {
				return err
			}
			explanation := plan.Explain()
			if asJSON {
				enc := json.NewEncoder(a.out)
				enc.SetIndent("", "  ")
				return enc.Encode(explanation)
			}
			return a.writeExplanation(explanation)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return cmd
}

func (a *app) writeExplanation(sections []stacks.Section) error {
	for i, s := range sections {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		fmt.Fprintln(a.out, s.Title)
		w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', 0)
		for _, f := range s.Facts {
			fmt.Fprintf(w, "  %s\t%s\t%s\n", f.Name, f.Value, f.Why)
		}
		if err := w.Flush(); err != nil {
			return fmt.Errorf("writing: %w", err)
		}
		for _, m := range s.Moves {
			fmt.Fprintf(a.out, "  to move to %s:\n", m.To)
			for line := range strings.Lines(m.Lines) {
				fmt.Fprintln(a.out, strings.TrimRight("    "+line, " \n"))
			}
		}
	}
	return nil
}
