package stacks

import (
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/blueprint"
)

// exportOutputs sets the stack's outputs. The kubeconfig is a secret.
func exportOutputs(d *storing) {
	ctx, plan, vpc, eks := d.ctx, d.plan, d.vpc, d.eks
	ctx.Export("region", pulumi.String(plan.Blueprint.Environment.Region.Value))
	ctx.Export("vpcId", vpc.VpcID)
	ctx.Export("publicSubnetIds", vpc.PublicSubnetIDs)
	ctx.Export("privateSubnetIds", vpc.PrivateSubnetIDs)
	ctx.Export("clusterName", eks.Name)
	ctx.Export("clusterEndpoint", eks.Endpoint)
	ctx.Export("kubeconfig", eks.Kubeconfig)
	out := pulumi.Map{}
	for name, pool := range d.pools {
		out[name] = pulumi.Map{
			"launchTemplateId": pool.LaunchTemplateID,
			"nodeGroupName":    pool.NodeGroupName,
			"interfaces":       pool.Interfaces,
			"imageRelease":     pool.ReleaseVersion,
		}
	}
	for _, p := range plan.Pools {
		if p.Pool.Hosts != nil {
			out[p.Pool.Name.Value] = hostsOutput(p)
		}
	}
	ctx.Export("pools", out)
	if len(d.outputs) > 0 {
		ctx.Export("storage", d.outputs)
	}
}

// environmentTags are the tags of everything in the environment: the blueprint's, and which environment it is.
func environmentTags(plan *Plan) map[string]string {
	tags := map[string]string{"gpuyard.dev/environment": plan.Blueprint.Environment.Name.Value}
	maps.Copy(tags, plan.Blueprint.Environment.Tags)
	return tags
}

// poolError is the diagnostic of a pool that cannot be planned.
func poolError(pool *blueprint.NodePool, err error) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Pool cannot be built", Detail: err.Error(), Subject: pool.Range.Ptr()}
}

// values are the plain values of a list, without where they were written.
func values[T any](list []blueprint.Value[T]) []T {
	out := make([]T, len(list))
	for i, v := range list {
		out[i] = v.Value
	}
	return out
}
