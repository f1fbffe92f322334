package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/internal/engine"
	"github.com/gpuyard/gpuyard/sim"
	"github.com/gpuyard/gpuyard/sim/pace"
	"github.com/gpuyard/gpuyard/stacks"
)

// upFlags are the flags of `gpuyard up`.
type upFlags struct {
	targetFlags
	policyFlags
	pool   string
	faults []string
	file   string
	pace   string
}

// parse reads how the embedded cloud is to behave: its pace, and the faults that go wrong on demand.
func (f *upFlags) parse() error {
	if !f.local && (len(f.faults) > 0 || f.file != "" || f.pace != "fast") {
		return usageError{errors.New("only the embedded cloud fails on demand and has a pace: add --local to --fault, --fault-file or --pace")}
	}
	var err error
	if f.targetFlags.pace, err = pace.Parse(f.pace); err != nil {
		return usageError{err}
	}
	if f.file != "" {
		faults, err := sim.ReadFaults(f.file)
		if err != nil {
			return usageError{err}
		}
		f.targetFlags.faults = faults
	}
	for _, text := range f.faults {
		fault, err := sim.ParseFault(text)
		if err != nil {
			return usageError{err}
		}
		f.targetFlags.faults = append(f.targetFlags.faults, fault)
	}
	if err := sim.CheckFaults(f.targetFlags.faults); err != nil {
		return usageError{err}
	}
	return nil
}

func (a *app) upCommand() *cobra.Command {
	var flags upFlags
	cmd := &cobra.Command{
		Use:   "up ENVIRONMENT",
		Short: "Make an environment what its blueprint says",
		Long: `Make an environment what its blueprint says: judge the blueprint, show what it comes to and what would change,
ask, change it, and print the outputs. It runs the Pulumi engine with the same program as plain ` + "`pulumi up`" + `.`,
		Example: `  gpuyard up --local dev           # on the embedded cloud, without any account
  gpuyard up prod                  # on AWS
  gpuyard up --target h100 prod    # one pool, and nothing else
  gpuyard up --local --fault throttle@aws:ec2/subnet:Subnet dev`,
		Args: exactly(1, "one environment"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.up(cmd, args[0], flags)
		},
	}
	flags.targetFlags.add(cmd, true)
	flags.policyFlags.add(cmd)
	cmd.Flags().StringArrayVar(&flags.faults, "fault", nil, "let this go wrong in the embedded cloud, as KIND@TOKEN: see docs/embedded-cloud.md")
	cmd.Flags().StringVar(&flags.pace, "pace", "fast", "how long the embedded cloud takes: fast, real, or a factor of real such as 0.01")
	cmd.Flags().StringVar(&flags.file, "fault-file", "", "let go wrong what this file lists, one fault a line")
	cmd.Flags().StringVar(&flags.pool, "target", "", "change this node pool only, with its fabric")
	return cmd
}

func (a *app) up(cmd *cobra.Command, stack string, flags upFlags) error {
	ctx := cmd.Context()
	if err := flags.parse(); err != nil {
		return err
	}
	plan, err := a.planNamed(stack)
	if err != nil {
		return err
	}
	if err := knownPool(plan, flags.pool); err != nil {
		return err
	}
	flags.settles = true
	w, closeAll, err := a.open(ctx, stack, flags.targetFlags, a.judgedBy(cmd, flags.policyFlags, stack))
	if err != nil {
		return err
	}
	defer closeAll()
	a.summarize(plan, flags.local)

	preview, targets, err := a.previewUp(ctx, w, plan, flags.pool, flags.local)
	if err != nil {
		return err
	}
	if err := refuseLoss(preview); err != nil {
		return err
	}
	if preview.changes() > 0 && !flags.yes && !flags.local {
		if err := a.confirm(fmt.Sprintf("Make these %d changes in %s?", preview.changes(), stack)); err != nil {
			return err
		}
	}
	progress := a.newProgress(did)
	progress.total, progress.foretold = preview.changes(), true
	progress.remedy = func(urn, text string) string { return shortage(plan, urn, text) }
	a.changing = true
	outputs, err := w.Up(ctx, progress.watch, targets...)
	if err != nil {
		return progress.failed(err)
	}
	progress.finish()
	a.picture(plan, outputs, flags.local)
	return nil
}

// previewUp previews an update, and with a pool a second time for its resources alone: which they are is only known
// from the first.
func (a *app) previewUp(ctx context.Context, w *engine.Workspace, plan *stacks.Plan, pool string, quiet bool) (*progress, []string, error) {
	preview := a.newProgress(wouldDo)
	preview.quiet = quiet || pool != "" // on the embedded cloud, what is made is told soon enough
	steps, err := w.Preview(ctx, preview.watch)
	if err != nil {
		return nil, nil, preview.failed(err)
	}
	if pool == "" {
		preview.finish()
		a.estimate(steps)
		return preview, nil, nil
	}
	targets := preview.family(plan.Blueprint.Environment.Name.Value + "-" + pool)
	preview = a.newProgress(wouldDo)
	preview.quiet = quiet
	if steps, err = w.Preview(ctx, preview.watch, targets...); err != nil {
		return nil, nil, preview.failed(err)
	}
	preview.finish()
	a.estimate(steps)
	return preview, targets, nil
}

// knownPool refuses a target that no pool of the plan has as its name. Empty is no target.
func knownPool(plan *stacks.Plan, pool string) error {
	var names []string
	for _, p := range plan.Pools {
		names = append(names, p.Pool.Name.Value)
	}
	if pool == "" || slices.Contains(names, pool) {
		return nil
	}
	return usageError{fmt.Errorf("there is no node_pool %q%s", pool, catalog.Instead(pool, names))}
}

// confirm asks a question on the terminal, and returns an error unless the answer is yes. Without a terminal there is
// nobody to ask, which is a wrong command line.
func (a *app) confirm(question string) error {
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return usageError{errors.New("there is no terminal to ask on: add --yes to make the changes without asking")}
	}
	fmt.Fprintf(a.out, "\n%s [y/N] ", question)
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
		return errors.New("nothing was changed")
	}
	return nil
}

// operate opens a stack and runs one operation on it, with progress.
func (a *app) operate(ctx context.Context, stack string, target targetFlags, m mode, op func(*engine.Workspace, engine.Watcher) error) error {
	w, closeAll, err := a.open(ctx, stack, target, unjudged)
	if err != nil {
		return err
	}
	defer closeAll()
	progress := a.newProgress(m)
	a.changing = true
	if err := op(w, progress.watch); err != nil {
		return progress.failed(err)
	}
	progress.finish()
	return nil
}
