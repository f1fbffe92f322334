package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/components/serverless"
)

// exampleRepository makes a repository for the images of functions, which keeps the newest twenty.
func exampleRepository(ctx *pulumi.Context) error {
	repository, err := serverless.NewRepository(ctx, "tuner", &serverless.RepositoryArgs{
		RepositoryName: "examples/tuner", Keep: 20, ForceDelete: true,
	})
	if err != nil {
		return err
	}
	ctx.Export("repository", repository.URL)
	return nil
}
