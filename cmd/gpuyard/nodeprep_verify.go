package main

import "github.com/spf13/cobra"

func (a *app) nodeprepVerifyCommand() *cobra.Command {
	var flags fleetFlags
	var strict bool
	cmd := &cobra.Command{
		Use:   "verify [ENVIRONMENT]",
		Short: "Prove, setting by setting, that hosts are as they should be now",
		Long: `Prove, setting by setting, that hosts are as they should be now: what counts only after a reboot counts as wrong. JUnit
has a test suite a host and a test case a setting. What does not apply to a host is named, and with --strict is wrong.`,
		Example: `  gpuyard nodeprep verify prod
  gpuyard nodeprep verify prod --strict --format junit -o nodes.xml`,
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			report, err := a.askFleet(cmd, args, &flags, false)
			if err != nil {
				return err
			}
			verified := report.Verification(strict)
			if err := a.writeReport(verified, flags.report); err != nil {
				return err
			}
			return judged(verified.ExitCode(), verified.Summary())
		},
	}
	flags.add(cmd, 0)
	cmd.Flags().BoolVar(&strict, "strict", false, "what does not apply to a host is wrong")
	return cmd
}
