package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpuyard/gpuyard/internal/engine"
	"github.com/gpuyard/gpuyard/policy/analyzer"
	"github.com/gpuyard/gpuyard/policy/pack"
	"github.com/gpuyard/gpuyard/stacks"
)

// packName is the name under which this executable is the policy pack: the engine runs a pack with one argument, an
// address, and so it is told by its name.
const packName = "pulumi-analyzer-gpuyard"

// servePack serves the policy pack to the engine, and returns the exit code.
func servePack() int {
	if err := analyzer.Main(pack.New); err != nil {
		fmt.Fprintln(os.Stderr, "gpuyard policy pack:", err)
		return exitFailed
	}
	return exitOK
}

// policyFlags are the flags of every command that has the engine judge by the policy pack.
type policyFlags struct {
	without string
	config  string
}

func (f *policyFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.without, "no-policy", "", "do not judge by the policy pack, for this `REASON`")
	cmd.Flags().StringVar(&f.config, "policy-config", "", "configuration of the policy pack (default policy/config/ENVIRONMENT.json, if there is one)")
}

// judgedBy has a run judged by the policy pack. Without one, the reason is printed.
func (a *app) judgedBy(cmd *cobra.Command, f policyFlags, stack string) judging {
	return func(root string) (engine.Policy, error) {
		if cmd.Flags().Changed("no-policy") {
			if strings.TrimSpace(f.without) == "" {
				return engine.Policy{}, usageError{errors.New("--no-policy takes the reason why this plan is not judged")}
			}
			a.say("Not judged by the policy pack: %s\n\n", f.without)
			return engine.Policy{}, nil
		}
		config, err := policyConfig(f.config, root, stack)
		if err != nil {
			return engine.Policy{}, err
		}
		path, err := linkPack(root)
		return engine.Policy{Pack: path, Config: config}, err
	}
}

// policyConfig is the configuration file of the pack: the one that is named, the stack's own, or none.
func policyConfig(named, root, stack string) (string, error) {
	if named != "" {
		if !isFile(named) {
			return "", usageError{fmt.Errorf("there is no policy configuration %s", named)}
		}
		return filepath.Abs(named)
	}
	if own := filepath.Join(root, "policy", "config", stack+".json"); isFile(own) {
		return own, nil
	}
	return "", nil
}

// engineEnv is what the engine is told beside its own settings: where providers of this process listen, and, for the policy
// pack, what overrides the project's catalogue.
func engineEnv(root, providers string) map[string]string {
	env := map[string]string{"PULUMI_DEBUG_PROVIDERS": providers}
	if path := filepath.Join(root, stacks.CatalogFile); isFile(path) {
		env[pack.CatalogVariable] = path
	}
	return env
}

// linkPack makes a link to this executable by which it is the policy pack.
func linkPack(root string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("finding this executable, which is the policy pack as well: %w", err)
	}
	path := filepath.Join(root, ".gpuyard", "bin", packName)
	if to, err := os.Readlink(path); err == nil && to == self {
		return path, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("making a folder for the policy pack: %w", err)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("linking the policy pack: %w", err)
	}
	// Another run may make the same link at the same time.
	if err := os.Symlink(self, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("linking the policy pack: %w", err)
	}
	return path, nil
}
