// Command program adds a pool of EFA nodes to a VPC and an EKS cluster that are there already. It takes them by id and
// changes nothing of them.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	gpunodes "github.com/gpuyard/gpuyard/components/gpu-nodes"
	"github.com/gpuyard/gpuyard/components/network"
)

func main() { pulumi.Run(program) }

func program(ctx *pulumi.Context) error {
	existing := config.New(ctx, "")
	nodes := existing.RequireInt("nodes")
	tags := map[string]string{"project": ctx.Project()}

	// The security group and the placement group of RDMA between these nodes.
	fabric, err := network.NewFabric(ctx, "efa", &network.FabricArgs{
		VpcID: pulumi.String(existing.Require("vpc")), Placement: true, Tags: tags,
	})
	if err != nil {
		return err
	}
	pool, err := gpunodes.NewPool(ctx, "efa", &gpunodes.PoolArgs{
		ClusterName:            pulumi.String(existing.Require("cluster")),
		KubernetesVersion:      existing.Require("kubernetes_version"),
		NodeRoleARN:            pulumi.String(existing.Require("node_role")),
		ClusterSecurityGroupID: pulumi.String(existing.Require("cluster_security_group")),
		SubnetIDs:              pulumi.StringArray{pulumi.String(existing.Require("subnet"))},
		InstanceTypes:          []string{existing.Require("instance_type")},
		Fabric:                 "efa", // an EFA interface on every network card that carries one
		FabricSecurityGroupID:  fabric.SecurityGroupID,
		PlacementGroupName:     fabric.PlacementGroupName.Elem(),
		Size:                   gpunodes.Size{Desired: nodes, Max: max(nodes, 1)},
		Tags:                   tags,
	})
	if err != nil {
		return err
	}
	ctx.Export("nodeGroup", pool.NodeGroupName)
	ctx.Export("interfaces", pool.Interfaces)
	ctx.Export("resources", pool.Resources)
	return nil
}
