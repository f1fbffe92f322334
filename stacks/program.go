package stacks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/catalog"
)

// Program returns the Pulumi program: it makes the environment that the blueprint dir/STACK.hcl describes, with the
// stack's configuration as the values of its variables.
func Program(dir string) pulumi.RunFunc {
	return func(ctx *pulumi.Context) error {
		path, err := BlueprintPath(dir, ctx.Stack())
		if err != nil {
			return err
		}
		cat, err := Catalog(dir)
		if err != nil {
			return err
		}
		cfg := config.New(ctx, "")
		opts := Options(cat, func(name string) (string, bool) {
			value, err := cfg.Try(name)
			return value, err == nil
		})
		opts.Name = stackName(ctx.Stack())
		opts.Secret = func(name string) bool { return ctx.IsConfigSecret(ctx.Project() + ":" + name) }
		b, diags := blueprint.Load(path, opts)
		if err := diags.Err(); err != nil {
			return err
		}
		plan, diags := NewPlan(b, cat)
		if err := diags.Err(); err != nil {
			return err
		}
		return Deploy(ctx, plan)
	}
}

// Options are the options with which every caller loads a blueprint: what the hardware is, and variables from the stack's
// configuration first, then from the environment.
func Options(cat *catalog.Catalog, variables func(name string) (string, bool)) blueprint.Options {
	return blueprint.Options{Catalog: cat, Variables: variables, Environ: os.LookupEnv}
}

// CatalogFile is the data set that overrides the embedded one. It is beside Pulumi.yaml: in the folder of blueprints it
// would be one.
const CatalogFile = "catalog.json"

// Catalog returns what the hardware is for the blueprints in dir: the embedded data, and over them the data set in the
// CatalogFile of the project, if there is one.
func Catalog(dir string) (*catalog.Catalog, error) {
	path := filepath.Join(filepath.Dir(filepath.Clean(dir)), CatalogFile)
	set, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return catalog.Default(), nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading what overrides the catalogue: %w", err)
	}
	cat, err := catalog.Override(set)
	if err != nil {
		return nil, fmt.Errorf("%s, which overrides the catalogue, is wrong. Write it anew with `gpuyard catalog refresh`, or remove it:\n%w", path, err)
	}
	return cat, nil
}

// NoBlueprintError says that a stack has no blueprint.
type NoBlueprintError struct {
	// Stack is the stack's name, Path where its blueprint was looked for, and Known the stacks that have one.
	Stack, Path string
	Known       []string
}

// Error implements error.
func (e *NoBlueprintError) Error() string {
	text := fmt.Sprintf("there is no environment %q, since %s does not exist", e.Stack, e.Path)
	if len(e.Known) == 0 {
		return text + ". No environment is described here: write one, beginning with `environment \"NAME\" { region = … }`."
	}
	return text + catalog.Instead(e.Stack, e.Known)
}

// BlueprintPath is where the blueprint of a stack is: dir/STACK.hcl, or dir/STACK.json in HCL's JSON syntax. A stack name of
// the form org/project/stack counts by its last part. It returns a *NoBlueprintError if there is none.
func BlueprintPath(dir, stack string) (string, error) {
	stack = stackName(stack)
	for _, ext := range []string{".hcl", ".json"} {
		path := filepath.Join(dir, stack+ext)
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			return path, nil // reading it says what is wrong with it
		}
	}
	return "", &NoBlueprintError{Stack: stack, Path: filepath.Join(dir, stack+".hcl"), Known: Names(dir)}
}

// stackName is the last part of the name of a stack, which may have the form org/project/stack.
func stackName(stack string) string { return stack[strings.LastIndex(stack, "/")+1:] }

// Names lists the stacks that have a blueprint in dir, sorted.
func Names(dir string) []string {
	var names []string
	for _, ext := range []string{".hcl", ".json"} {
		paths, _ := filepath.Glob(filepath.Join(dir, "*"+ext)) // the pattern is well-formed
		for _, p := range paths {
			names = append(names, strings.TrimSuffix(filepath.Base(p), ext))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
