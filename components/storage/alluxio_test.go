package storage

import (
	"testing"

	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func alluxios() map[string]*AlluxioArgs {
	loaders := Placement{Pool: "loaders", Taints: []Taint{{Key: "gpuyard.dev/role", Value: "data-loading", Effect: "NoSchedule"}}}
	return map[string]*AlluxioArgs{
		"claim": {
			Placement: loaders, Workers: 4, Source: pulumi.String("pvc://datasets"), MemoryMiB: 33116,
			Readers: []Taint{{Key: "nvidia.com/gpu", Value: "present", Effect: "NoSchedule"}, loaders.Taints[0]},
			Warm:    &WarmTier{Path: "/var/lib/gpuyard/datasets-cache", QuotaGiB: 30}, Preload: []string{"imagenet/", "coco/"},
		},
		"bucket": {
			Placement: Placement{Pool: "cpu"}, Workers: 1, Source: pulumi.String("s3://data/sets"), MemoryMiB: 16384, Namespace: "training",
			Options: map[string]string{"alluxio.underfs.s3.region": "us-east-2"},
		},
	}
}

func runAlluxio(t *testing.T, args *AlluxioArgs) *pulumitest.Graph {
	t.Helper()
	return runInCluster(t, func(ctx *pulumi.Context) error {
		fluid, err := NewFluid(ctx, "prod-fluid")
		if err != nil {
			return err
		}
		_, err = NewAlluxio(ctx, "datasets-cache", args, pulumi.DependsOn(fluid.Ready()))
		return err
	})
}

func TestAlluxioGraphs(t *testing.T) {
	t.Parallel()
	for name, args := range alluxios() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph := runAlluxio(t, args)
			pulumitest.Golden(t, graph, "testdata/alluxio-"+name+".golden")
			charted(t, graph, "alluxio-"+name)
		})
	}
}

// fluid#201 and the refusal in transform_resources.go: memory comes before disks, watermarks stay below 0.99, and a
// worker's limit holds what it caches.
func TestAlluxioTiers(t *testing.T) {
	t.Parallel()
	spec := runAlluxio(t, alluxios()["claim"]).Get(t, "kubernetes:data.fluid.io/v1alpha1:AlluxioRuntime", "datasets-cache").Inputs["spec"].ObjectValue()
	levels := spec["tieredstore"].ObjectValue()["levels"].ArrayValue()
	for i, want := range []string{"MEM", "SSD"} {
		level := levels[i].ObjectValue()
		if level["mediumtype"].StringValue() != want || level["high"].StringValue() != "0.95" {
			t.Errorf("level %d is %v", i, level)
		}
	}
	limit := spec["worker"].ObjectValue()["resources"].ObjectValue()["limits"].ObjectValue()["memory"]
	if !limit.DeepEquals(resource.NewProperty("37212Mi")) {
		t.Errorf("the worker's limit is %v", limit)
	}
}

func TestAlluxioComesInOrder(t *testing.T) {
	t.Parallel()
	graph := runAlluxio(t, alluxios()["claim"])
	const api = "kubernetes:data.fluid.io/v1alpha1:"
	dependsOn(t, graph, api+"AlluxioRuntime", "datasets-cache", api+"Dataset datasets-cache")
	dependsOn(t, graph, api+"DataLoad", "datasets-cache", api+"AlluxioRuntime datasets-cache")
}

func TestAlluxioRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*AlluxioArgs)
		says   string
	}{
		"no source":     {func(a *AlluxioArgs) { a.Source = nil }, "source: it is not given"},
		"little memory": {func(a *AlluxioArgs) { a.MemoryMiB = 512 }, "memoryMiB: 512: a worker needs 1024 at least"},
		"two paths":     {func(a *AlluxioArgs) { a.Warm = &WarmTier{Path: "/a,/b", QuotaGiB: 1} }, "warm: a path from the root, without a comma"},
		"no quota":      {func(a *AlluxioArgs) { a.Warm = &WarmTier{Path: "/a"} }, "a quota of at least 1 GiB"},
		"outside":       {func(a *AlluxioArgs) { a.Preload = []string{"../other"} }, `preload[0]: "../other" is no path below the source`},
		"workers":       {func(a *AlluxioArgs) { a.Workers = -1 }, "workers: there are -1"},
		"no pool":       {func(a *AlluxioArgs) { a.Placement.Pool = "" }, "placement.pool: it is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := *alluxios()["claim"]
			c.change(&args)
			refusedWith(t, func(ctx *pulumi.Context) error {
				_, err := NewAlluxio(ctx, "datasets-cache", &args)
				return err
			}, `gpuyard:storage:Alluxio "datasets-cache"`, c.says)
		})
	}
	refusedWith(t, func(ctx *pulumi.Context) error { _, err := NewAlluxio(ctx, "x", nil); return err }, "args: they are missing")
}
