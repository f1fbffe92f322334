package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/internal/engine"
	"github.com/gpuyard/gpuyard/stacks"
)

// locate returns the blueprint of an environment, and the project's folder. The argument is the name of a stack, or
// the path of a blueprint.
func (a *app) locate(arg string) (path, root string, err error) {
	if ext := filepath.Ext(arg); (ext == ".hcl" || ext == ".json") && isFile(arg) {
		return arg, "", nil
	}
	root, err = a.root()
	if err != nil {
		return "", "", err
	}
	path, err = stacks.BlueprintPath(filepath.Join(root, "stacks"), arg)
	if err != nil {
		return "", "", usageError{err}
	}
	return relative(path), root, nil
}

// load reads and judges the blueprint of an environment, as the program will, but without starting the engine.
func (a *app) load(arg string) (*blueprint.Blueprint, *blueprint.Diagnostics, error) {
	path, root, err := a.locate(arg)
	if err != nil {
		return nil, nil, err
	}
	config := map[string]string{}
	if root != "" {
		if config, err = engine.StackConfig(root, arg); err != nil {
			return nil, nil, err
		}
	}
	b, diags := blueprint.Load(path, stacks.Options(func(name string) (string, bool) {
		value, ok := config[name]
		return value, ok
	}))
	return b, diags, nil
}

// plan loads and plans an environment. It writes every diagnostic, and returns a blueprintError if one is an error.
func (a *app) plan(arg string) (*stacks.Plan, error) {
	b, diags, err := a.load(arg)
	if err != nil {
		return nil, err
	}
	if err := a.write(diags); err != nil {
		return nil, err
	}
	plan, diags := stacks.NewPlan(b, catalog.Default())
	return plan, a.write(diags)
}

// write draws diagnostics on the error stream, and returns a blueprintError if one of them is an error.
func (a *app) write(diags *blueprint.Diagnostics) error {
	if err := diags.Write(a.err, a.width, a.color); err != nil {
		return fmt.Errorf("writing diagnostics: %w", err)
	}
	if diags.HasErrors() {
		return blueprintError{errors.New("the blueprint is wrong")}
	}
	return nil
}

// relative shortens a path below the working directory, for messages.
func relative(path string) string {
	wd, err := filepath.Abs(".")
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(wd, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
