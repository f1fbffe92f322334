package templates

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/rogpeppe/go-internal/txtar"
	"gopkg.in/yaml.v3"

	"github.com/gpuyard/gpuyard/catalog"
)

//go:embed templates.txtar
var archive []byte

const projectFile = "Pulumi.yaml"

// Template is a project to begin with.
type Template struct {
	// Name is the template's folder, Description what it makes, in a line.
	Name, Description string
	// Settings are the values that a user may choose, by name.
	Settings map[string]Setting
	files    []File
}

// Setting is a value that a user may choose; it becomes configuration of the stack.
type Setting struct {
	Description string `yaml:"description"`
	Default     string `yaml:"default"`
}

// File is a file of a project: its path with slashes, and its text.
type File struct {
	Path, Text string
}

// All returns every template, in the order of their names.
func All() []Template {
	var all []Template
	for _, f := range txtar.Parse(archive).Files {
		name, path, _ := strings.Cut(f.Name, "/")
		if len(all) == 0 || all[len(all)-1].Name != name {
			all = append(all, Template{Name: name})
		}
		t := &all[len(all)-1]
		t.files = append(t.files, File{path, string(f.Data)})
		if path == projectFile {
			t.describe(f.Data)
		}
	}
	return all
}

// describe reads what the project file says of the template. One that is not YAML is a bug of this package.
func (t *Template) describe(project []byte) {
	var p struct {
		Template struct {
			Description string             `yaml:"description"`
			Config      map[string]Setting `yaml:"config"`
		} `yaml:"template"`
	}
	if err := yaml.Unmarshal(project, &p); err != nil {
		panic(fmt.Sprintf("template %s: %v", t.Name, err))
	}
	t.Description, t.Settings = p.Template.Description, p.Template.Config
}

// Lookup finds a template by its name. The error names the near ones.
func Lookup(name string) (Template, error) {
	var names []string
	for _, t := range All() {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return Template{}, fmt.Errorf("there is no template %q%s", name, catalog.Instead(name, names))
}

// Project is what a user makes of a template.
type Project struct {
	// Name is the project's name, Description a line about it; left out, it is the template's.
	Name, Description string
}

// Files returns the files of the template for a project, as `pulumi new` writes them. The error says what is wrong with the
// project's name or description.
func (t Template) Files(p Project) ([]File, error) {
	if err := tokens.ValidateProjectName(p.Name); err != nil {
		return nil, fmt.Errorf("%q cannot be the name of a project: %w", p.Name, err)
	}
	if p.Description == "" {
		p.Description = t.Description
	}
	if strings.ContainsFunc(p.Description, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return nil, fmt.Errorf("%q cannot be the description of a project, which is one line of text", p.Description)
	}
	fill := strings.NewReplacer("${PROJECT}", p.Name, "${DESCRIPTION}", p.Description)
	quoted := strings.NewReplacer("${PROJECT}", scalar(p.Name), "${DESCRIPTION}", scalar(p.Description))
	var out []File
	for _, f := range t.files {
		if f.Path == projectFile {
			f.Text, _, _ = strings.Cut(f.Text, "template:\n") // its last part is about the template alone
			f.Text = quoted.Replace(f.Text)
		}
		out = append(out, File{f.Path, fill.Replace(f.Text)})
	}
	return out, nil
}

// scalar is a text as YAML writes it, in quotes where it would be something else without them.
func scalar(text string) string {
	out, err := yaml.Marshal(text)
	if err != nil {
		panic(fmt.Sprintf("%q as YAML: %v", text, err)) // every text can be written
	}
	return strings.TrimSuffix(string(out), "\n")
}

// Free says whether a project can be made in a folder: it is empty, or not there yet.
func Free(dir string) error {
	if dir == "" {
		return errors.New("the folder of the project has no name: name one that is empty or not there yet")
	}
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("looking into the folder of the project: %w", err)
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty: choose another folder, nothing in it is touched", dir)
	}
	return nil
}

// Write makes a folder of files, or fills one that is Free. A new folder appears when it is whole.
func Write(dir string, files []File) error {
	if err := Free(dir); err != nil {
		return err
	}
	if _, err := os.Stat(dir); err == nil {
		return fill(dir, files)
	}
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return fmt.Errorf("making the folder of the project: %w", err)
	}
	fresh, err := os.MkdirTemp(parent, ".gpuyard-init-")
	if err != nil {
		return fmt.Errorf("making the folder of the project: %w", err)
	}
	if err := errors.Join(fill(fresh, files), os.Chmod(fresh, 0o755)); err != nil {
		return errors.Join(err, os.RemoveAll(fresh))
	}
	if err := os.Rename(fresh, dir); err != nil {
		return errors.Join(fmt.Errorf("writing the project: %w", err), os.RemoveAll(fresh))
	}
	return nil
}

func fill(dir string, files []File) error {
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("writing the project: %w", err)
		}
		if err := os.WriteFile(path, []byte(f.Text), 0o644); err != nil {
			return fmt.Errorf("writing the project: %w", err)
		}
	}
	return nil
}
