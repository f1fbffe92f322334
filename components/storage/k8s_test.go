package storage

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/components/internal/helm"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// addonVersions answers for EKS which version of an add-on goes with a cluster.
func addonVersions() pulumitest.Options {
	return pulumitest.Options{Calls: map[string]pulumitest.CallFunc{
		"aws:eks/getAddonVersion:getAddonVersion": func(resource.PropertyMap) (resource.PropertyMap, error) {
			return resource.PropertyMap{"version": resource.NewProperty("v8.5.0-eksbuild.1")}, nil
		},
	}}
}

// runInCluster runs a program that makes things in a cluster.
func runInCluster(t *testing.T, program func(ctx *pulumi.Context) error) *pulumitest.Graph {
	t.Helper()
	return pulumitest.Run(t, program, addonVersions())
}

// charted compares the releases and custom resources of a graph with a golden file in JSON, which tools/charts holds
// against the charts and definitions themselves.
func charted(t *testing.T, graph *pulumitest.Graph, name string) {
	t.Helper()
	var all []map[string]any
	for _, r := range graph.Resources {
		switch {
		case r.Type == helm.TokenRelease:
			all = append(all, map[string]any{
				"chart": r.Inputs["chart"].StringValue(), "version": r.Inputs["version"].StringValue(), "name": r.Inputs["name"].StringValue(),
				"namespace": r.Inputs["namespace"].StringValue(), "values": r.Inputs["values"].Mappable(),
			})
		case strings.HasPrefix(r.Type, "kubernetes:"):
			all = append(all, map[string]any{"object": r.Inputs.Mappable()})
		}
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	pulumitest.Golden(t, string(text)+"\n", "testdata/charts/"+name+".json")
}

// refusedWith holds that a program fails with all of some texts, and registers nothing.
func refusedWith(t *testing.T, program func(ctx *pulumi.Context) error, wants ...string) {
	t.Helper()
	graph, err := pulumitest.RunErr(t, program, addonVersions())
	if err == nil {
		t.Fatal("it was accepted")
	}
	for _, want := range wants {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if len(graph.Resources) > 0 {
		t.Errorf("something was registered:\n%s", graph)
	}
}

// dependsOn holds that a resource waits for another, itself or through what it waits for.
func dependsOn(t *testing.T, graph *pulumitest.Graph, typ, name, on string) {
	t.Helper()
	seen := map[string]bool{}
	todo := []string{typ + " " + name}
	for len(todo) > 0 {
		key := todo[0]
		todo = todo[1:]
		if key == on {
			return
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		for _, r := range graph.Resources {
			if r.Type+" "+r.Name == key {
				todo = append(todo, r.Dependencies...)
			}
		}
	}
	t.Errorf("%s %s does not wait for %s", typ, name, on)
}
