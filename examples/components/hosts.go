package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	gpunodes "github.com/gpuyard/gpuyard/components/gpu-nodes"
)

// rackCIDR is the network of servers of one's own, which the cluster must know as a remote one.
const rackCIDR = "10.200.0.0/24"

// exampleHosts prepares a server over SSH, with Gaudi 2 in it, and lets it join a cluster that exists.
func exampleHosts(ctx *pulumi.Context) error {
	cluster, region := pulumi.String(config.Require(ctx, "cluster")), config.Require(ctx, "aws:region")
	hybrid, err := gpunodes.NewHybrid(ctx, "train", &gpunodes.HybridArgs{
		ClusterName:            cluster,
		ClusterSecurityGroupID: pulumi.String(config.Require(ctx, "clusterSecurityGroup")),
		Region:                 region,
		RemoteCIDRs:            []string{rackCIDR},
	})
	if err != nil {
		return err
	}
	rack, err := gpunodes.NewHosts(ctx, "rack", &gpunodes.HostsArgs{
		Addresses: []string{"10.200.0.11"}, User: "ubuntu", KeyFile: "~/.ssh/rack",
		Accelerator: "gaudi2", AcceleratorCount: 8,
		Profile:     map[string]string{"thp.enabled": "madvise", "limits.memlock": "unlimited"},
		ClusterName: cluster, KubernetesVersion: kubernetesVersion, Region: region,
		RoleName: hybrid.RoleName, ClusterARN: hybrid.ClusterARN,
	})
	if err != nil {
		return err
	}
	ctx.Export("rack", rack.Resources)
	return nil
}
