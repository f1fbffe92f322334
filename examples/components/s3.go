package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/gpuyard/gpuyard/components/storage"
)

// exampleS3 makes a bucket for checkpoints: private, encrypted under its own key, with versions, and kept from being removed.
func exampleS3(ctx *pulumi.Context) error {
	bucket, err := storage.NewS3(ctx, "checkpoints", &storage.S3Args{
		Checkpoints: true, ExpireDays: 30,
		AllowDataLoss: config.GetBool(ctx, "allowDataLoss"), // without it, the engine refuses to remove the bucket
	})
	if err != nil {
		return err
	}
	ctx.Export("bucketName", bucket.BucketName)
	ctx.Export("bucketArn", bucket.BucketARN)
	ctx.Export("keyArn", bucket.KeyARN)
	return nil
}
