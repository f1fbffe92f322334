package main

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"gopkg.in/yaml.v3"

	"github.com/gpuyard/gpuyard/internal/engine"
	"github.com/gpuyard/gpuyard/internal/rack"
	"github.com/gpuyard/gpuyard/policy/check"
	"github.com/gpuyard/gpuyard/provider"
	"github.com/gpuyard/gpuyard/sim"
)

// TestExamples brings every example up on one embedded cloud, each as a stack of its own that takes from its configuration
// what those before it made, and then takes all down again. No policy that is mandatory finds anything.
func TestExamples(t *testing.T) {
	t.Parallel()
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cli, err := engine.FindCLI(t.Context(), repo)
	if err != nil {
		t.Fatal(err)
	}
	cloud, err := sim.NewCloud(sim.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	endpoint, err := cloud.Serve(context.WithoutCancel(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { endpoint.Close(); _ = cloud.Close() })

	root := t.TempDir()
	hosts := serveHosts(t, root)
	write(t, filepath.Join(root, "Pulumi.yaml"), []byte("name: components\nruntime: go\n"))
	settings := map[string]any{"aws:region": "us-east-2", "components:allowDataLoss": true}
	var up []*engine.Workspace
	for _, e := range examples() {
		config, err := yaml.Marshal(map[string]any{"config": settings})
		if err != nil {
			t.Fatal(err)
		}
		write(t, engine.StackConfigFile(root, e.name), config)
		w, err := engine.Local(t.Context(), engine.Options{Root: root, Stack: e.name, CLI: cli, Program: e.program},
			map[string]string{"PULUMI_DEBUG_PROVIDERS": endpoint.DebugProviders() + "," + hosts})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = w.Close() })
		outputs, err := w.Up(t.Context(), nil)
		if err != nil {
			t.Fatalf("%s: %v", e.name, err)
		}
		up = append(up, w)
		judge(t, e.name, w)
		maps.Copy(settings, settingsOf(t, cloud, outputs))
	}
	for i, w := range slices.Backward(up) {
		if err := w.Destroy(t.Context(), nil); err != nil {
			t.Fatalf("%s: %v", examples()[i].name, err)
		}
	}
	if left := cloud.Resources(); len(left) > 0 {
		t.Errorf("%d resources are left, the first is %s %s", len(left), left[0].Token, left[0].ID)
	}
}

// serveHosts serves the provider of prepared hosts, which are simulated, and returns what tells the engine so.
func serveHosts(t *testing.T, root string) string {
	t.Helper()
	simulated, err := rack.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	endpoint, err := provider.Attach(context.WithoutCancel(t.Context()), provider.Options{
		Dir: root, Deadline: 10 * time.Minute, Redirect: simulated.Redirect, Notice: "simulation",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { endpoint.Close(); simulated.Close() })
	return endpoint.DebugProviders()
}

// settingsOf are the outputs of an example as configuration of the next ones. Into a repository, an image is pushed.
func settingsOf(t *testing.T, cloud *sim.Cloud, outputs auto.OutputMap) map[string]any {
	t.Helper()
	settings := map[string]any{}
	for name, o := range outputs {
		settings["components:"+name] = o.Value
	}
	if o, ok := outputs["repository"]; ok {
		url := o.Value.(string)
		_, name, _ := strings.Cut(url, "/")
		digest, err := cloud.PushImage(sim.Image{Repository: name, Tag: "1", Architecture: "amd64"})
		if err != nil {
			t.Fatal(err)
		}
		settings["components:image"] = url + "@" + digest
	}
	return settings
}

// judge holds a stack to the policy pack.
func judge(t *testing.T, name string, w *engine.Workspace) {
	t.Helper()
	state, err := w.Export(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := check.Read(state)
	if err != nil {
		t.Fatal(err)
	}
	if report := check.Judge(plan, nil, time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)); report.Failed() {
		var text bytes.Buffer
		_ = report.Text(&text) // a buffer takes everything
		t.Errorf("%s:\n%s", name, &text)
	}
}

// TestEveryExampleIsListed holds the list to the files: each example is in the file of its name.
func TestEveryExampleIsListed(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var found, listed []string
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") && file != "main.go" && file != "kubernetes.go" {
			found = append(found, strings.TrimSuffix(file, ".go"))
		}
	}
	for _, e := range examples() {
		listed = append(listed, e.name)
	}
	slices.Sort(listed)
	if !slices.Equal(found, listed) {
		t.Errorf("there are %v, and listed are %v", found, listed)
	}
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}
