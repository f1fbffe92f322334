package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/components/platform"
)

// examplePriorityClasses makes the classes by which training makes room for inference, and everything for the system.
func examplePriorityClasses(ctx *pulumi.Context) error {
	kubernetes, err := inCluster(ctx)
	if err != nil {
		return err
	}
	_, err = platform.NewPriorityClasses(ctx, "train", kubernetes)
	return err
}
