package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/gpuyard/gpuyard/components/storage"
)

// exampleCeph makes a Ceph cluster of volumes of EBS on three nodes, for volumes of one pod and of many.
func exampleCeph(ctx *pulumi.Context) error {
	kubernetes, err := inCluster(ctx)
	if err != nil {
		return err
	}
	ceph, err := storage.NewCeph(ctx, "shared", &storage.CephArgs{
		Placement: storage.Placement{Pool: "system"},
		Nodes:     3, Zones: 2,
		Volumes:       &storage.CephDisks{PerNode: 1, SizeGiB: 500},
		AllowDataLoss: config.GetBool(ctx, "allowDataLoss"),
	}, kubernetes)
	if err != nil {
		return err
	}
	ctx.Export("blockClass", ceph.BlockClass)
	ctx.Export("fileClass", ceph.FileClass)
	return nil
}
