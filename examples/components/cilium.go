package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/components/platform"
)

// exampleCilium has network policies enforced in a cluster that exists, by Cilium chained to the VPC CNI.
func exampleCilium(ctx *pulumi.Context) error {
	kubernetes, err := inCluster(ctx)
	if err != nil {
		return err
	}
	_, err = platform.NewCilium(ctx, "cilium", nil, kubernetes)
	return err
}
