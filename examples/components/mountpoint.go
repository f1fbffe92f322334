package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/gpuyard/gpuyard/components/storage"
)

// exampleMountpoint lets pods read a bucket that exists as files, by the claim checkpoints.
func exampleMountpoint(ctx *pulumi.Context) error {
	kubernetes, err := inCluster(ctx)
	if err != nil {
		return err
	}
	_, err = storage.NewMountpoint(ctx, "train", &storage.MountpointArgs{
		ClusterName: pulumi.String(config.Require(ctx, "cluster")),
		Version:     kubernetesVersion,
		Region:      config.Require(ctx, "aws:region"),
		Buckets: []storage.MountedBucket{{
			Name:       "checkpoints",
			BucketName: pulumi.String(config.Require(ctx, "bucketName")),
			BucketARN:  pulumi.String(config.Require(ctx, "bucketArn")),
			KeyARN:     pulumi.String(config.Require(ctx, "keyArn")),
		}},
	}, kubernetes)
	return err
}
