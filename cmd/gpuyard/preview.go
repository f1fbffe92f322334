package main

import (
	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/internal/engine"
)

func (a *app) previewCommand() *cobra.Command {
	var flags targetFlags
	cmd := &cobra.Command{
		Use:     "preview ENVIRONMENT",
		Short:   "Show what `up` would change, and change nothing",
		Example: "  gpuyard preview --local dev\n  gpuyard preview prod",
		Args:    exactly(1, "one environment"),
		RunE: func(cmd *cobra.Command, args []string) error {
			plan, err := a.plan(args[0])
			if err != nil {
				return err
			}
			a.summarize(plan, flags.local)
			return a.operate(cmd.Context(), args[0], flags.local, wouldDo, func(w *engine.Workspace, watch engine.Watcher) error {
				return w.Preview(cmd.Context(), watch)
			})
		},
	}
	flags.add(cmd, false)
	return cmd
}
