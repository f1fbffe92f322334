package stacks

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/blueprint"
	gpunodes "github.com/gpuyard/gpuyard/components/gpu-nodes"
)

// judgePool has package gpunodes judge a pool as if there were a cluster already, and places what it says.
func judgePool(plan *Plan, p PoolPlan) hcl.Diagnostics {
	later := pulumi.String("known when it exists")
	args := poolArgs(plan, p, site{
		subnet: func(string) pulumi.StringInput { return later }, cluster: later, nodeRole: later, securityGroup: later,
		endpoint: later, certificateAuthority: later, serviceCIDR: later,
	}, nil)
	if args.Fabric == "efa" {
		args.FabricSecurityGroupID = later
	}
	if p.Placement {
		args.PlacementGroupName = later
	}
	var diags hcl.Diagnostics
	for _, problem := range gpunodes.CheckPool(poolName(plan, p.Pool.Name.Value), args) {
		at, text := placeOfArgument(p.Pool, problem), problem.Text
		if at == p.Pool.Range { // which does not show what it is about
			text = problem.Argument + ": " + text
		}
		diags = append(diags, &hcl.Diagnostic{
			Severity: hcl.DiagError, Summary: "Pool cannot be built", Subject: &at,
			Detail: fmt.Sprintf("In node_pool %s, %s.", p.Pool.Name.Value, text),
		})
	}
	return diags
}

// placeOfArgument is where what an argument of a component comes from was written, or else the pool.
func placeOfArgument(pool *blueprint.NodePool, problem gpunodes.Problem) hcl.Range {
	at := hcl.Range{}
	switch problem.Argument {
	case "instanceTypes":
		at = pool.InstanceTypes[0].Range
	case "fabric":
		at = pool.Fabric.Range
	case "reservation":
		at = pool.Capacity.Reservation.Range
	case "reservations":
		at = pool.Capacity.Reservations[0].Range
	case "capacityWindow":
		at = pool.Capacity.Start.Range
		if at == (hcl.Range{}) {
			at = pool.Capacity.End.Range
		}
	case "gpuSharing":
		at = pool.GPUSharing.Kind.Range
	case "size":
		at = pool.Size.Min.Range
	case "localStorage":
		at = pool.LocalStorage.Range
	case "labels":
		for key, where := range pool.LabelsAt {
			if strings.HasPrefix(problem.Text, key+" ") {
				at = where
			}
		}
	}
	if at == (hcl.Range{}) {
		return pool.Range
	}
	return at
}
