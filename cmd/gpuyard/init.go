package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/stacks"
	"github.com/gpuyard/gpuyard/templates"
)

// The files of a new project that init reads: its blueprint, and the configuration of its stack.
const (
	newBlueprint = "stacks/dev.hcl"
	newConfig    = "Pulumi.dev.yaml"
)

// choice is what a project is to be made of.
type choice struct {
	template templates.Template
	dir      string
	project  templates.Project
	settings map[string]string
}

func (a *app) initCommand() *cobra.Command {
	var p choice
	var from existing
	cmd := &cobra.Command{
		Use:   "init [TEMPLATE [DIR]]",
		Short: "Make a new project from a template, or from a cluster that exists",
		Long: `Make a new project from a template, in a folder that is empty or not there yet: the files that ` + "`pulumi new`" + ` would make
of the same template. What is wrong is said before anything is written. On a terminal it asks for what is left out; elsewhere,
without a template, it lists them.

With --from-existing it adds a pool to what exists. An environment of this project that is up gets a node_pool block, which
is printed for its blueprint; the blueprint itself stays as it is. An EKS cluster of anybody's, in the region of the setting
aws:region or of your AWS configuration, gets a project of the template component-import in DIR, with the ids filled in.
It is read and not changed. Instead of AWS, the answers of its command line can be read from a file: see --from-file.`,
		Example: `  gpuyard init
  gpuyard init sandbox vision
  gpuyard init --config region=us-east-1 training-h100-efa llm
  gpuyard init --from-existing prod
  gpuyard init --from-existing research-eks --config instance_type=p5en.48xlarge pool`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if from.name != "" {
				return a.fromExisting(cmd.Context(), from, p, args)
			}
			if from.file != "" || from.local {
				return usageError{errors.New("--from-file and --local are for --from-existing NAME")}
			}
			if len(args) == 0 && !canAsk() {
				return a.listTemplates()
			}
			if err := a.choose(&p, args); err != nil {
				return err
			}
			return a.make(p)
		},
	}
	cmd.Flags().StringVar(&p.project.Name, "name", "", "the project's name; left out, the folder's")
	cmd.Flags().StringVar(&p.project.Description, "description", "", "a line about the project; left out, the template's")
	cmd.Flags().StringToStringVarP(&p.settings, "config", "c", nil, "a setting of the template, as NAME=VALUE; may be given several times")
	from.add(cmd)
	return cmd
}

// listTemplates prints a line a template.
func (a *app) listTemplates() error {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, t := range templates.All() {
		fmt.Fprintf(w, "%s\t%s\n", t.Name, t.Description)
	}
	return w.Flush()
}

// choose fills in what the command line says, and asks for what it leaves out.
func (a *app) choose(p *choice, args []string) error {
	if len(args) > 0 {
		template, err := templates.Lookup(args[0])
		if err != nil {
			return usageError{err}
		}
		p.template = template
	}
	switch {
	case len(args) == 2 && args[1] != "":
		p.dir = args[1]
		return nil
	case !canAsk():
		var settings []string
		for _, name := range settingNames(p.template) {
			settings = append(settings, name+"="+p.template.Settings[name].Default)
		}
		return usageError{fmt.Errorf("which folder? `gpuyard init %s DIR` makes a project in DIR. Its settings, for --config: %s", args[0], strings.Join(settings, ", "))}
	}
	return a.ask(p)
}

// make writes a project, if what comes of it is right, and says how to go on.
func (a *app) make(p choice) error {
	files, err := a.files(p)
	if err != nil {
		return err
	}
	if err := templates.Write(p.dir, files); err != nil {
		return usageError{err}
	}
	next := [2]string{"gpuyard up --local dev    # on an embedded cloud: no account, nothing to pay", "gpuyard up dev            # on the real one"}
	main := newBlueprint
	if !hasBlueprint(files) {
		main, next = "main.go", [2]string{"pulumi stack init dev", "pulumi up"}
	}
	_, err = fmt.Fprintf(a.out, "%s is a new project of the template %s: %s.\n\n  cd %s\n  %s\n  %s\n",
		p.dir, p.template.Name, path.Join(filepath.ToSlash(p.dir), main), p.dir, next[0], next[1])
	return err
}

// files returns the files of a project. Everything about it is judged here.
func (a *app) files(p choice) ([]templates.File, error) {
	if err := templates.Free(p.dir); err != nil {
		return nil, usageError{err}
	}
	if p.project.Name == "" {
		abs, err := filepath.Abs(p.dir)
		if err != nil {
			return nil, fmt.Errorf("finding the folder of the project: %w", err)
		}
		p.project.Name = filepath.Base(abs)
	}
	for name := range p.settings {
		if known := settingNames(p.template); !slices.Contains(known, name) {
			return nil, usageError{fmt.Errorf("the template %s has no setting %q%s", p.template.Name, name, catalog.Instead(name, known))}
		}
	}
	files, err := p.template.Files(p.project)
	if err != nil {
		return nil, usageError{err}
	}
	if !hasBlueprint(files) {
		p.settings = withDefaults(p)
		if err := judgeType(p.settings["instance_type"], p.settings["aws:region"]); err != nil {
			return nil, usageError{err}
		}
	}
	for i, f := range files {
		switch {
		case f.Path == newBlueprint:
			err = a.judgeNew(f.Text, filepath.Join(p.dir, newBlueprint), p.settings)
		case path.Base(f.Path) == newConfig:
			files[i].Text, err = withSettings(f.Text, p.project.Name, p.settings)
		}
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// judgeNew judges the blueprint of a project that is not written yet.
func (a *app) judgeNew(text, path string, settings map[string]string) error {
	b, diags := blueprint.Parse([]byte(text), path, stacks.Options(catalog.Default(), func(name string) (string, bool) {
		value, ok := settings[name]
		return value, ok
	}))
	if !diags.HasErrors() {
		_, diags = planned(b, diags, catalog.Default())
	}
	err := a.write(diags)
	if wrong := (blueprintError{}); errors.As(err, &wrong) {
		a.say("Nothing was written: with these settings, the blueprint would be wrong.\n")
	}
	return err
}

// judgeType refuses an instance type that a region does not have, where there is no blueprint to judge.
func judgeType(typ, region string) error {
	cat := catalog.Default()
	if _, err := cat.Lookup(typ); err != nil {
		return err
	}
	if regions := cat.Regions(); !slices.Contains(regions, region) {
		return fmt.Errorf("%q is no region that gpuyard knows%s", region, catalog.Instead(region, regions))
	}
	if len(cat.ZonesOf(typ, region)) == 0 {
		return fmt.Errorf("%s is not offered in %s.%s", typ, region, blueprint.Elsewhere(cat, typ, region))
	}
	return nil
}

// withDefaults are the settings of a project whose program, unlike a blueprint, knows no defaults: `pulumi new` would write
// them into the configuration too.
func withDefaults(p choice) map[string]string {
	settings := map[string]string{}
	for name, setting := range p.template.Settings {
		if value := cmp.Or(p.settings[name], setting.Default); value != "" {
			settings[name] = value
		}
	}
	return settings
}

// withSettings adds settings to the configuration of a stack, under the names that Pulumi gives them.
func withSettings(text, project string, settings map[string]string) (string, error) {
	if len(settings) == 0 {
		return text, nil
	}
	values := map[string]string{}
	for name, value := range settings {
		if !strings.Contains(name, ":") {
			name = project + ":" + name
		}
		values[name] = value
	}
	config, err := yaml.Marshal(map[string]any{"config": values})
	if err != nil {
		return "", fmt.Errorf("writing the stack's configuration: %w", err)
	}
	return strings.Replace(text, "config: {}\n", string(config), 1), nil
}

func settingNames(t templates.Template) []string { return slices.Sorted(maps.Keys(t.Settings)) }

func hasBlueprint(files []templates.File) bool {
	return slices.ContainsFunc(files, func(f templates.File) bool { return f.Path == newBlueprint })
}
