package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/internal/engine"
)

// The exit codes of gpuyard.
const (
	exitOK          = 0   // it was done
	exitBlueprint   = 1   // the blueprint is wrong
	exitUsage       = 2   // the command line is wrong
	exitFailed      = 3   // the operation failed
	exitInterrupted = 130 // the operation was interrupted, and what was done is in the state or the report
)

// app is one run of the command line.
type app struct {
	out, err io.Writer
	// color and width are what out can show: a terminal's, or none and 80.
	color bool
	width int
	// live says that err is a terminal, on which progress can be drawn.
	live bool
	// dir is the folder to look for the project in.
	dir string

	cli         atomic.Pointer[engine.CLI]
	interrupted atomic.Bool
	// changing says that an operation on a stack has begun.
	changing bool
}

func newApp(out, err *os.File) *app {
	a := &app{out: out, err: err, width: 80}
	if term.IsTerminal(int(out.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
		a.color = true
		if w, _, err := term.GetSize(int(out.Fd())); err == nil && w > 0 {
			a.width = w
		}
	}
	a.live = term.IsTerminal(int(err.Fd())) && os.Getenv("TERM") != "dumb"
	return a
}

// usageError is a wrong command line.
type usageError struct{ error }

// Unwrap returns what is wrong.
func (e usageError) Unwrap() error { return e.error }

// blueprintError is a wrong blueprint whose diagnostics have been written already.
type blueprintError struct{ error }

func (a *app) execute(ctx context.Context, args []string) int {
	root := a.command()
	root.SetArgs(args)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := root.ExecuteContext(ctx)
	var usage usageError
	var wrong blueprintError
	var report *reportError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &wrong):
		return exitBlueprint
	case errors.As(err, &usage):
		fmt.Fprintf(a.err, "gpuyard: %v\n", err)
		return exitUsage
	case a.interrupted.Load():
		fmt.Fprintf(a.err, "gpuyard: interrupted. %s.\n", a.leftBy(err))
		return exitInterrupted
	case errors.As(err, &report):
		fmt.Fprintf(a.err, "gpuyard: %v\n", err)
		return report.code
	default:
		fmt.Fprintf(a.err, "gpuyard: %v\n", err)
		return exitFailed
	}
}

// leftBy says what a command left that was interrupted and ended with an error.
func (a *app) leftBy(err error) string {
	var report *reportError
	switch {
	case errors.As(err, &report):
		return "The report says what was done; the same command goes on from there"
	case a.changing:
		return "What was finished is in the state; the same command goes on from there"
	default:
		return "No environment was changed"
	}
}

// command builds the command tree: one line a command.
func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "gpuyard",
		Short: "GPU training clusters from one blueprint per environment",
		Long: `gpuyard brings up GPU training clusters from one blueprint per environment.

Exit codes: 0 done; 1 the blueprint is wrong; 2 the command line is wrong; 3 the operation failed; 4 hosts differ (nodeprep);
130 interrupted (what was finished is in the state).`,
		Args:              cobra.ArbitraryArgs,
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.PersistentFlags().StringVarP(&a.dir, "dir", "C", ".", "the project's folder, or one inside it")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w\nSee `%s --help`", flagError(err), cmd.CommandPath())}
	})
	root.RunE = group
	root.Version = version()
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetHelpCommand(helpCommand())
	root.AddCommand(
		a.initCommand(),
		a.upCommand(),
		a.previewCommand(),
		a.refreshCommand(),
		a.destroyCommand(),
		a.validateCommand(),
		a.explainCommand(),
		a.graphCommand(),
		a.outputsCommand(),
		a.policyCommand(),
		a.nodeprepCommand(),
		a.catalogCommand(),
		a.cloudCommand(),
	)
	return root
}

// exactly returns a check of the number of arguments that says what they are.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return usageError{fmt.Errorf("%s takes %s; %d given\nSee `%s --help`", cmd.CommandPath(), what, len(args), cmd.CommandPath())}
		}
		return nil
	}
}

// root finds the project's folder: a.dir or the nearest folder above it with a Pulumi.yaml and a folder stacks.
func (a *app) root() (string, error) {
	start, err := filepath.Abs(a.dir)
	if err != nil {
		return "", fmt.Errorf("finding the project: %w", err)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if isFile(filepath.Join(dir, "Pulumi.yaml")) && isDir(filepath.Join(dir, "stacks")) {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", usageError{fmt.Errorf("no project here: neither %s nor a folder above it holds Pulumi.yaml and stacks/. Use -C DIR", start)}
		}
	}
}

func (a *app) say(format string, args ...any) { fmt.Fprintf(a.err, format, args...) }

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// flagError says what a flag takes instead of how Go failed to read it. A flag of our own says so itself.
func flagError(err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err
	}
	takes := map[string]string{"bool": "true or false", "int": "a whole number", "float64": "a number", "duration": "a time such as 90s or 5m"}
	if what, known := takes[bad.GetFlag().Value.Type()]; known {
		return fmt.Errorf("--%s cannot be %q; it is %s", bad.GetFlag().Name, bad.GetValue(), what)
	}
	return err
}

// version is the module's version and that of the Go that built it, as the build has written them down.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "of a build that says nothing of itself"
	}
	return info.Main.Version + " " + info.GoVersion
}

// helpCommand is cobra's, but for an exit code where there is no such command.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Help about a command", Example: "  gpuyard help up",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil {
				return usageError{err}
			}
			if len(rest) > 0 {
				return group(about, rest)
			}
			return about.Help()
		},
	}
}

// group runs a command that only holds others: it says which, and refuses one that is not among them.
func group(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return usageError{fmt.Errorf("%s has no command %q%s", cmd.CommandPath(), args[0], catalog.Instead(args[0], names))}
}
