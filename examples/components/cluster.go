package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/gpuyard/gpuyard/components/cluster"
)

// kubernetesVersion is that of the cluster, and of all that belongs to it.
const kubernetesVersion = "1.35"

// exampleCluster makes an EKS control plane in subnets that exist, with what makes an instance a node of it.
func exampleCluster(ctx *pulumi.Context) error {
	var subnets []string
	config.RequireObject(ctx, "subnets", &subnets)
	eks, err := cluster.New(ctx, "train", &cluster.ClusterArgs{
		Version:   kubernetesVersion,
		SubnetIDs: pulumi.ToStringArray(subnets),
		Region:    config.Require(ctx, "aws:region"),
		// Servers of one's own join from here: see hosts.go.
		RemoteNodeCIDRs: []string{rackCIDR},
	})
	if err != nil {
		return err
	}
	ctx.Export("cluster", eks.Name)
	ctx.Export("clusterSecurityGroup", eks.SecurityGroupID)
	ctx.Export("nodeRole", eks.NodeRoleARN)
	ctx.Export("kubeconfig", eks.Kubeconfig) // a secret, although it holds no credential
	return nil
}
