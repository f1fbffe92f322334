package stacks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/blueprint"
)

// preflightOfferings asks EC2, before anything is made, whether every pool's types are offered in every zone it uses.
// The blueprint's own rules judge zone ids by recorded answers; names, which mean another zone in every account, can
// only be judged here. Without this, the first sign is a node group that waits for capacity that cannot exist.
func preflightOfferings(ctx *pulumi.Context, plan *Plan, opts ...pulumi.InvokeOption) error {
	var types, zones []string
	for _, p := range plan.Pools {
		types = append(types, values(p.Pool.InstanceTypes)...)
		zones = append(zones, p.Zones...)
	}
	if len(types) == 0 {
		return nil
	}
	location := "availability-zone"
	if blueprint.IsZoneID(zones[0]) {
		location = "availability-zone-id"
	}
	answer, err := ec2.GetInstanceTypeOfferings(ctx, &ec2.GetInstanceTypeOfferingsArgs{
		LocationType: &location,
		Filters: []ec2.GetInstanceTypeOfferingsFilter{
			{Name: "instance-type", Values: unique(types)},
			{Name: "location", Values: unique(zones)},
		},
	}, opts...)
	if err != nil {
		return fmt.Errorf("asking EC2 which instance types it offers: %w", err)
	}
	return judgeOfferings(plan, offerings(answer.InstanceTypes, answer.Locations))
}

// offerings is a set of (instance type, zone) pairs.
type offered map[[2]string]bool

func offerings(types, zones []string) offered {
	set := offered{}
	for i := range min(len(types), len(zones)) {
		set[[2]string{types[i], zones[i]}] = true
	}
	return set
}

// judgeOfferings refuses a pool with a zone in which none of its types is offered, and says which zones would do.
func judgeOfferings(plan *Plan, have offered) error {
	var diags hcl.Diagnostics
	for _, p := range plan.Pools {
		types := values(p.Pool.InstanceTypes)
		offers := func(zone string) bool {
			return slices.ContainsFunc(types, func(t string) bool { return have[[2]string{t, zone}] })
		}
		for _, zone := range p.Zones {
			if offers(zone) {
				continue
			}
			would := slices.DeleteFunc(values(plan.Blueprint.Network.Zones), func(z string) bool { return !offers(z) })
			advice := "None of the network's zones has them: add one that does to network.zones."
			if len(would) > 0 {
				advice = fmt.Sprintf("Of the network's zones, these have them: %s. Write `zone = %q` in the pool.", strings.Join(would, ", "), would[0])
			}
			if !have.any(zone) {
				advice += fmt.Sprintf(" Nor is anything else of this blueprint offered there: perhaps this account has no zone %s.", zone)
			}
			diags = append(diags, &hcl.Diagnostic{
				Severity: hcl.DiagError, Summary: "Instance type not offered in zone",
				Detail: fmt.Sprintf("EC2 offers none of %s in %s to this account, which node_pool %q uses. %s",
					strings.Join(types, ", "), zone, p.Pool.Name.Value, advice),
				Subject: writtenAt(plan.Blueprint, p.Pool, zone),
			})
		}
	}
	return plan.Blueprint.Diagnostics(diags).Err()
}

// any says whether anything that was asked for is offered in a zone.
func (o offered) any(zone string) bool {
	for pair, yes := range o {
		if yes && pair[1] == zone {
			return true
		}
	}
	return false
}

// writtenAt is where a blueprint says that a pool uses a zone: in the pool, or else among the network's zones.
func writtenAt(b *blueprint.Blueprint, pool *blueprint.NodePool, zone string) *hcl.Range {
	if pool.Zone.IsSet() {
		return pool.Zone.Range.Ptr()
	}
	for _, z := range b.Network.Zones {
		if z.Value == zone {
			return z.Range.Ptr()
		}
	}
	return pool.InstanceTypes[0].Range.Ptr()
}

func unique(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}
