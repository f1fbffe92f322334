package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gpuyard/gpuyard/internal/engine"
	"github.com/gpuyard/gpuyard/nodeprep/remotetest"
	"github.com/gpuyard/gpuyard/provider"
)

var update = flag.Bool("update", false, "rewrite the expected outputs in the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gpuyard": main, packName: main, provider.Executable: main, previewerName: previewer})
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
			env.Values["ssh"] = &sshWorld{servers: map[string]*remotetest.Server{}}
			return newProject(repo, env.WorkDir)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "capture": capture, "interrupts": interrupts,
			"sshhost": sshhost, "sshfault": sshfault, "hostfails": hostfails,
			"awsanswers": awsanswers,
		},
	})
}

// newProject gives a script the project file, what it names, and the dev environment of the repository, unless it has its
// own.
func newProject(repo, dir string) error {
	for _, name := range []string{"Pulumi.yaml", "stacks/dev.hcl", "tools/plugin/pulumi-resource-gpuyard"} {
		if isFile(filepath.Join(dir, name)) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			return err
		}
		text, err := os.ReadFile(filepath.Join(repo, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o700); err != nil {
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

// capture puts what a regular expression's group finds on the last standard output into a variable:
// `capture VPC '(vpc-[0-9a-f]+)'`.
func capture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: capture NAME REGEXP")
	}
	found := regexp.MustCompile(args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if len(found) != 2 {
		ts.Fatalf("%s is not on the standard output", args[1])
	}
	ts.Setenv(args[0], found[1])
}

// interrupts runs a command and interrupts it, as Ctrl-C does, when it has written N lines that say TEXT:
// `interrupts 10 created gpuyard up --local dev`; with -hup first, as the end of a terminal does. The command must end with 130.
// What it wrote is in the file interrupted.
func interrupts(ts *testscript.TestScript, neg bool, args []string) {
	signal := os.Interrupt
	if len(args) > 0 && args[0] == "-hup" {
		signal, args = syscall.SIGHUP, args[1:]
	}
	if neg || len(args) < 3 {
		ts.Fatalf("usage: interrupts [-hup] N TEXT COMMAND...")
	}
	left, err := strconv.Atoi(args[0])
	ts.Check(err)
	path, err := exec.LookPath(args[2])
	ts.Check(err)
	cmd := exec.Command(path, args[3:]...)
	cmd.Dir, cmd.Env = ts.Getenv("WORK"), environ(ts)
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	cmd.Stderr = cmd.Stdout
	ts.Check(cmd.Start())
	var wrote strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		ts.Logf("%s", lines.Text())
		fmt.Fprintln(&wrote, lines.Text())
		if strings.Contains(lines.Text(), args[1]) {
			if left--; left == 0 {
				ts.Check(cmd.Process.Signal(signal))
			}
		}
	}
	_ = cmd.Wait() // the exit code is judged below
	ts.Check(os.WriteFile(ts.MkAbs("interrupted"), []byte(wrote.String()), 0o644))
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		ts.Fatalf("exit code %d, want %d; %d lines were still awaited", code, exitInterrupted, left)
	}
}

// environ is the environment that the script's own commands run in.
func environ(ts *testscript.TestScript) []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "GPUYARD_PULUMI", "TMPDIR"} {
		env = append(env, name+"="+ts.Getenv(name))
	}
	return env
}
