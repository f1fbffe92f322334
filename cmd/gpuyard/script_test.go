package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gpuyard/gpuyard/internal/engine"
)

var update = flag.Bool("update", false, "rewrite the expected outputs in the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gpuyard": main})
}

// TestScripts runs every script in testdata/script: a project in a folder of its own, commands, and what they print.
// Adding a case is adding a file. The scripts that bring something up do so through the real Pulumi engine.
func TestScripts(t *testing.T) {
	t.Parallel()
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cli, err := engine.FindCLI(t.Context(), repo)
	if err != nil {
		t.Fatalf("the scripts need the Pulumi engine: %v", err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GPUYARD_PULUMI", cli.Path())
			env.Setenv("REPO", repo)
			env.Setenv("HOME", env.WorkDir)
			return newProject(repo, env.WorkDir)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits},
	})
}

// newProject gives a script the project file and the dev environment of the repository.
func newProject(repo, dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, "stacks"), 0o700); err != nil {
		return err
	}
	for _, name := range []string{"Pulumi.yaml", "stacks/dev.hcl"} {
		text, err := os.ReadFile(filepath.Join(repo, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// exits runs a command and compares its exit code: `exits 2 gpuyard bogus`.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s", fmt.Sprintf("exit code %d, want %d", got, want))
	}
}
