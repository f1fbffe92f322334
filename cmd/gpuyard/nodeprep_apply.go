package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/nodeprep/fleet"
)

// applyFlags say how carefully hosts are changed.
type applyFlags struct {
	fleetFlags
	yes      bool
	canaries int
	wave     int
	reboots  int
	boot     time.Duration
}

func (a *app) nodeprepApplyCommand() *cobra.Command {
	var flags applyFlags
	cmd := &cobra.Command{
		Use:   "apply [ENVIRONMENT]",
		Short: "Make hosts as they should be",
		Long: `Make hosts as they should be: look at all of them, ask, prepare one host first and then the others. A host that is
right already is not touched, and a run that was interrupted goes on where it was. No host is rebooted unless --reboots
says how many may be down at once.`,
		Example: `  gpuyard nodeprep apply prod
  gpuyard nodeprep apply prod --pool rack --canaries 2 --wave 20 --reboots 4 --stop-after 3
  gpuyard nodeprep apply --inventory rack.txt --profile gaudi-training --yes`,
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error { return a.nodeprepApply(cmd, args, &flags) },
	}
	flags.fleetFlags.add(cmd, 1)
	cmd.Flags().BoolVarP(&flags.yes, "yes", "y", false, "do not look and ask first")
	cmd.Flags().IntVar(&flags.canaries, "canaries", 1, "how many hosts are prepared first; the others start only if all of these succeed")
	cmd.Flags().IntVar(&flags.wave, "wave", 0, "how many hosts start, after the canaries, before all of them must be done; 0: no waves")
	cmd.Flags().IntVar(&flags.reboots, "reboots", 0, "how many hosts may be down at once; 0: none is rebooted")
	cmd.Flags().DurationVar(&flags.boot, "boot-timeout", 20*time.Minute, "how long a host may take to come back")
	return cmd
}

// options are the flags for package fleet.
func (f *applyFlags) options() (fleet.Options, error) {
	o, err := f.fleetFlags.options()
	if err != nil {
		return o, err
	}
	if f.canaries < 0 || f.wave < 0 || f.reboots < 0 || f.boot <= 0 {
		return o, usageError{errors.New("--canaries, --wave and --reboots are 0 or more, and --boot-timeout is a time such as 20m")}
	}
	o.Apply, o.Canaries, o.Wave, o.Reboots, o.BootTimeout = true, f.canaries, f.wave, f.reboots, f.boot
	return o, nil
}

func (a *app) nodeprepApply(cmd *cobra.Command, args []string, flags *applyFlags) error {
	options, err := flags.options()
	if err != nil {
		return err
	}
	hosts, err := a.aboutFleet(cmd, args, &flags.fleetFlags, true)
	if err != nil {
		return err
	}
	list, closeAll, err := flags.hosts.runners(hosts)
	if err != nil {
		return err
	}
	defer closeAll()
	if !flags.yes {
		change, err := a.lookAndAsk(cmd, list, options)
		if err != nil || !change {
			return err
		}
	}
	report := a.runFleet(cmd.Context(), list, options)
	if err := a.writeReport(report, flags.report); err != nil {
		return err
	}
	return judged(report.ExitCode(), report.Summary())
}

// lookAndAsk shows what would change, and asks. Where nothing would, nobody is asked.
func (a *app) lookAndAsk(cmd *cobra.Command, hosts []fleet.Host, options fleet.Options) (bool, error) {
	options.Apply, options.Canaries, options.Wave, options.StopAfter = false, 0, 0, 0
	report := a.runFleet(cmd.Context(), hosts, options)
	if err := a.writePlans(report); err != nil {
		return false, err
	}
	if err := report.WriteText(a.out); err != nil {
		return false, fmt.Errorf("writing: %w", err)
	}
	n := 0
	for _, h := range report.Hosts {
		if h.Plan != nil && (h.Plan.Changes() || options.Reboots > 0 && h.Plan.Reboot()) {
			n++
		}
	}
	if n == 0 || cmd.Context().Err() != nil {
		return false, judged(report.ExitCode(), report.Summary())
	}
	return true, a.confirm(fmt.Sprintf("Change %d of %d hosts?", n, len(hosts)))
}
