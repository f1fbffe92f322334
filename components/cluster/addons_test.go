package cluster_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/components/cluster"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func TestAddonsGraph(t *testing.T) {
	t.Parallel()
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
		_, err := cluster.NewAddons(ctx, "prod", &cluster.AddonsArgs{
			ClusterName: pulumi.String("prod"), Version: "1.35", Tags: map[string]string{"team": "vision"},
		})
		return err
	}, commercial())
	pulumitest.Golden(t, graph, filepath.Join("testdata", "addons.golden"))
}

func TestNodeMonitoringIsInstalledWhereItIsAskedFor(t *testing.T) {
	t.Parallel()
	for _, asked := range []bool{true, false} {
		graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
			_, err := cluster.NewAddons(ctx, "prod", &cluster.AddonsArgs{ClusterName: pulumi.String("prod"), Version: "1.35", NodeMonitoring: asked})
			return err
		}, commercial())
		found := slices.ContainsFunc(graph.OfType(tokenAddon), func(r pulumitest.Resource) bool {
			return r.Inputs["addonName"].StringValue() == "eks-node-monitoring-agent"
		})
		if found != asked {
			t.Errorf("asked %t, installed %t", asked, found)
		}
	}
}

// TestAddonsWaitForNodes passes what a caller passes: CoreDNS without a node never becomes healthy.
func TestAddonsWaitForNodes(t *testing.T) {
	t.Parallel()
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
		pool := &struct{ pulumi.CustomResourceState }{}
		if err := ctx.RegisterResource("test:index:Group", "pool", pulumi.Map{}, pool); err != nil {
			return err
		}
		_, err := cluster.NewAddons(ctx, "prod", &cluster.AddonsArgs{ClusterName: pulumi.String("prod"), Version: "1.35"},
			pulumi.DependsOn([]pulumi.Resource{pool}))
		return err
	}, commercial())
	addons := graph.OfType(tokenAddon)
	if len(addons) != 2 {
		t.Fatalf("%d add-ons, want CoreDNS and the EBS CSI driver", len(addons))
	}
	component := graph.Get(t, cluster.TypeAddons, "prod")
	if !slices.Contains(component.Dependencies, "test:index:Group pool") {
		t.Errorf("the add-ons wait for %v", component.Dependencies)
	}
}

func TestAddonsRefuseArguments(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		args *cluster.AddonsArgs
		want []string
	}{
		"nothing":            {nil, []string{"args: add-ons need arguments"}},
		"everything at once": {&cluster.AddonsArgs{}, []string{"clusterName: it is not given", `version: "" is not`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error {
				_, err := cluster.NewAddons(ctx, "prod", tt.args)
				return err
			}, commercial())
			wantRefusal(t, graph, err, tt.want)
		})
	}
}

// TestFailedLookupsSayWhatWasLookedUp makes each invoke fail in turn.
func TestFailedLookupsSayWhatWasLookedUp(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]string{
		"aws:index/getPartition:getPartition":     "looking up the AWS partition",
		"aws:eks/getAddonVersion:getAddonVersion": "looking up the version of the add-on vpc-cni for Kubernetes 1.35",
	} {
		t.Run(token, func(t *testing.T) {
			t.Parallel()
			opts := commercial()
			opts.Calls[token] = func(resource.PropertyMap) (resource.PropertyMap, error) {
				return nil, errors.New("no credentials")
			}
			_, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error {
				_, err := cluster.New(ctx, "prod", clusterArgs(nil))
				return err
			}, opts)
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "no credentials") {
				t.Errorf("got %v, want it to say %q", err, want)
			}
		})
	}
}
