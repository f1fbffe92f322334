package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/nodeprep/fleet"
)

func (a *app) nodeprepCheckCommand() *cobra.Command {
	var flags fleetFlags
	var plan bool
	cmd := &cobra.Command{
		Use:   "check [ENVIRONMENT]",
		Short: "Say what hosts need to be as they should be, and change nothing",
		Long: `Say what hosts need to be as they should be, and change nothing. The plan that is shown with --plan is the very plan
that apply carries out.`,
		Example: `  gpuyard nodeprep check prod                      # the pools of hosts of an environment
  gpuyard nodeprep check --inventory rack.txt --profile training
  gpuyard nodeprep check --host ubuntu@10.0.0.11 --profile training --set thp.enabled=never --plan
  gpuyard nodeprep check prod --format junit -o nodes.xml`,
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			report, err := a.askFleet(cmd, args, &flags, false)
			if err != nil {
				return err
			}
			if plan && flags.report.format == "text" {
				if err := a.writePlans(report); err != nil {
					return err
				}
			}
			if err := a.writeReport(report, flags.report); err != nil {
				return err
			}
			return judged(report.ExitCode(), report.Summary())
		},
	}
	flags.add(cmd, 0)
	cmd.Flags().BoolVar(&plan, "plan", false, "show the plan of every host: settings, files as diffs, and steps")
	return cmd
}

// writePlans writes the plans of hosts that need something.
func (a *app) writePlans(report *fleet.Report) error {
	for _, h := range report.Hosts {
		if h.Plan == nil || h.Plan.Right() {
			continue
		}
		if _, err := fmt.Fprintf(a.out, "# %s (%s)\n", h.Host, h.Plan.OS); err != nil {
			return fmt.Errorf("writing: %w", err)
		}
		if err := h.Plan.WriteText(a.out, false); err != nil {
			return fmt.Errorf("writing: %w", err)
		}
		if _, err := io.WriteString(a.out, "\n"); err != nil {
			return fmt.Errorf("writing: %w", err)
		}
	}
	return nil
}
