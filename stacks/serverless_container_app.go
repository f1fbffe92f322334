package stacks

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/components/serverless"
)

// ingressPort is where an app listens that says nothing.
const ingressPort = 8080

// deployContainerApps makes the apps and jobs on Azure.
func deployContainerApps(d *serving, blocks []*blueprint.Serverless) error {
	provider, err := newAzureProvider(d.ctx)
	if err != nil {
		return err
	}
	for _, s := range blocks {
		app, err := serverless.NewContainerApp(d.ctx, d.name(s.Name.Value), containerAppArgs(d, s.ContainerApp), d.on(provider)...)
		if err != nil {
			return err
		}
		out := pulumi.Map{"kind": pulumi.String("container_app"), "id": app.ID, "resourceGroup": app.ResourceGroup, "principalId": app.PrincipalID}
		if triggerOf(s.ContainerApp) == serverless.TriggerQueue {
			out["queue"] = app.QueueURL
		}
		d.outputs[s.Name.Value] = out
	}
	return nil
}

// triggerOf is what starts an app; requests if it says nothing.
func triggerOf(a *blueprint.ContainerApp) string {
	if a.Trigger == nil {
		return serverless.TriggerHTTP
	}
	return a.Trigger.Kind.Value
}

// containerAppArgs maps a block to the arguments of its component.
func containerAppArgs(d *serving, a *blueprint.ContainerApp) *serverless.ContainerAppArgs {
	args := &serverless.ContainerAppArgs{
		Location: a.Location.Value, ResourceGroup: a.ResourceGroup.Value, Image: a.Image.Value, Command: values(a.Command),
		WorkloadProfile: a.WorkloadProfile.Value, CPU: a.CPU.Value, Memory: a.Memory.Value,
		MinReplicas: a.Scale.Min.Value, MaxReplicas: a.Scale.Max.Value, Cooldown: int(a.Scale.Cooldown.Value.Seconds()),
		Trigger: triggerOf(a), SubnetID: a.Subnet.Value, Logs: a.Logs.Kind.Value, WorkspaceID: a.Logs.Workspace.Value,
		Environment: a.Environment, Secrets: a.Secrets, KeyVaultID: a.KeyVault.Value, Tags: d.tags,
	}
	if a.Registry != nil {
		args.RegistryID = a.Registry.ID.Value
	}
	if n := a.ProfileNodes; n != nil {
		args.MinNodes, args.MaxNodes = n.Min.Value, n.Max.Value
	}
	if t := a.Trigger; t != nil {
		args.Cron, args.Concurrency, args.QueueLength = t.Schedule.Value, t.Concurrency.Value, max(t.Length.Value, 1)
	}
	if args.Trigger == serverless.TriggerHTTP {
		args.Port = ingressPort
		if a.Ingress != nil {
			args.Port, args.External = a.Ingress.Port.Value, a.Ingress.External.Value
		}
	} else {
		args.Timeout, args.Retry = int(a.Timeout.Value.Seconds()), a.Retry.Value
		args.Parallelism, args.Completions = a.Parallelism.Value, a.Completions.Value
	}
	for _, p := range a.Probes {
		args.Probes = append(args.Probes, serverless.Probe{
			Kind: p.Kind.Value, Path: p.Path.Value, Port: p.Port.Value, InitialDelay: int(p.InitialDelay.Value.Seconds()),
			Period: int(p.Period.Value.Seconds()), Timeout: int(p.Timeout.Value.Seconds()), Failures: p.Failures.Value,
		})
	}
	for _, v := range a.Volumes {
		args.Volumes = append(args.Volumes, serverless.Volume{
			Name: v.Name.Value, Path: v.Path.Value, Kind: v.Kind.Value, AccountID: v.Account.Value, Server: v.Server.Value,
			Share: v.Share.Value, ReadOnly: v.ReadOnly.Value,
		})
	}
	return args
}
