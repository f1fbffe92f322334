package main

import (
	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/internal/engine"
)

func (a *app) refreshCommand() *cobra.Command {
	var flags targetFlags
	cmd := &cobra.Command{
		Use:   "refresh ENVIRONMENT",
		Short: "Read what exists into the state, and show what differs from it",
		Long: `Read what exists into the state, and show what somebody else changed. Nothing in the cloud is touched; the next
` + "`gpuyard up`" + ` repairs what is shown.`,
		Example: "  gpuyard refresh --local dev\n  gpuyard refresh prod",
		Args:    exactly(1, "one environment"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := a.locate(args[0]); err != nil {
				return err
			}
			return a.operate(cmd.Context(), args[0], flags, found, func(w *engine.Workspace, watch engine.Watcher) error {
				return w.Refresh(cmd.Context(), watch)
			})
		},
	}
	flags.add(cmd, false)
	return cmd
}
