package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/components/storage"
)

// exampleAlluxio keeps what pods read of a claim in the memory of the H100 nodes.
func exampleAlluxio(ctx *pulumi.Context) error {
	kubernetes, err := inCluster(ctx)
	if err != nil {
		return err
	}
	fluid, err := storage.NewFluid(ctx, "train", kubernetes)
	if err != nil {
		return err
	}
	cache, err := storage.NewAlluxio(ctx, "datasets", &storage.AlluxioArgs{
		Placement: onH100(), Workers: 2, MemoryMiB: 64 << 10,
		Source: pulumi.String("pvc://checkpoints"),
	}, kubernetes, pulumi.DependsOn(fluid.Ready()))
	if err != nil {
		return err
	}
	ctx.Export("cacheClaim", cache.ClaimName)
	return nil
}
