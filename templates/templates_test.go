package templates

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"gopkg.in/yaml.v3"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/catalog"
)

var update = flag.Bool("update", false, "write templates.txtar from the folders")

// TestArchive holds what the executable carries to the folders.
func TestArchive(t *testing.T) {
	t.Parallel()
	want := &txtar.Archive{Comment: []byte("The templates, as the executable carries them: go test ./templates -update\n")}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(path, string(filepath.Separator)) {
			return err
		}
		text, err := os.ReadFile(path)
		want.Files = append(want.Files, txtar.File{Name: filepath.ToSlash(path), Data: text})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("templates.txtar", txtar.Format(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(txtar.Format(want)) != string(archive) {
		t.Error("templates.txtar differs from the folders: run the test with -update")
	}
}

// TestTemplates makes a project of every template and judges its blueprint: it loads without an error or a warning, and
// nothing is left to fill in.
func TestTemplates(t *testing.T) {
	t.Parallel()
	for _, template := range All() {
		t.Run(template.Name, func(t *testing.T) {
			t.Parallel()
			if template.Description == "" || len(template.Settings) == 0 {
				t.Errorf("its Pulumi.yaml describes neither it nor a setting: %+v", template)
			}
			files, err := template.Files(Project{Name: "vision"})
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(t.TempDir(), "new", "vision")
			if err := Write(dir, files); err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				if strings.Contains(f.Text, "${PROJECT}") || strings.Contains(f.Text, "${DESCRIPTION}") {
					t.Errorf("%s still has something to fill in", f.Path)
				}
			}
			wanted := []string{"Pulumi.yaml", "go.mod", "main.go", "README.md", ".gitignore", ".github/workflows/policy.yml"}
			if template.Name != "component-import" { // a program of its own, without a blueprint
				wanted = append(wanted, "stacks/dev.hcl", "stacks/Pulumi.dev.yaml")
			}
			for _, name := range wanted {
				if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
					t.Error(err)
				}
			}
			checkModule(t, dir)
			if template.Name == "component-import" {
				return
			}
			_, diags := blueprint.Load(filepath.Join(dir, "stacks", "dev.hcl"), options(nil))
			if diags.Errors()+diags.Warnings() > 0 {
				t.Errorf("%d errors and %d warnings: %v", diags.Errors(), diags.Warnings(), diags.List())
			}
		})
	}
}

// TestProjectFile reads back from the project's file what a project was called, whatever YAML would take it for.
func TestProjectFile(t *testing.T) {
	t.Parallel()
	for _, want := range []Project{
		{"vision", "what we do"}, {"vision", "Vision: training"}, {"vision", `a "b" # c`}, {"vision", "it's"}, {"vision", "null"},
		{"123", "x"}, {"true", "x"}, {"null", "x"}, {"1e3", "x"}, {"0x10", "x"},
	} {
		files, err := All()[0].Files(want)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(files, func(f File) bool { return f.Path == projectFile })
		var got struct{ Name, Description any }
		if err := yaml.Unmarshal([]byte(files[i].Text), &got); err != nil {
			t.Errorf("%+v: %v", want, err)
		}
		if got.Name != want.Name || got.Description != want.Description {
			t.Errorf("%+v is read back as %+v", want, got)
		}
	}
	for _, wrong := range []Project{{"no name", "x"}, {"vision", "two\nlines"}} {
		if _, err := All()[0].Files(wrong); err == nil {
			t.Errorf("%+v is taken", wrong)
		}
	}
	if err := Free(""); err == nil {
		t.Error("a folder without a name is free")
	}
}

// TestRegions judges every template in every region: it fits, in zones that are written by their ids where types are few, or
// the region does not have the types.
func TestRegions(t *testing.T) {
	t.Parallel()
	for _, template := range All() {
		if _, regional := template.Settings["region"]; !regional {
			continue
		}
		files, err := template.Files(Project{Name: "vision"})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(files, func(f File) bool { return f.Path == "stacks/dev.hcl" })
		fits := 0
		for _, region := range catalog.Default().Regions() {
			_, diags := blueprint.Parse([]byte(files[i].Text), "dev.hcl", options(map[string]string{"region": region}))
			for _, d := range diags.List() {
				if d.Summary != "Instance type not offered in region" {
					t.Errorf("%s in %s: %s", template.Name, region, d.Error())
				}
			}
			if len(diags.List()) == 0 {
				fits++
			}
		}
		if fits < 2 {
			t.Errorf("%s fits into %d regions", template.Name, fits)
		}
	}
}

// options judge a blueprint on a fixed day.
func options(settings map[string]string) blueprint.Options {
	return blueprint.Options{
		Variables: func(name string) (string, bool) { value, ok := settings[name]; return value, ok },
		Environ:   func(string) (string, bool) { return "", false },
		Now:       func() time.Time { return time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC) },
	}
}

// checkModule holds a project to the Go and the Pulumi SDK that gpuyard itself is built with.
func checkModule(t *testing.T, dir string) {
	t.Helper()
	ours, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []*regexp.Regexp{regexp.MustCompile(`(?m)^go .*$`), regexp.MustCompile(`(?m)^\tgithub.com/pulumi/pulumi/sdk/v3 .*$`)} {
		if line := want.FindString(string(ours)); line == "" || !strings.Contains(string(theirs), line+"\n") {
			t.Errorf("go.mod does not say %q, as gpuyard's own does", line)
		}
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	if template, err := Lookup("sandbox"); err != nil || template.Name != "sandbox" {
		t.Errorf("%v, %v", template.Name, err)
	}
	if _, err := Lookup("sandbx"); err == nil || err.Error() != `there is no template "sandbx": did you mean sandbox?` {
		t.Errorf("got %v", err)
	}
}

// TestNames holds a project's name to what Pulumi takes.
func TestNames(t *testing.T) {
	t.Parallel()
	sandbox, err := Lookup("sandbox")
	if err != nil {
		t.Fatal(err)
	}
	for name, ok := range map[string]bool{"vision": true, "a.b_c-1": true, "": false, "a/b": false, "a b": false, strings.Repeat("x", 101): false} {
		if _, err := sandbox.Files(Project{Name: name}); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestWriteTouchesNothing leaves a folder that is not empty as it is.
func TestWriteTouchesNothing(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	dir := filepath.Join(parent, "mine")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "notes"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, []File{{"main.go", "package main\n"}}); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("got %v", err)
	}
	entries, err := os.ReadDir(parent)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "notes")); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
}
