package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/config"
	"github.com/pulumi/pulumi/sdk/v3/go/common/workspace"
)

// StackConfigFile is where the configuration of a stack is: Pulumi.yaml says `stackConfigDir: stacks`.
func StackConfigFile(root, stack string) string {
	return filepath.Join(root, "stacks", "Pulumi."+stack+".yaml")
}

// StackConfig reads the plain values of the project's own namespace from a stack's configuration file, for commands
// that do not start the engine. Encrypted values are left out, and so is everything if there is no file.
func StackConfig(root, stack string) (map[string]string, error) {
	settings, err := loadSettings(StackConfigFile(root, stack))
	if err != nil {
		return nil, err
	}
	name, err := projectName(root)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	for key, v := range settings.Config {
		if key.Namespace() != string(name) || v.Secure() {
			continue
		}
		text, err := v.Value(config.NopDecrypter)
		if err != nil {
			return nil, fmt.Errorf("reading %s from %s: %w", key, StackConfigFile(root, stack), err)
		}
		values[key.Name()] = text
	}
	return values, nil
}

// copyStackConfig writes the plain values of the stack's configuration into the local workspace. Encrypted values stay
// behind, since the local state has no key to them: the blueprint then takes them from the environment, or says that
// they are missing.
func copyStackConfig(root, work, stack string) error {
	from, err := loadSettings(StackConfigFile(root, stack))
	if err != nil {
		return err
	}
	path := filepath.Join(work, "Pulumi."+stack+".yaml")
	to, err := loadSettings(path)
	if err != nil {
		return err
	}
	to.Config = config.Map{}
	for key, v := range from.Config {
		if !v.Secure() {
			to.Config[key] = v
		}
	}
	// In one step: a run that is killed here must not leave half a file, which holds the salt of the state's secrets.
	next := filepath.Join(filepath.Dir(path), "next.yaml")
	if err := to.Save(next); err != nil {
		return fmt.Errorf("writing the configuration of the local stack: %w", err)
	}
	if err := os.Rename(next, path); err != nil {
		return fmt.Errorf("writing the configuration of the local stack: %w", err)
	}
	return nil
}

func loadSettings(path string) (*workspace.ProjectStack, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return &workspace.ProjectStack{}, nil
	}
	settings, err := workspace.LoadProjectStack(nil, &workspace.Project{}, path)
	if err != nil {
		return nil, fmt.Errorf("reading the stack configuration %s: %w", path, err)
	}
	return settings, nil
}
