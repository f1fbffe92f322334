package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/gpuyard/gpuyard/components/storage"
)

// exampleFSxLustre makes a Lustre file system beside the H100 nodes, which reach it over EFA, and mounts it for pods.
func exampleFSxLustre(ctx *pulumi.Context) error {
	const sizeGiB = 4800
	system, err := storage.NewFSxLustre(ctx, "scratch", &storage.FSxLustreArgs{
		SizeGiB: sizeGiB, ThroughputPerTiB: 1000, EFA: true,
		VpcID:         pulumi.String(config.Require(ctx, "vpc")),
		SubnetID:      pulumi.String(config.Require(ctx, "subnet")),
		ClientGroupID: pulumi.String(config.Require(ctx, "clusterSecurityGroup")),
		Fabrics:       map[string]pulumi.StringInput{"h100": pulumi.String(config.Require(ctx, "fabric"))},
		BackupDays:    7,
		AllowDataLoss: config.GetBool(ctx, "allowDataLoss"),
	})
	if err != nil {
		return err
	}
	kubernetes, err := inCluster(ctx)
	if err != nil {
		return err
	}
	_, err = storage.NewLustreMounts(ctx, "train", &storage.LustreMountsArgs{FileSystems: []storage.MountedLustre{{
		Name: "scratch", Volume: "train-scratch", SizeGiB: sizeGiB,
		FileSystemID: system.FileSystemID, DNSName: system.DNSName, MountName: system.MountName,
	}}}, kubernetes)
	return err
}
