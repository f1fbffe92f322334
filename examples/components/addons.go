package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/gpuyard/gpuyard/components/cluster"
)

// exampleAddons installs CoreDNS and the EBS CSI driver in a cluster that has nodes for them.
func exampleAddons(ctx *pulumi.Context) error {
	_, err := cluster.NewAddons(ctx, "train", &cluster.AddonsArgs{
		ClusterName: pulumi.String(config.Require(ctx, "cluster")),
		Version:     kubernetesVersion,
	})
	return err
}
