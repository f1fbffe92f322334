package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	gpunodes "github.com/gpuyard/gpuyard/components/gpu-nodes"
	"github.com/gpuyard/gpuyard/components/network"
)

// exampleGPUNodes adds H100 nodes with EFA to a cluster that exists, side by side in one zone.
func exampleGPUNodes(ctx *pulumi.Context) error {
	fabric, err := network.NewFabric(ctx, "h100", &network.FabricArgs{
		VpcID: pulumi.String(config.Require(ctx, "vpc")), Placement: true,
	})
	if err != nil {
		return err
	}
	pool, err := gpunodes.NewPool(ctx, "h100", &gpunodes.PoolArgs{
		ClusterName:            pulumi.String(config.Require(ctx, "cluster")),
		KubernetesVersion:      kubernetesVersion,
		NodeRoleARN:            pulumi.String(config.Require(ctx, "nodeRole")),
		ClusterSecurityGroupID: pulumi.String(config.Require(ctx, "clusterSecurityGroup")),
		SubnetIDs:              pulumi.StringArray{pulumi.String(config.Require(ctx, "subnet"))},
		InstanceTypes:          []string{"p5.48xlarge"},
		Fabric:                 "efa", // 32 EFA interfaces, one on each network card
		FabricSecurityGroupID:  fabric.SecurityGroupID,
		PlacementGroupName:     fabric.PlacementGroupName.Elem(),
		LocalStorage:           "raid0",
		Size:                   gpunodes.Size{Desired: 2, Max: 4},
	})
	if err != nil {
		return err
	}
	ctx.Export("interfaces", pool.Interfaces)
	ctx.Export("fabric", fabric.SecurityGroupID)
	return nil
}
