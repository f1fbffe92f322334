package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/nodeprep/fleet"
)

func (a *app) nodeprepCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "nodeprep",
		Short: "Prepare hosts over SSH, and say whether they are still as they should be",
		Long: `Prepare hosts over SSH, and say whether they are still as they should be. Every host is asked and changed by one
script over one connection. See docs/nodeprep.md.

Which hosts: those of an environment that is up (its pools of hosts), of a file (--inventory), or named with --host.
What they should be: what the environment or the file says, or --profile.

Exit codes: 0 every host is as it should be; 1 the blueprint is wrong; 2 the command line is wrong; 3 a host failed;
4 a host differs; 130 interrupted (the report says what was done).`,
		RunE: group,
	}
	cmd.AddCommand(
		a.nodeprepCheckCommand(),
		a.nodeprepApplyCommand(),
		a.nodeprepVerifyCommand(),
		a.nodeprepFactsCommand(),
		a.nodeprepRenderCommand(),
	)
	return cmd
}

// fleetFlags say how a fleet is gone through.
type fleetFlags struct {
	hosts   hostFlags
	profile profileFlags
	report  reportFlags

	concurrency int
	stopAfter   int
	timeout     time.Duration
}

// add adds the flags. stopAfter is after how many failures a command stops if nobody says.
func (f *fleetFlags) add(cmd *cobra.Command, stopAfter int) {
	f.hosts.add(cmd)
	f.profile.add(cmd)
	f.report.add(cmd)
	cmd.Flags().IntVar(&f.concurrency, "concurrency", 32, "how many hosts at once")
	cmd.Flags().IntVar(&f.stopAfter, "stop-after", stopAfter, "start no further host after so many failures; 0: go on")
	cmd.Flags().DurationVar(&f.timeout, "host-timeout", time.Hour, "how long one host may take")
}

// options are the flags for package fleet.
func (f *fleetFlags) options() (fleet.Options, error) {
	switch {
	case f.concurrency < 1:
		return fleet.Options{}, usageError{errors.New("--concurrency is 1 or more")}
	case f.stopAfter < 0:
		return fleet.Options{}, usageError{errors.New("--stop-after is 0 or more")}
	case f.timeout <= 0:
		return fleet.Options{}, usageError{errors.New("--host-timeout is a time such as 30m")}
	}
	return fleet.Options{Concurrency: f.concurrency, StopAfter: f.stopAfter, HostTimeout: f.timeout}, nil
}

// atMostOne lets a command take the name of an environment, or none.
func atMostOne(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return exactly(1, "at most one environment")(cmd, args)
}

// askFleet asks the hosts that a command names, and changes none: for their facts alone, or for what they need to be as
// their profile wants them.
func (a *app) askFleet(cmd *cobra.Command, args []string, f *fleetFlags, facts bool) (*fleet.Report, error) {
	hosts, err := a.aboutFleet(cmd, args, f, !facts)
	if err != nil {
		return nil, err
	}
	options, err := f.options()
	if err != nil {
		return nil, err
	}
	options.Facts = facts
	list, closeAll, err := f.hosts.runners(hosts)
	if err != nil {
		return nil, err
	}
	defer closeAll()
	return a.runFleet(cmd.Context(), list, options), nil
}

// runFleet goes through hosts, with progress.
func (a *app) runFleet(ctx context.Context, hosts []fleet.Host, o fleet.Options) *fleet.Report {
	watch := a.watchFleet(len(hosts))
	o.Progress = watch.tell
	report := fleet.Run(ctx, hosts, o)
	watch.finish()
	return report
}

// reportError is a run whose report has been written already.
type reportError struct {
	code int
	text string
}

func (e *reportError) Error() string { return e.text }

// judged turns the exit code of a report into an error; nothing is wrong with 0.
func judged(code int, summary string) error {
	if code == fleet.ExitRight {
		return nil
	}
	return &reportError{code, summary}
}

// reportFlags say how a report is written.
type reportFlags struct {
	format string
	output string
}

func (f *reportFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.format, "format", "text", "format of the report: text, json or junit")
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "write the report to this file instead of the standard output")
}

// document is what can be written in every format.
type document interface {
	WriteText(w io.Writer) error
	WriteJSON(w io.Writer) error
	WriteJUnit(w io.Writer) error
}

// check refuses a format that there is not, before any host is asked.
func (f *reportFlags) check() error {
	switch f.format {
	case "text", "json", "junit":
		return nil
	}
	return usageError{fmt.Errorf("--format %q: there are text, json and junit", f.format)}
}

// writeReport writes a report where the flags say.
func (a *app) writeReport(d document, f reportFlags) error {
	write := map[string]func(io.Writer) error{"text": d.WriteText, "json": d.WriteJSON, "junit": d.WriteJUnit}[f.format]
	return a.writeTo(f.output, 0o644, write)
}

// writeTo writes to a file, or to the standard output where none is named.
func (a *app) writeTo(path string, mode os.FileMode, write func(io.Writer) error) error {
	if path == "" {
		if err := write(a.out); err != nil {
			return fmt.Errorf("writing: %w", err)
		}
		return nil
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, mode)
	if err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	if err := errors.Join(write(file), file.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}
