package stacks

import (
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/internal/pulumitest"
)

// TestTrainingPoolOfProd holds the graph of prod against what EC2 and EKS require of p5.48xlarge in a Capacity Block. The
// golden file shows the same, and is rewritten with -update; these facts are not.
// Sources: EC2 User Guide, "Maximize network bandwidth on instances with multiple network cards" and "Launch instances
// into Capacity Blocks"; EKS User Guide, "Create a managed node group with Capacity Blocks for ML".
func TestTrainingPoolOfProd(t *testing.T) {
	t.Parallel()
	plan := mustPlan(t, cases["prod"])
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error { return Deploy(ctx, plan) }, account(nil))
	template := graph.Get(t, "aws:ec2/launchTemplate:LaunchTemplate", "prod-h100-template").Inputs
	group := graph.Get(t, "aws:eks/nodeGroup:NodeGroup", "prod-h100-group").Inputs
	fabric := template["networkInterfaces"].ArrayValue()[1].ObjectValue()["securityGroups"].ArrayValue()[1].StringValue()

	efa, cards := 0, map[float64]bool{}
	for i, v := range template["networkInterfaces"].ArrayValue() {
		face := v.ObjectValue()
		kind, card, device := face["interfaceType"].StringValue(), face["networkCardIndex"].NumberValue(), face["deviceIndex"].NumberValue()
		if kind == "interface" {
			if i != 0 || card != 0 || device != 0 {
				t.Errorf("interface %d is ENA at %v/%v, and ENA is at 0/0 only", i, card, device)
			}
			continue
		}
		efa++
		if want := map[bool]float64{true: 1, false: 0}[card == 0]; kind != "efa-only" || device != want || cards[card] {
			t.Errorf("interface %d is %s at %v/%v", i, kind, card, device)
		}
		cards[card] = true
		if groups := face["securityGroups"].ArrayValue(); len(groups) != 2 || groups[1].StringValue() != fabric {
			t.Errorf("interface %d has the security groups %v", i, groups)
		}
	}
	if efa != 32 {
		t.Errorf("%d EFA interfaces, and p5.48xlarge has 32", efa)
	}

	target := template["capacityReservationSpecification"].ObjectValue()["capacityReservationTarget"].ObjectValue()["capacityReservationId"]
	if got, want := target.StringValue(), variables["capacity_block"]; got != want {
		t.Errorf("the reservation is %s, want %s", got, want)
	}
	if got := template["instanceMarketOptions"].ObjectValue()["marketType"].StringValue(); got != "capacity-block" {
		t.Errorf("the market is %s", got)
	}
	if got := template["instanceType"].StringValue(); got != "p5.48xlarge" {
		t.Errorf("the template's instance type is %s", got)
	}
	if _, given := group["instanceTypes"]; given {
		t.Error("the node group has instance types, and EKS takes those of a Capacity Block from the template only")
	}
	if subnets := group["subnetIds"].ArrayValue(); len(subnets) != 1 {
		t.Errorf("%d subnets, and a reservation is in one zone", len(subnets))
	}
	for typ, name := range map[string]string{
		"aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": "prod-h100-efa-in",
		"aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule":   "prod-h100-efa-out",
	} {
		rule := graph.Get(t, typ, name).Inputs
		for _, key := range []resource.PropertyKey{"securityGroupId", "referencedSecurityGroupId"} {
			if got := rule[key].StringValue(); got != fabric {
				t.Errorf("%s of %s is %s, want the fabric's own %s", key, name, got, fabric)
			}
		}
		if got := rule["ipProtocol"].StringValue(); got != "-1" {
			t.Errorf("%s allows the protocol %s only", name, got)
		}
	}
}
