package engine

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/pulumi/pulumi/sdk/v3/go/common/workspace"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// projectName reads the name of the Pulumi project in a folder, which is also the namespace of its configuration keys.
func projectName(root string) (tokens.PackageName, error) {
	p, err := workspace.LoadProject(filepath.Join(root, "Pulumi.yaml"))
	if err != nil {
		return "", fmt.Errorf("reading the project in %s: %w", root, err)
	}
	return p.Name, nil
}

// Options says what to run and where.
type Options struct {
	// Root is the project's folder: the one that holds Pulumi.yaml.
	Root string
	// Stack is the name of the stack, and so of the environment.
	Stack string
	// Program is what plain `pulumi up` would run.
	Program pulumi.RunFunc
	// CLI is the pulumi executable.
	CLI *CLI
	// Dir is the folder of a local stack; empty is LocalDir.
	Dir string
	// Policy is the pack that judges previews and updates.
	Policy Policy
	// Existing says that the stack is not created: one that is not there is an error that auto.IsSelectStack404Error tells.
	Existing bool
}

// Policy is a policy pack. The zero value is none.
type Policy struct {
	// Pack is the path of the pack's executable.
	Pack string
	// Config is the path of its configuration; empty is the pack's own.
	Config string
}

// given is a list of a path, or of nothing if it is empty.
func given(path string) []string {
	if path == "" {
		return nil
	}
	return []string{path}
}

// Workspace is a stack that operations can be run on.
type Workspace struct {
	stack  auto.Stack
	policy Policy
	file   string   // where the state of a local stack is; empty: in a backend
	held   *os.File // the lock of a local stack
}

// Close lets go of the stack. A nil Workspace holds none.
func (w *Workspace) Close() error {
	if w == nil || w.held == nil {
		return nil
	}
	return w.held.Close()
}

// Cloud opens the stack in the project's own workspace: its Pulumi.yaml, its stack configuration, and the backend the
// user is logged in to. The stack is created in the backend if it is not there yet, unless it has to exist. The
// environment env is given to the pulumi executable only; it says where providers in this process listen.
func Cloud(ctx context.Context, o Options, env map[string]string) (*Workspace, error) {
	vars := map[string]string{"PULUMI_SKIP_UPDATE_CHECK": "true"}
	maps.Copy(vars, env)
	ws, err := auto.NewLocalWorkspace(ctx, auto.WorkDir(o.Root), auto.Program(o.Program), auto.Pulumi(o.CLI), auto.EnvVars(vars))
	if err != nil {
		return nil, fmt.Errorf("opening the project in %s: %w", o.Root, err)
	}
	return open(ctx, ws, o)
}

// LocalDir is the folder of a local stack: its state, its workspace and the embedded cloud's data.
func LocalDir(root, stack string) string { return filepath.Join(root, ".gpuyard", "local", stack) }

// Local opens the stack in a workspace of its own below LocalDir, with a state on disk. The environment env is given
// to the pulumi executable only; it says where the embedded cloud listens.
//
// The caller holds the embedded cloud of the stack, which one process at a time can do. A lock in the state that is
// found nevertheless was left by a process that died, and is removed. Close lets the next run begin.
func Local(ctx context.Context, o Options, env map[string]string) (*Workspace, error) {
	dir := cmp.Or(o.Dir, LocalDir(o.Root, o.Stack))
	for _, d := range []string{"home", "work", "state"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			return nil, fmt.Errorf("making the folder of the local stack: %w", err)
		}
	}
	held, err := hold(ctx, dir, holdFor)
	if err != nil {
		return nil, err
	}
	w, err := openLocal(ctx, o, dir, env, held)
	if err != nil {
		return nil, errors.Join(err, held.Close())
	}
	return w, nil
}

func openLocal(ctx context.Context, o Options, dir string, env map[string]string, held *os.File) (*Workspace, error) {
	home, work, state := filepath.Join(dir, "home"), filepath.Join(dir, "work"), filepath.Join(dir, "state")
	name, err := projectName(o.Root)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(state, ".pulumi", "stacks", string(name), o.Stack+".json")
	passphrase, err := localPassphrase(filepath.Join(dir, "passphrase"), file)
	if err != nil {
		return nil, err
	}
	if err := copyStackConfig(o.Root, work, o.Stack); err != nil {
		return nil, err
	}
	if err := errors.Join(mendCheckpoint(file), mendAttributes(state)); err != nil {
		return nil, explain(err)
	}
	vars := map[string]string{
		"PULUMI_BACKEND_URL":                          "file://" + filepath.ToSlash(state),
		"PULUMI_CONFIG_PASSPHRASE":                    passphrase,
		"PULUMI_CONFIG_PASSPHRASE_FILE":               "",
		"PULUMI_SKIP_UPDATE_CHECK":                    "true",
		"PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
	}
	maps.Copy(vars, env)
	o.CLI.inherit = []*os.File{held}
	ws, err := auto.NewLocalWorkspace(ctx, auto.WorkDir(work), auto.PulumiHome(home), auto.Program(o.Program),
		auto.Pulumi(o.CLI), auto.EnvVars(vars), auto.Project(workspace.Project{
			Name:    name,
			Runtime: workspace.NewProjectRuntimeInfo("go", nil),
		}))
	if err != nil {
		return nil, fmt.Errorf("opening the local workspace in %s: %w", work, err)
	}
	w, err := open(ctx, ws, o)
	if err != nil {
		return nil, err
	}
	w.file, w.held = file, held
	return w, w.removeStaleLock(ctx, state)
}

func open(ctx context.Context, ws auto.Workspace, o Options) (*Workspace, error) {
	find := auto.UpsertStack
	if o.Existing {
		find = auto.SelectStack
	}
	stack, err := find(ctx, o.Stack, ws)
	if err != nil {
		return nil, explain(fmt.Errorf("selecting the stack %s: %w", o.Stack, err))
	}
	return &Workspace{stack: stack, policy: o.Policy}, nil
}

// localPassphrase reads the passphrase that encrypts secrets in the local state, the file at state, and makes one if there
// is neither. It protects nothing real: the secrets of an embedded cloud are simulated.
func localPassphrase(path, state string) (string, error) {
	if b, err := os.ReadFile(path); err == nil && len(b) > 0 {
		return string(b), nil
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("reading the passphrase of the local state: %w", err)
	}
	if exists(state) {
		return "", fmt.Errorf("the passphrase of the local state, %s, is lost, and nothing else reads its secrets: put the file back, or remove %s, "+
			"which holds nothing real, and bring the environment up again", path, filepath.Dir(path))
	}
	raw := make([]byte, 16)
	if _, err := rand.Read(raw); err != nil {
		return "", fmt.Errorf("making a passphrase for the local state: %w", err)
	}
	text := hex.EncodeToString(raw)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("writing the passphrase of the local state: %w", err)
	}
	return text, nil
}

func (w *Workspace) removeStaleLock(ctx context.Context, state string) error {
	locked := false
	err := filepath.WalkDir(filepath.Join(state, ".pulumi", "locks"), func(_ string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		locked = locked || (err == nil && !d.IsDir())
		return err
	})
	if err != nil {
		return fmt.Errorf("looking for locks in the local state: %w", err)
	}
	if !locked {
		return nil
	}
	if err := w.stack.Cancel(ctx); err != nil {
		return fmt.Errorf("removing the lock that a run left in the local state when it died: %w", err)
	}
	return nil
}
