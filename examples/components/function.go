package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/gpuyard/gpuyard/components/serverless"
)

// exampleFunction makes a Lambda function of an image that was pushed, called by the messages of a queue.
func exampleFunction(ctx *pulumi.Context) error {
	function, err := serverless.NewFunction(ctx, "tuner", &serverless.FunctionArgs{
		ImageURI:     pulumi.String(config.Require(ctx, "image")), // by its digest: REPOSITORY@sha256:…
		Architecture: "x86_64",
		Memory:       10240, EphemeralStorage: 10240,
		Timeout:          900,
		Queue:            &serverless.Queue{MaxReceive: 3, BatchSize: 1},
		LogRetentionDays: 30,
	})
	if err != nil {
		return err
	}
	ctx.Export("queue", function.QueueURL)
	return nil
}
