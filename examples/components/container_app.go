package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/components/serverless"
)

// exampleContainerApp makes a job with a T4 on Azure, which a queue starts and nothing keeps running.
func exampleContainerApp(ctx *pulumi.Context) error {
	app, err := serverless.NewContainerApp(ctx, "finetune", &serverless.ContainerAppArgs{
		Location:        "swedencentral",
		Image:           "registry.example.com/finetune:1",
		WorkloadProfile: "Consumption-GPU-NC8as-T4",
		MaxReplicas:     4,
		Trigger:         serverless.TriggerQueue,
		QueueLength:     1,
		Timeout:         6 * 3600,
		Parallelism:     1, Completions: 1,
		Logs: "none",
	})
	if err != nil {
		return err
	}
	ctx.Export("job", app.ID)
	return nil
}
