package serverless

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeContainerApp is the type token of ContainerApp.
const TypeContainerApp = "gpuyard:serverless:ContainerApp"

// The kinds of triggers.
const (
	TriggerHTTP     = "http"
	TriggerQueue    = "queue"
	TriggerSchedule = "schedule"
	TriggerManual   = "manual"
)

// ContainerAppArgs describes an Azure Container App, or a job if something other than requests starts it.
type ContainerAppArgs struct {
	// Location is the Azure region.
	Location string `pulumi:"location"`
	// ResourceGroup is an existing resource group; empty: one is made.
	ResourceGroup string `pulumi:"resourceGroup,optional"`
	// Image is the image with its registry, linux/amd64, and RegistryID the Azure container registry that it is in, if
	// it is in one.
	Image      string   `pulumi:"image"`
	RegistryID string   `pulumi:"registryId,optional"`
	Command    []string `pulumi:"command,optional"`
	// WorkloadProfile is the hardware of a replica by Azure's name. A profile that is not serverless has nodes.
	WorkloadProfile string `pulumi:"workloadProfile"`
	MinNodes        int    `pulumi:"minNodes,optional"`
	MaxNodes        int    `pulumi:"maxNodes,optional"`
	// CPU and Memory, in MiB, are of each replica; 0: what the profile has.
	CPU    float64 `pulumi:"cpu,optional"`
	Memory int     `pulumi:"memory,optional"`
	// MinReplicas and MaxReplicas bound the replicas of an app and the runs of a job that a queue starts.
	MinReplicas int `pulumi:"minReplicas"`
	MaxReplicas int `pulumi:"maxReplicas"`
	// Cooldown is how long an idle app keeps its last replica, in seconds; 0: 300, with a GPU 600.
	Cooldown int `pulumi:"cooldown,optional"`
	// Trigger is what starts it: http makes an app, everything else a job.
	Trigger string `pulumi:"trigger"`
	// QueueLength is how many messages of a queue one replica is started for.
	QueueLength int `pulumi:"queueLength,optional"`
	// Cron are the five fields of a schedule, in UTC.
	Cron string `pulumi:"cron,optional"`
	// Concurrency is how many requests at once one replica is started for.
	Concurrency int `pulumi:"concurrency,optional"`
	// Timeout is the longest run of a job's replica in seconds, Retry how often one that failed is tried again,
	// Parallelism how many work on one run and Completions how many must succeed.
	Timeout     int `pulumi:"timeout,optional"`
	Retry       int `pulumi:"retry,optional"`
	Parallelism int `pulumi:"parallelism,optional"`
	Completions int `pulumi:"completions,optional"`
	// Port is where an app listens, and External opens it to the world.
	Port     int  `pulumi:"port,optional"`
	External bool `pulumi:"external,optional"`
	// Probes ask an app how it is; none: a start of five minutes is tolerated.
	Probes []Probe `pulumi:"probes,optional"`
	// Volumes are storage besides a replica's own disk.
	Volumes []Volume `pulumi:"volumes,optional"`
	// SubnetID is an existing subnet to stand in; empty: Azure's own network.
	SubnetID string `pulumi:"subnetId,optional"`
	// Logs is azure_monitor, log_analytics or none, and WorkspaceID an existing workspace; empty: one is made.
	Logs        string `pulumi:"logs"`
	WorkspaceID string `pulumi:"workspaceId,optional"`
	// Environment are environment variables, and Secrets such whose values are in a Key Vault, by the addresses of the
	// secrets. KeyVaultID is the vault's resource id.
	Environment map[string]string `pulumi:"environment,optional"`
	Secrets     map[string]string `pulumi:"secrets,optional"`
	KeyVaultID  string            `pulumi:"keyVaultId,optional"`
	// Tags are put on everything that takes tags.
	Tags map[string]string `pulumi:"tags,optional"`
}

// Probe asks a container how it is.
type Probe struct {
	Kind         string `pulumi:"kind"` // startup, liveness or readiness
	Path         string `pulumi:"path,optional"`
	Port         int    `pulumi:"port"`
	InitialDelay int    `pulumi:"initialDelay"`
	Period       int    `pulumi:"period"`
	Timeout      int    `pulumi:"timeout"`
	Failures     int    `pulumi:"failures"`
}

// Volume is storage besides a replica's own disk.
type Volume struct {
	Name string `pulumi:"name"`
	Path string `pulumi:"path"`
	// Kind is empty, azure_file or nfs.
	Kind      string `pulumi:"kind"`
	AccountID string `pulumi:"accountId,optional"`
	Server    string `pulumi:"server,optional"`
	Share     string `pulumi:"share,optional"`
	ReadOnly  bool   `pulumi:"readOnly,optional"`
}

// ContainerApp is an Azure Container App or job with its environment, identity and, for a trigger that is one, queue.
type ContainerApp struct {
	pulumi.ResourceState

	// ID is the resource id of the app or job, and Name its name.
	ID   pulumi.StringOutput `pulumi:"id"`
	Name pulumi.StringOutput `pulumi:"name"`
	// ResourceGroup is the resource group that all of it is in.
	ResourceGroup pulumi.StringOutput `pulumi:"resourceGroup"`
	// QueueURL is where messages are put that start runs; "" without a queue.
	QueueURL pulumi.StringOutput `pulumi:"queueUrl"`
	// PrincipalID is the identity, for rights on what it works with.
	PrincipalID pulumi.StringOutput `pulumi:"principalId"`
}

// NewContainerApp registers a ContainerApp.
func NewContainerApp(ctx *pulumi.Context, name string, args *ContainerAppArgs, opts ...pulumi.ResourceOption) (*ContainerApp, error) {
	if err := checkContainerApp(name, args); err != nil {
		return nil, err
	}
	c := &ContainerApp{}
	if err := ctx.RegisterComponentResourceV2(TypeContainerApp, name, args.inputs(), c, opts...); err != nil {
		return nil, err
	}
	c.QueueURL = pulumi.String("").ToStringOutput()
	b := newAppBuilder(ctx, name, args, pulumi.Parent(c))
	steps := []func(*ContainerApp) error{b.resourceGroup, b.whoItIs, b.logs, b.managedEnvironment, b.shares, b.queue, b.grants, b.app}
	if args.Trigger != TriggerHTTP {
		steps[len(steps)-1] = b.job
	}
	for _, step := range steps {
		if err := step(c); err != nil {
			return nil, err
		}
	}
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{
		"id": c.ID, "name": c.Name, "resourceGroup": c.ResourceGroup, "queueUrl": c.QueueURL, "principalId": c.PrincipalID,
	})
}

func (a *ContainerAppArgs) inputs() pulumi.Map {
	return pulumi.Map{
		"location": pulumi.String(a.Location), "image": pulumi.String(a.Image), "workloadProfile": pulumi.String(a.WorkloadProfile),
		"minReplicas": pulumi.Int(a.MinReplicas), "maxReplicas": pulumi.Int(a.MaxReplicas), "trigger": pulumi.String(a.Trigger),
		"timeout": pulumi.Int(a.Timeout), "logs": pulumi.String(a.Logs), "tags": pulumi.ToStringMap(a.Tags),
	}
}
