package serverless

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// What an app is given where its arguments say nothing.
const (
	cooldown    = 300 // seconds, Azure's own
	cooldownGPU = 600 // a GPU's replica takes minutes to come back
	concurrency = 10  // requests at once
	polling     = 30  // seconds, Azure's own
	// grace is how long a replica may finish what it does when it is told to go.
	grace = 120
)

// app registers the app.
func (b *appBuilder) app(c *ContainerApp) error {
	a := b.args
	var app azureResource
	err := b.register(tokenContainerApp, b.name, b.in(pulumi.Map{
		"containerAppName":     pulumi.String(azureName(b.name, 32)),
		"managedEnvironmentId": b.environment.ID(),
		"workloadProfileName":  pulumi.String(b.profile.Name),
		"identity":             b.asItself(),
		"configuration": b.configuration(pulumi.Map{
			"activeRevisionsMode": pulumi.String("Single"),
			"ingress": pulumi.Map{
				"external": pulumi.Bool(a.External), "targetPort": pulumi.Int(a.Port), "transport": pulumi.String("auto"), "allowInsecure": pulumi.Bool(false),
				// A replica that goes takes nobody's session with it.
				"stickySessions": pulumi.Map{"affinity": pulumi.String("none")},
			},
		}),
		"template": b.template(b.probes(), pulumi.Map{
			"terminationGracePeriodSeconds": pulumi.Float64(grace),
			"scale": pulumi.Map{
				"minReplicas": pulumi.Int(a.MinReplicas), "maxReplicas": pulumi.Int(a.MaxReplicas),
				"cooldownPeriod": pulumi.Int(b.cooldown()), "pollingInterval": pulumi.Int(polling),
				"rules": pulumi.Array{pulumi.Map{"name": pulumi.String("requests"), "http": pulumi.Map{
					"metadata": pulumi.StringMap{"concurrentRequests": pulumi.String(strconv.Itoa(b.concurrency()))},
				}}},
			},
		}),
	}), &app, b.before())
	c.ID, c.Name = app.ID().ToStringOutput(), app.Name
	return err
}

// job registers the job. Its timeout is always said: tools fill in half an hour otherwise.
func (b *appBuilder) job(c *ContainerApp) error {
	a := b.args
	configuration := pulumi.Map{"replicaTimeout": pulumi.Int(a.Timeout), "replicaRetryLimit": pulumi.Int(a.Retry)}
	each := pulumi.Map{"parallelism": pulumi.Int(a.Parallelism), "replicaCompletionCount": pulumi.Int(a.Completions)}
	switch a.Trigger {
	case TriggerQueue:
		configuration["triggerType"], configuration["eventTriggerConfig"] = pulumi.String("Event"), each
		each["scale"] = b.queueScale()
	case TriggerSchedule:
		configuration["triggerType"], configuration["scheduleTriggerConfig"] = pulumi.String("Schedule"), each
		each["cronExpression"] = pulumi.String(a.Cron)
	default:
		configuration["triggerType"], configuration["manualTriggerConfig"] = pulumi.String("Manual"), each
	}
	var job azureResource
	err := b.register(tokenJob, b.name, b.in(pulumi.Map{
		"jobName":             pulumi.String(azureName(b.name, 32)),
		"environmentId":       b.environment.ID(),
		"workloadProfileName": pulumi.String(b.profile.Name),
		"identity":            b.asItself(),
		"configuration":       b.configuration(configuration),
		"template":            b.template(nil, pulumi.Map{}),
	}), &job, b.before())
	c.ID, c.Name = job.ID().ToStringOutput(), job.Name
	return err
}

// queueScale starts runs for the messages of the queue. KEDA looks at it as the app's identity.
// Source: KEDA documentation, "Azure Storage Queue"; Azure Container Apps API 2025-01-01, JobScaleRule.
func (b *appBuilder) queueScale() pulumi.Map {
	return pulumi.Map{
		"minExecutions": pulumi.Int(b.args.MinReplicas), "maxExecutions": pulumi.Int(b.args.MaxReplicas), "pollingInterval": pulumi.Int(polling),
		"rules": pulumi.Array{pulumi.Map{
			"name": pulumi.String("messages"), "type": pulumi.String("azure-queue"), "identity": b.identity.ID(),
			"metadata": pulumi.StringMap{
				"accountName": b.account.Name, "queueName": b.messages.Name, "queueLength": pulumi.String(strconv.Itoa(b.args.QueueLength)),
			},
		}},
	}
}

func (b *appBuilder) cooldown() int {
	switch {
	case b.args.Cooldown > 0:
		return b.args.Cooldown
	case b.profile.GPUs > 0:
		return cooldownGPU
	default:
		return cooldown
	}
}

func (b *appBuilder) concurrency() int {
	if b.args.Concurrency > 0 {
		return b.args.Concurrency
	}
	return concurrency
}

// asItself gives the app its identity.
func (b *appBuilder) asItself() pulumi.Map {
	return pulumi.Map{"type": pulumi.String("UserAssigned"), "userAssignedIdentities": pulumi.StringArray{b.identity.ID().ToStringOutput()}}
}

// configuration adds to an app's or a job's configuration where its image and its secrets are.
func (b *appBuilder) configuration(in pulumi.Map) pulumi.Map {
	if b.args.RegistryID != "" {
		host, _, _ := strings.Cut(b.args.Image, "/")
		in["registries"] = pulumi.Array{pulumi.Map{"server": pulumi.String(host), "identity": b.identity.ID()}}
	}
	if len(b.args.Secrets) > 0 {
		secrets := pulumi.Array{}
		for _, name := range slices.Sorted(maps.Keys(b.args.Secrets)) {
			secrets = append(secrets, pulumi.Map{
				"name": pulumi.String(secretName(name)), "keyVaultUrl": pulumi.String(b.args.Secrets[name]), "identity": b.identity.ID(),
			})
		}
		in["secrets"] = secrets
	}
	return in
}

// secretName is what a secret is called in an app, by the variable that it becomes.
func secretName(variable string) string {
	return strings.Trim(strings.ToLower(strings.ReplaceAll(variable, "_", "-")), "-")
}

// container describes the one container of a replica. It is the first, which is the one that gets the GPU.
func (b *appBuilder) container(probes pulumi.Array) pulumi.Map {
	a := b.args
	cpu, memory := b.profile.CPU, b.profile.MemoryMiB
	if a.CPU > 0 {
		cpu = a.CPU
	}
	if a.Memory > 0 {
		memory = a.Memory
	}
	container := pulumi.Map{
		"name":      pulumi.String(azureName(b.name, 32)),
		"image":     pulumi.String(a.Image),
		"resources": pulumi.Map{"cpu": pulumi.Float64(cpu), "memory": pulumi.String(gibibytes(memory))},
		"env":       b.env(),
	}
	if len(a.Command) > 0 {
		container["command"] = pulumi.ToStringArray(a.Command)
	}
	if probes != nil {
		container["probes"] = probes
	}
	if len(a.Volumes) > 0 {
		mounts := pulumi.Array{}
		for _, v := range a.Volumes {
			mounts = append(mounts, pulumi.Map{"volumeName": pulumi.String(v.Name), "mountPath": pulumi.String(v.Path)})
		}
		container["volumeMounts"] = mounts
	}
	return container
}

// gibibytes writes a number of MiB as Azure takes memory.
func gibibytes(mib int) string {
	return strconv.FormatFloat(float64(mib)/1024, 'g', -1, 64) + "Gi"
}

// env are the environment variables: those given, whose identity it is for the SDKs that ask, and where the queue is.
func (b *appBuilder) env() pulumi.Array {
	list := pulumi.Array{}
	add := func(name string, value pulumi.StringInput) {
		list = append(list, pulumi.Map{"name": pulumi.String(name), "value": value})
	}
	add("AZURE_CLIENT_ID", b.identity.ClientID)
	if b.account != nil {
		add("GPUYARD_QUEUE_ACCOUNT", b.account.Name)
		add("GPUYARD_QUEUE_NAME", b.messages.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(b.args.Environment)) {
		add(name, pulumi.String(b.args.Environment[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(b.args.Secrets)) {
		list = append(list, pulumi.Map{"name": pulumi.String(name), "secretRef": pulumi.String(secretName(name))})
	}
	return list
}

// probes ask an app how it is. A model takes minutes to load, so an app that says nothing may take five of them.
func (b *appBuilder) probes() pulumi.Array {
	given := b.args.Probes
	if len(given) == 0 {
		given = []Probe{{Kind: "startup", Port: b.args.Port, InitialDelay: 1, Period: 30, Timeout: 5, Failures: 10}}
	}
	list := pulumi.Array{}
	for _, p := range given {
		probe := pulumi.Map{
			"type":                pulumi.String(strings.ToUpper(p.Kind[:1]) + p.Kind[1:]),
			"initialDelaySeconds": pulumi.Int(p.InitialDelay), "periodSeconds": pulumi.Int(p.Period),
			"timeoutSeconds": pulumi.Int(p.Timeout), "failureThreshold": pulumi.Int(p.Failures),
		}
		if p.Path != "" {
			probe["httpGet"] = pulumi.Map{"path": pulumi.String(p.Path), "port": pulumi.Int(p.Port), "scheme": pulumi.String("HTTP")}
		} else {
			probe["tcpSocket"] = pulumi.Map{"port": pulumi.Int(p.Port)}
		}
		list = append(list, probe)
	}
	return list
}

// template adds to a template what apps and jobs have in common.
func (b *appBuilder) template(probes pulumi.Array, in pulumi.Map) pulumi.Map {
	in["containers"] = pulumi.Array{b.container(probes)}
	if len(b.args.Volumes) > 0 {
		in["volumes"] = b.volumes()
	}
	return in
}

// volumes are what the replica's container may mount.
func (b *appBuilder) volumes() pulumi.Array {
	list := pulumi.Array{}
	for _, v := range b.args.Volumes {
		kind := map[string]string{"empty": "EmptyDir", "azure_file": "AzureFile", "nfs": "NfsAzureFile"}[v.Kind]
		volume := pulumi.Map{"name": pulumi.String(v.Name), "storageType": pulumi.String(kind)}
		if v.Kind != "empty" {
			volume["storageName"] = pulumi.String(v.Name)
		}
		list = append(list, volume)
	}
	return list
}
