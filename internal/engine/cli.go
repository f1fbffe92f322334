package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/sdk/v3/go/auto"
)

// MinimumVersion is the oldest pulumi executable that gpuyard drives. 3.255.0 is the first release that runs a
// policy pack from the path of an executable, and every Automation API call that is used here is older than that.
const MinimumVersion = "3.255.0"

// CLI is a pulumi executable. It replaces the Automation API's own runner for one reason: that one kills the
// executable ten seconds after an interrupt, which would tear a running create out of the engine's hands; this one
// waits until the engine has put what it was doing into the state.
type CLI struct {
	path    string
	version semver.Version

	mu      sync.Mutex
	running map[*exec.Cmd]struct{}
	inherit []*os.File
}

var _ auto.PulumiCommand = (*CLI)(nil)

// NoCLIError says that no pulumi executable would do, and why for each that was tried.
type NoCLIError struct {
	// Tried has one sentence for each place that was looked at.
	Tried []string
}

// Error implements error.
func (e *NoCLIError) Error() string {
	return "no pulumi executable will do (version " + MinimumVersion + " or later is needed):\n  - " +
		strings.Join(e.Tried, "\n  - ") +
		"\nRun `make build`, which builds one into bin/, or install Pulumi and put it on the PATH."
}

// FindCLI finds the pulumi executable: the one named by GPUYARD_PULUMI, else the one on the PATH if its version
// will do, else the one in the folder of the running executable, else in bin/ of the project. It returns a *NoCLIError if none will do.
func FindCLI(ctx context.Context, root string) (*CLI, error) {
	var tried []string
	try := func(path string) *CLI {
		cli, err := newCLI(ctx, path)
		if err != nil {
			tried = append(tried, err.Error())
			return nil
		}
		return cli
	}
	if path := os.Getenv("GPUYARD_PULUMI"); path != "" {
		if cli := try(path); cli != nil {
			return cli, nil
		}
		return nil, &NoCLIError{Tried: append(tried, "GPUYARD_PULUMI names it, so nothing else was tried")}
	}
	if path, err := exec.LookPath("pulumi"); err != nil {
		tried = append(tried, "pulumi is not on the PATH")
	} else if cli := try(path); cli != nil {
		return cli, nil
	}
	candidates := []string{filepath.Join(root, "bin", "pulumi")}
	if self, err := os.Executable(); err == nil {
		candidates = slices.Insert(candidates, 0, filepath.Join(filepath.Dir(self), "pulumi"))
	}
	for _, path := range slices.Compact(candidates) {
		if cli := try(path); cli != nil {
			return cli, nil
		}
	}
	return nil, &NoCLIError{Tried: tried}
}

func newCLI(ctx context.Context, path string) (*CLI, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("%s does not exist", path)
	}
	cmd := exec.CommandContext(ctx, path, "version")
	cmd.Env = append(os.Environ(), "PULUMI_SKIP_UPDATE_CHECK=true")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s does not run: %w", path, err)
	}
	version, err := semver.ParseTolerant(strings.TrimSpace(string(out)))
	if err != nil {
		return nil, fmt.Errorf("%s reports the version %q, which is not one", path, strings.TrimSpace(string(out)))
	}
	if version.LT(semver.MustParse(MinimumVersion)) {
		return nil, fmt.Errorf("%s is version %s", path, version)
	}
	return &CLI{path: path, version: version, running: map[*exec.Cmd]struct{}{}}, nil
}

// Path is where the executable is.
func (c *CLI) Path() string { return c.path }

// Version implements auto.PulumiCommand.
func (c *CLI) Version() semver.Version { return c.version }

// Run implements auto.PulumiCommand. When ctx ends, the executable is interrupted once and then waited for, so that
// the operations under way end in the state; see Abandon.
func (c *CLI) Run(ctx context.Context, workdir string, stdin io.Reader, out, errOut []io.Writer, env []string,
	args ...string,
) (string, string, int, error) {
	if !slices.Contains(args, "--non-interactive") {
		args = append([]string{"--non-interactive"}, args...)
	}
	cmd := exec.CommandContext(ctx, c.path, args...)
	cmd.Dir = workdir
	cmd.Env = append(append(os.Environ(), env...), "PULUMI_AUTOMATION_API=true")
	cmd.Stdin = stdin
	var stdout, stderr bytes.Buffer
	cmd.Stdout = io.MultiWriter(append(out, &stdout)...)
	cmd.Stderr = io.MultiWriter(append(errOut, &stderr)...)
	// A group of its own: Ctrl-C on a terminal reaches the whole foreground group, and a second interrupt makes
	// the engine drop what it is doing. It shall get exactly those interrupts that are passed on here.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.ExtraFiles = c.inherit

	c.track(cmd, true)
	defer c.track(cmd, false)
	err := cmd.Run()
	code := -1
	var exit *exec.ExitError
	switch {
	case err == nil:
		code = 0
	case errors.As(err, &exit):
		code = exit.ExitCode()
	}
	return stdout.String(), stderr.String(), code, err
}

// Abandon interrupts the running executables a second time: the engine then ends at once and leaves operations
// under way as pending in the state.
func (c *CLI) Abandon() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for cmd := range c.running {
		if cmd.Process != nil {
			_ = cmd.Process.Signal(os.Interrupt) // it may have ended just now, and that is what was wanted
		}
	}
}

func (c *CLI) track(cmd *exec.Cmd, on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if on {
		c.running[cmd] = struct{}{}
	} else {
		delete(c.running, cmd)
	}
}
