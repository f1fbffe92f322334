package main

import "github.com/spf13/cobra"

func (a *app) previewCommand() *cobra.Command {
	var flags targetFlags
	var policy policyFlags
	cmd := &cobra.Command{
		Use:     "preview ENVIRONMENT",
		Short:   "Show what `up` would change, and change nothing",
		Example: "  gpuyard preview --local dev\n  gpuyard preview prod",
		Args:    exactly(1, "one environment"),
		RunE: func(cmd *cobra.Command, args []string) error {
			plan, err := a.planNamed(args[0])
			if err != nil {
				return err
			}
			w, closeAll, err := a.open(cmd.Context(), args[0], flags, a.judgedBy(cmd, policy, args[0]))
			if err != nil {
				return err
			}
			defer closeAll()
			a.summarize(plan, flags.local)
			progress := a.newProgress(wouldDo)
			steps, err := w.Preview(cmd.Context(), progress.watch)
			if err != nil {
				return progress.failed(err)
			}
			progress.finish()
			a.estimate(steps)
			return refuseLoss(progress)
		},
	}
	flags.add(cmd, false)
	policy.add(cmd)
	return cmd
}
