package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/internal/engine"
	"github.com/gpuyard/gpuyard/stacks"
)

// environmentName is what the name of an environment may be: it names files, folders, a stack and a cluster.
var environmentName = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,99}$`)

// checkName refuses what cannot be the name of an environment, above all what would leave the project's folder.
func checkName(name string) error {
	if isBlueprint(name) {
		return usageError{fmt.Errorf("%q is a file, and what is wanted is the name of an environment: did you mean %s?", name, nameInPath(name))}
	}
	if environmentName.MatchString(name) && !strings.Contains(name, "..") {
		return nil
	}
	if len(name) > 100 {
		name = name[:100] + "…"
	}
	return usageError{fmt.Errorf("%q is no name of an environment: letters, digits, -, _ and . are, 100 at most", name)}
}

// isBlueprint tells the path of a blueprint from the name of an environment.
func isBlueprint(arg string) bool {
	ext := filepath.Ext(arg)
	return (ext == ".hcl" || ext == ".json") && isFile(arg)
}

// nameInPath is the name of the environment that a blueprint's file describes.
func nameInPath(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// source is where the blueprint of an environment is. Root is the project's folder; it is empty for a blueprint outside
// of one, and then there is no configuration either.
type source struct{ path, root, name string }

// locate finds the blueprint of an environment. The argument is the name of a stack, or the path of a blueprint.
func (a *app) locate(arg string) (source, error) {
	root, err := a.root()
	if isBlueprint(arg) {
		found := source{path: arg, name: nameInPath(arg)}
		if dir, absErr := filepath.Abs(filepath.Dir(arg)); err == nil && absErr == nil && dir == filepath.Join(root, "stacks") {
			found.root = root
		}
		return found, nil
	}
	if err != nil {
		return source{}, err
	}
	if err := checkName(arg); err != nil {
		return source{}, err
	}
	path, err := stacks.BlueprintPath(filepath.Join(root, "stacks"), arg)
	if err != nil {
		return source{}, usageError{err}
	}
	return source{path: relative(path), root: root, name: arg}, nil
}

// locateMade finds an environment that is to be read or removed, which takes no blueprint: what the state holds of it does.
// The target then is a stack that is there already.
func (a *app) locateMade(arg string, target *targetFlags) error {
	if err := checkName(arg); err != nil {
		return err
	}
	_, err := a.locate(arg)
	var none *stacks.NoBlueprintError
	if !errors.As(err, &none) {
		return err
	}
	root, rootErr := a.root()
	if rootErr != nil {
		return rootErr
	}
	if target.local && !isDir(engine.LocalDir(root, arg)) {
		return err
	}
	target.undescribed = err
	return nil
}

// load reads and judges the blueprint of an environment, as the program will, but without starting the engine.
func (a *app) load(arg string) (*blueprint.Blueprint, *blueprint.Diagnostics, error) {
	from, err := a.locate(arg)
	if err != nil {
		return nil, nil, err
	}
	config := map[string]string{}
	if from.root != "" {
		if config, err = engine.StackConfig(from.root, from.name); err != nil {
			return nil, nil, err
		}
	}
	cat, err := a.hardware()
	if err != nil {
		return nil, nil, err
	}
	opts := stacks.Options(cat, func(name string) (string, bool) {
		value, ok := config[name]
		return value, ok
	})
	if from.root != "" {
		opts.Name = from.name
	}
	b, diags := blueprint.Load(from.path, opts)
	return b, diags, nil
}

// draft loads and plans an environment. The diagnostics are those of both; there is a plan if none of them is an error.
func (a *app) draft(arg string) (*stacks.Plan, *blueprint.Diagnostics, error) {
	b, diags, err := a.load(arg)
	if err != nil || diags.HasErrors() {
		return nil, diags, err
	}
	cat, err := a.hardware()
	if err != nil {
		return nil, nil, err
	}
	plan, diags := planned(b, diags, cat)
	return plan, diags, nil
}

// planned plans a blueprint without errors, and adds to its diagnostics those of the plan.
func planned(b *blueprint.Blueprint, diags *blueprint.Diagnostics, cat *catalog.Catalog) (*stacks.Plan, *blueprint.Diagnostics) {
	plan, more := stacks.NewPlan(b, cat)
	return plan, b.Diagnostics(slices.Concat(diags.List(), more.List()))
}

// plan is draft for who wants the plan: it writes the diagnostics, and returns a blueprintError if one is an error.
func (a *app) plan(arg string) (*stacks.Plan, error) {
	plan, diags, err := a.draft(arg)
	if err != nil {
		return nil, err
	}
	return plan, a.write(diags)
}

// planNamed is plan for what takes the name of an environment, and no file.
func (a *app) planNamed(name string) (*stacks.Plan, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	return a.plan(name)
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
