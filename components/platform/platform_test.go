package platform_test

import (
	_ "embed"
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/components/internal/helm"
	"github.com/gpuyard/gpuyard/components/platform"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

//go:embed testdata/cilium-1.19.6-keys.txt
var ciliumKeys string

// runCilium registers Cilium and returns the graph.
func runCilium(t *testing.T, args *platform.CiliumArgs) *pulumitest.Graph {
	t.Helper()
	return pulumitest.Run(t, func(ctx *pulumi.Context) error {
		_, err := platform.NewCilium(ctx, "net", args)
		return err
	}, pulumitest.Options{})
}

func TestCiliumGraph(t *testing.T) {
	t.Parallel()
	pulumitest.Golden(t, runCilium(t, nil).String(), "testdata/cilium.golden")
}

func TestCiliumTakesAnotherVersion(t *testing.T) {
	t.Parallel()
	release := runCilium(t, &platform.CiliumArgs{Version: "1.19.7"}).Get(t, helm.TokenRelease, "net")
	if got := release.Inputs["version"].StringValue(); got != "1.19.7" {
		t.Errorf("the version is %s", got)
	}
}

// A chart takes a value that it does not know without a word, and does nothing with it.
func TestCiliumValuesAreOfItsChart(t *testing.T) {
	t.Parallel()
	known := strings.Split(ciliumKeys, "\n")
	values := runCilium(t, nil).Get(t, helm.TokenRelease, "net").Inputs["values"].ObjectValue()
	for key, value := range values {
		paths := []string{string(key)}
		if value.IsObject() && key != "affinity" {
			paths = nil
			for below := range value.ObjectValue() {
				paths = append(paths, string(key)+"."+string(below))
			}
		}
		for _, path := range paths {
			if !slices.Contains(known, path) {
				t.Errorf("the chart has no value %s", path)
			}
		}
	}
}

// cilium 16007, 42600: chained to the VPC CNI, Cilium must leave its files and its addresses alone.
func TestCiliumLeavesAddressesToTheVPCCNI(t *testing.T) {
	t.Parallel()
	values := runCilium(t, nil).Get(t, helm.TokenRelease, "net").Inputs["values"].ObjectValue()
	cni := values["cni"].ObjectValue()
	if cni["chainingMode"].StringValue() != "aws-cni" || cni["exclusive"].BoolValue() {
		t.Errorf("cni is %v", cni)
	}
	for _, key := range []resource.PropertyKey{"eni", "ipam"} {
		if values.HasValue(key) {
			t.Errorf("%s is set: %v", key, values[key])
		}
	}
	if values["kubeProxyReplacement"].StringValue() != "false" {
		t.Errorf("kube-proxy is replaced: %v", values["kubeProxyReplacement"])
	}
}

func TestCiliumRefusesAVersionThatFloats(t *testing.T) {
	t.Parallel()
	graph, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error {
		_, err := platform.NewCilium(ctx, "net", &platform.CiliumArgs{Version: "latest"})
		return err
	}, pulumitest.Options{})
	if err == nil || !strings.Contains(err.Error(), `gpuyard:platform:Cilium "net": version: "latest" is no version such as 1.19.6`) {
		t.Errorf("got %v", err)
	}
	if len(graph.Resources) > 0 {
		t.Errorf("something was registered:\n%s", graph)
	}
}

func TestWhatNeedsCiliumWaitsForItsRelease(t *testing.T) {
	t.Parallel()
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
		cilium, err := platform.NewCilium(ctx, "net", nil)
		if err != nil {
			return err
		}
		var pod pulumi.CustomResourceState
		return ctx.RegisterResource("test:index:Pod", "pod", pulumi.Map{}, &pod, pulumi.DependsOn([]pulumi.Resource{cilium.Release()}))
	}, pulumitest.Options{})
	if got := graph.Get(t, "test:index:Pod", "pod").Dependencies; !slices.Contains(got, helm.TokenRelease+" net") {
		t.Errorf("it waits for %v", got)
	}
}

func TestPriorityClassesGraph(t *testing.T) {
	t.Parallel()
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
		_, err := platform.NewPriorityClasses(ctx, "classes")
		return err
	}, pulumitest.Options{})
	pulumitest.Golden(t, graph.String(), "testdata/priority-classes.golden")
}

// Serving goes before training, and the platform before both; training takes nobody's place.
func TestPriorityClassesGiveWayInOrder(t *testing.T) {
	t.Parallel()
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
		_, err := platform.NewPriorityClasses(ctx, "classes")
		return err
	}, pulumitest.Options{})
	value := func(name string) (float64, string) {
		inputs := graph.Get(t, "kubernetes:scheduling.k8s.io/v1:PriorityClass", "classes-"+name).Inputs
		return inputs["value"].NumberValue(), inputs["preemptionPolicy"].StringValue()
	}
	system, _ := value("system")
	inference, takes := value("inference")
	training, waits := value("training")
	if system <= inference || inference <= training || training <= 0 || system >= 1e9 {
		t.Errorf("system %v, inference %v, training %v", system, inference, training)
	}
	if takes != "PreemptLowerPriority" || waits != "Never" {
		t.Errorf("inference %s, training %s", takes, waits)
	}
}
