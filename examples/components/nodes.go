package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	gpunodes "github.com/gpuyard/gpuyard/components/gpu-nodes"
)

// exampleNodes adds three CPU nodes to a cluster that exists: those that everything else than training runs on.
func exampleNodes(ctx *pulumi.Context) error {
	var subnets []string
	config.RequireObject(ctx, "subnets", &subnets)
	pool, err := gpunodes.NewPool(ctx, "system", &gpunodes.PoolArgs{
		ClusterName:            pulumi.String(config.Require(ctx, "cluster")),
		KubernetesVersion:      kubernetesVersion,
		NodeRoleARN:            pulumi.String(config.Require(ctx, "nodeRole")),
		ClusterSecurityGroupID: pulumi.String(config.Require(ctx, "clusterSecurityGroup")),
		SubnetIDs:              pulumi.ToStringArray(subnets),
		InstanceTypes:          []string{"m7i.xlarge"},
		Size:                   gpunodes.Size{Min: 3, Desired: 3, Max: 4},
	})
	if err != nil {
		return err
	}
	ctx.Export("nodeGroup", pool.NodeGroupName)
	return nil
}
