package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/gpuyard/gpuyard/components/storage"
)

// exampleSnapshots lets a cluster that exists take snapshots of its volumes, also on schedule. Ceph takes it as Snapshots.
func exampleSnapshots(ctx *pulumi.Context) error {
	kubernetes, err := inCluster(ctx)
	if err != nil {
		return err
	}
	_, err = storage.NewSnapshots(ctx, "train", &storage.SnapshotsArgs{
		ClusterName: pulumi.String(config.Require(ctx, "cluster")),
		Version:     kubernetesVersion,
	}, kubernetes)
	return err
}
