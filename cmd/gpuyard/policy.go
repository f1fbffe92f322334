package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/internal/engine"
	"github.com/gpuyard/gpuyard/policy/check"
	"github.com/gpuyard/gpuyard/stacks"
)

func (a *app) policyCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "policy", Short: "Judge plans by the policy pack", RunE: group}
	cmd.AddCommand(a.policyCheckCommand())
	return cmd
}

func (a *app) policyCheckCommand() *cobra.Command {
	var format, config string
	cmd := &cobra.Command{
		Use:   "check ENVIRONMENT|FILE|-",
		Short: "Judge an environment, a preview or a state by the policy pack",
		Long: `Judge by the policy pack, without a cloud account. What is judged is
  - an environment of this project: it is brought up on an embedded cloud of its own, which is thrown away,
  - a file, or - for the standard input, with the output of ` + "`pulumi preview --json --show-sames` or `pulumi stack export`" + `.
The exit code is 0 if nothing stops the plan, 1 if something does, and 2 for what cannot be judged. Advice alone stops nothing.`,
		Example: `  gpuyard policy check prod
  pulumi preview --json --show-sames --stack prod | gpuyard policy check --format sarif -
  gpuyard policy check --config policy/config/prod.json state.json`,
		Args: exactly(1, "one environment or one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			write, ok := formats[format]
			if !ok {
				return usageError{fmt.Errorf("--format is text, json, sarif or markdown, not %q", format)}
			}
			src, source, err := a.planSource(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return a.judge(src, source, config, args[0], write)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text, json, sarif or markdown")
	cmd.Flags().StringVar(&config, "config", "", "configuration of the policy pack (default policy/config/ENVIRONMENT.json, if there is one)")
	return cmd
}

// formats are the ways to write a report. The file is where code scanning shows what has no place of its own.
var formats = map[string]func(r *check.Report, w io.Writer, file string) error{
	"text":     func(r *check.Report, w io.Writer, _ string) error { return r.Text(w) },
	"json":     func(r *check.Report, w io.Writer, _ string) error { return r.JSON(w) },
	"markdown": func(r *check.Report, w io.Writer, _ string) error { return r.Markdown(w) },
	"sarif":    func(r *check.Report, w io.Writer, file string) error { return r.SARIF(w, file) },
}

// judge judges a document and writes the report.
func (a *app) judge(src []byte, source, config, stack string, write func(*check.Report, io.Writer, string) error) error {
	plan, err := check.Read(src)
	var wrong *check.PlanError
	if errors.As(err, &wrong) {
		return usageError{fmt.Errorf("%s: %w", source, err)}
	} else if err != nil {
		return fmt.Errorf("reading %s: %w", source, err)
	}
	settings, err := a.settings(config, stack)
	if err != nil {
		return err
	}
	if plan.Catalog, err = a.hardware(); err != nil {
		return err
	}
	report := check.Judge(plan, settings, time.Now())
	if err := write(report, a.out, source); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if report.Failed() {
		return blueprintError{errors.New("a policy stops the plan")}
	}
	return nil
}

func (a *app) settings(config, stack string) (*check.Settings, error) {
	root, err := a.root()
	if err != nil {
		root = "" // a plan can be judged anywhere; only a project has configuration of its own
	}
	path, err := policyConfig(config, root, stack)
	if err != nil || path == "" {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the policy configuration: %w", err)
	}
	settings, err := check.ReadSettings(text)
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", path, err)}
	}
	return settings, nil
}

// planSource returns the document to judge and what to call it.
func (a *app) planSource(ctx context.Context, arg string) ([]byte, string, error) {
	switch {
	case arg == "-":
		src, err := io.ReadAll(os.Stdin)
		if err != nil {
			return nil, "", fmt.Errorf("reading the standard input: %w", err)
		}
		return src, "standard input", nil
	case isFile(arg):
		src, err := os.ReadFile(arg)
		if err != nil {
			return nil, "", fmt.Errorf("reading the plan: %w", err)
		}
		return src, arg, nil
	}
	if strings.ContainsRune(arg, filepath.Separator) || filepath.Ext(arg) != "" || isDir(arg) {
		return nil, "", usageError{fmt.Errorf("there is no file %q to judge", arg)}
	}
	plan, err := a.plan(arg)
	if err != nil {
		return nil, "", err
	}
	src, err := a.tryOut(ctx, arg, plan)
	return src, "stacks/" + arg + ".hcl", err
}

// tryOut brings an environment up on an embedded cloud that is thrown away, and returns its state. The cloud has the
// reservations that the environment names.
func (a *app) tryOut(ctx context.Context, stack string, plan *stacks.Plan) ([]byte, error) {
	root, err := a.root()
	if err != nil {
		return nil, err
	}
	cli, err := engine.FindCLI(ctx, root)
	if err != nil {
		return nil, err
	}
	a.cli.Store(cli)
	dir, err := os.MkdirTemp("", "gpuyard-policy-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for the embedded cloud: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is in the temporary folder, and nothing in it is wanted
	if err := writeReservations(cloudBelow(dir), bought(plan)); err != nil {
		return nil, err
	}
	w, closeAll, err := a.openLocal(ctx, engine.Options{
		Root: root, Stack: stack, CLI: cli, Dir: dir, Program: stacks.Program(filepath.Join(root, "stacks")),
	}, targetFlags{local: true})
	if err != nil {
		return nil, err
	}
	defer closeAll()
	progress := a.newProgress(did)
	progress.quiet = true
	if _, err := w.Up(ctx, progress.watch); err != nil {
		return nil, progress.failed(err)
	}
	return w.Export(ctx)
}
