package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/gpuyard/gpuyard/internal/engine"
)

func (a *app) upCommand() *cobra.Command {
	var flags targetFlags
	cmd := &cobra.Command{
		Use:   "up ENVIRONMENT",
		Short: "Make an environment what its blueprint says",
		Long: `Make an environment what its blueprint says: judge the blueprint, show what it comes to and what would change,
ask, change it, and print the outputs. It runs the Pulumi engine with the same program as plain ` + "`pulumi up`" + `.`,
		Example: "  gpuyard up --local dev    # on the embedded cloud, without any account\n  gpuyard up prod           # on AWS",
		Args:    exactly(1, "one environment"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.up(cmd.Context(), args[0], flags)
		},
	}
	flags.add(cmd, true)
	return cmd
}

func (a *app) up(ctx context.Context, stack string, flags targetFlags) error {
	plan, err := a.plan(stack)
	if err != nil {
		return err
	}
	a.summarize(plan, flags.local)
	w, closeAll, err := a.open(ctx, stack, flags.local)
	if err != nil {
		return err
	}
	defer closeAll()

	preview := a.newProgress(wouldDo)
	preview.quiet = flags.local // there, what is made is told soon enough
	if err := w.Preview(ctx, preview.watch); err != nil {
		return preview.failed(err)
	}
	preview.finish()
	if preview.changes() > 0 && !flags.yes && !flags.local {
		if err := a.confirm(fmt.Sprintf("Make these %d changes in %s?", preview.changes(), stack)); err != nil {
			return err
		}
	}
	progress := a.newProgress(did)
	progress.total = preview.changes()
	outputs, err := w.Up(ctx, progress.watch)
	if err != nil {
		return progress.failed(err)
	}
	progress.finish()
	a.picture(plan, outputs, flags.local)
	return nil
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
func (a *app) operate(ctx context.Context, stack string, local bool, m mode, op func(*engine.Workspace, engine.Watcher) error) error {
	w, closeAll, err := a.open(ctx, stack, local)
	if err != nil {
		return err
	}
	defer closeAll()
	progress := a.newProgress(m)
	if err := op(w, progress.watch); err != nil {
		return progress.failed(err)
	}
	progress.finish()
	return nil
}
