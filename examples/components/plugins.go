package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	gpunodes "github.com/gpuyard/gpuyard/components/gpu-nodes"
)

// examplePlugins installs the device plugins for H100 nodes with EFA: without them, pods see neither.
func examplePlugins(ctx *pulumi.Context) error {
	kubernetes, err := inCluster(ctx)
	if err != nil {
		return err
	}
	plugins, err := gpunodes.NewPlugins(ctx, "train", &gpunodes.PluginsArgs{
		Pools: []gpunodes.PluginPool{{Name: "h100", InstanceTypes: []string{"p5.48xlarge"}, Fabric: "efa"}},
	}, kubernetes)
	if err != nil {
		return err
	}
	ctx.Export("releases", plugins.Releases)
	return nil
}
