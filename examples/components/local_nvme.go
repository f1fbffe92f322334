package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/components/storage"
)

// exampleLocalNVMe offers the RAID of the H100 nodes' local disks as volumes, one a node.
func exampleLocalNVMe(ctx *pulumi.Context) error {
	kubernetes, err := inCluster(ctx)
	if err != nil {
		return err
	}
	local, err := storage.NewLocalNVMe(ctx, "scratch", &storage.LocalNVMeArgs{Placement: onH100(), Kind: storage.LocalRAID}, kubernetes)
	if err != nil {
		return err
	}
	ctx.Export("localClass", local.ClassName)
	return nil
}

// onH100 is the pool h100, with the taint that it has by itself.
func onH100() storage.Placement {
	return storage.Placement{Pool: "h100", Taints: []storage.Taint{{Key: "nvidia.com/gpu", Value: "present", Effect: "NoSchedule"}}}
}
