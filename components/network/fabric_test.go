package network_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/components/network"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

const (
	tokenGroup   = "aws:ec2/securityGroup:SecurityGroup"
	tokenIngress = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
	tokenEgress  = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"
)

func runFabric(t *testing.T, args *network.FabricArgs) (*network.Fabric, *pulumitest.Graph) {
	t.Helper()
	var fabric *network.Fabric
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) (err error) {
		fabric, err = network.NewFabric(ctx, "train", args)
		return err
	}, pulumitest.Options{})
	return fabric, graph
}

func TestFabricGraph(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]*network.FabricArgs{
		"plain":  {VpcID: pulumi.String("vpc-1")},
		"placed": {VpcID: pulumi.String("vpc-1"), Placement: true, Tags: map[string]string{"team": "vision"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fabric, graph := runFabric(t, args)
			pulumitest.Golden(t, graph.String()+pulumitest.Outputs(t, fabric), filepath.Join("testdata", "fabric-"+name+".golden"))
		})
	}
}

// TestEFASecurityGroupAllowsItselfBothWays is what was reported to gardener-extension-provider-aws: with egress
// to 0.0.0.0/0 and no egress to itself, NCCL says that the receiver does not respond.
func TestEFASecurityGroupAllowsItselfBothWays(t *testing.T) {
	t.Parallel()
	_, graph := runFabric(t, &network.FabricArgs{VpcID: pulumi.String("vpc-1")})
	for token, name := range map[string]string{tokenIngress: "train-efa-in", tokenEgress: "train-efa-out"} {
		rule := graph.Get(t, token, name).Inputs
		group, itself := rule["securityGroupId"].StringValue(), rule["referencedSecurityGroupId"].StringValue()
		if group != "${SecurityGroup train-efa.id}" || itself != group {
			t.Errorf("%s is a rule of %s for %s", name, group, itself)
		}
		if protocol := rule["ipProtocol"].StringValue(); protocol != "-1" {
			t.Errorf("%s is for protocol %s only", name, protocol)
		}
		if rule.HasValue("cidrIpv4") || rule.HasValue("fromPort") || rule.HasValue("toPort") {
			t.Errorf("%s is narrowed: %v", name, rule)
		}
		if n := len(graph.OfType(token)); n != 1 {
			t.Errorf("%d rules %s, want one", n, token)
		}
	}
}

// TestFabricIDWaitsForItsRules sees to it that no node starts in a group that is still closed.
func TestFabricIDWaitsForItsRules(t *testing.T) {
	t.Parallel()
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
		fabric, err := network.NewFabric(ctx, "train", &network.FabricArgs{VpcID: pulumi.String("vpc-1")})
		if err != nil {
			return err
		}
		user := &struct{ pulumi.CustomResourceState }{}
		return ctx.RegisterResource("test:index:User", "user", pulumi.Map{"group": fabric.SecurityGroupID}, user)
	}, pulumitest.Options{})
	waits := strings.Join(graph.Get(t, "test:index:User", "user").Dependencies, "\n")
	for _, want := range []string{tokenIngress + " train-efa-in", tokenEgress + " train-efa-out"} {
		if !strings.Contains(waits, want) {
			t.Errorf("a user of the id waits for\n%s\nand not for %s", waits, want)
		}
	}
}

// TestEFASecurityGroupCarriesNoClusterTag is what was reported to eksctl: with a second group that carries the
// cluster's tag, the load balancer controller gives up.
func TestEFASecurityGroupCarriesNoClusterTag(t *testing.T) {
	t.Parallel()
	_, graph := runFabric(t, &network.FabricArgs{VpcID: pulumi.String("vpc-1"), Tags: map[string]string{"team": "vision"}})
	for key := range graph.Get(t, tokenGroup, "train-efa").Inputs["tags"].ObjectValue() {
		if strings.HasPrefix(string(key), "kubernetes.io/cluster/") {
			t.Errorf("the group is tagged %s", key)
		}
	}
	refused, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error {
		_, err := network.NewFabric(ctx, "train", &network.FabricArgs{
			VpcID: pulumi.String("vpc-1"), Tags: map[string]string{"kubernetes.io/cluster/prod": "owned"},
		})
		return err
	}, pulumitest.Options{})
	wantRefusal(t, refused, err, []string{"tags: kubernetes.io/cluster/prod must not be on this group"})
}

func TestFabricRefusesArguments(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]*network.FabricArgs{"nothing": nil, "no VPC": {Placement: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error {
				_, err := network.NewFabric(ctx, "train", args)
				return err
			}, pulumitest.Options{})
			wantRefusal(t, graph, err, []string{"vpcId: it is not given"})
		})
	}
}

func TestPlacementGroupOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	plain, _ := runFabric(t, &network.FabricArgs{VpcID: pulumi.String("vpc-1")})
	if got := pulumitest.Await(t, plain.PlacementGroupName); got.Value != (*string)(nil) {
		t.Errorf("a placement group %v without being asked for", got.Value)
	}
	placed, graph := runFabric(t, &network.FabricArgs{VpcID: pulumi.String("vpc-1"), Placement: true})
	group := graph.Get(t, "aws:ec2/placementGroup:PlacementGroup", "train-placement")
	if got := group.Inputs["strategy"].StringValue(); got != "cluster" {
		t.Errorf("strategy %q, want cluster", got)
	}
	if got, _ := pulumitest.Await(t, placed.PlacementGroupName).Value.(*string); got == nil || *got != "${PlacementGroup train-placement.name}" {
		t.Errorf("placement group %v", got)
	}
}
