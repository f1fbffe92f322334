package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/internal/engine"
	"github.com/gpuyard/gpuyard/templates"
)

// TestTemplates makes a project of every template in both ways, which must come to the same, and builds and brings each
// that has a blueprint up and down on an embedded cloud, judged by the policy pack: what is mandatory stops an update.
func TestTemplates(t *testing.T) {
	t.Parallel()
	repo, cli := engineOf(t)
	for _, template := range templates.All() {
		t.Run(template.Name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "vision")
			gpuyard(t, "init", "--description", "Vision: what we do", template.Name, dir)
			compareTrees(t, readTree(t, dir), readTree(t, pulumiNew(t, cli, filepath.Join(repo, "templates", template.Name))))
			if !isDir(filepath.Join(dir, "stacks")) {
				return // a program of its own: see TestComponentImport
			}
			sameProgram(t, repo, dir)
			buildProject(t, repo, dir)
			gpuyard(t, "-C", dir, "up", "--local", "--yes", "dev")
			for _, args := range later[template.Name] {
				gpuyard(t, append([]string{"-C", dir}, args...)...)
			}
			if letGo(t, filepath.Join(dir, "stacks", "dev.hcl")) {
				gpuyard(t, "-C", dir, "up", "--local", "--yes", "dev")
			}
			gpuyard(t, "-C", dir, "destroy", "--local", "--yes", "dev")
		})
	}
}

// later is what brings up the rest of a template, where it does not come up at once.
var later = map[string][][]string{
	"serverless-finetune": {{"cloud", "push-image", "dev", "dev/adapter", "1"}, {"up", "--local", "--yes", "dev"}},
}

// letGo lets every store of a blueprint go with its data, and says whether there is one.
func letGo(t *testing.T, path string) bool {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	freed := regexp.MustCompile(`(?m)^storage .*\{$`).ReplaceAll(text, []byte("$0\n  allow_data_loss = true"))
	if err := os.WriteFile(path, freed, 0o600); err != nil {
		t.Fatal(err)
	}
	return len(freed) > len(text)
}

// engineOf returns the repository, and the engine that drives its tests.
func engineOf(t testing.TB) (repo string, cli *engine.CLI) {
	t.Helper()
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if cli, err = engine.FindCLI(t.Context(), repo); err != nil {
		t.Fatal(err)
	}
	return repo, cli
}

// gpuyard runs a command that must succeed.
func gpuyard(t *testing.T, args ...string) {
	t.Helper()
	var out bytes.Buffer
	a := &app{out: &out, err: &out, width: 80, dir: "."}
	if code := a.execute(t.Context(), args); code != exitOK {
		t.Fatalf("gpuyard %q ends with %d:\n%s", args, code, &out)
	}
}

// pulumiNew makes a project as `pulumi new` does, and returns its folder.
func pulumiNew(t *testing.T, cli *engine.CLI, template string) string {
	t.Helper()
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "vision")
	cmd := exec.CommandContext(t.Context(), cli.Path(), "new", template, "--generate-only", "--yes", "--name", "vision", "--description", "Vision: what we do", "--dir", dir)
	cmd.Env = append(os.Environ(), "PULUMI_HOME="+home, "PULUMI_BACKEND_URL=file://"+home, "PULUMI_SKIP_UPDATE_CHECK=true")
	// Where the language host of Go is not installed, it fails over that when all files are there.
	if out, err := cmd.CombinedOutput(); err != nil && !bytes.Contains(out, []byte("'pulumi-language-go'")) {
		t.Fatalf("pulumi new %s: %v\n%s", template, err, out)
	}
	return dir
}

// readTree reads every file below a folder.
func readTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, path))
		tree[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// compareTrees wants the same files of both ways, but for the tag in which Pulumi writes down where its template was, and the
// configuration of a stack in a project without a blueprint: Pulumi writes that when it makes the stack.
func compareTrees(t *testing.T, byInit, byPulumi map[string]string) {
	t.Helper()
	byPulumi["Pulumi.yaml"], _, _ = strings.Cut(byPulumi["Pulumi.yaml"], "config:\n  pulumi:tags:\n")
	delete(byInit, newConfig)
	delete(byPulumi, newConfig)
	for path, text := range byInit {
		if other, ok := byPulumi[path]; !ok || text != other {
			t.Errorf("%s by gpuyard init:\n%s\nby pulumi new (%v):\n%s", path, text, ok, other)
		}
	}
	for path := range byPulumi {
		if _, ok := byInit[path]; !ok {
			t.Errorf("gpuyard init makes no %s", path)
		}
	}
}

// sameProgram holds the program of a project to the root program, which TestPlainPulumiUp brings up as a process.
func sameProgram(t *testing.T, repo, dir string) {
	t.Helper()
	body := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, code, _ := bytes.Cut(text, []byte("\npackage main\n"))
		return string(code)
	}
	if got, want := body(filepath.Join(dir, "main.go")), body(filepath.Join(repo, "main.go")); got == "" || got != want {
		t.Errorf("main.go is\n%s\nand the root program\n%s", got, want)
	}
}
