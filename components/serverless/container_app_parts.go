package serverless

import (
	"maps"
	"slices"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// logDays is how long a workspace that is made here keeps logs. It is what is free.
const logDays = 30

// appBuilder holds what the resources of one app share while they are registered.
type appBuilder struct {
	ctx  *pulumi.Context
	name string
	args *ContainerAppArgs
	opts []pulumi.ResourceOption

	group       pulumi.StringInput
	identity    *azureIdentity
	workspace   *azureWorkspace
	workspaceID pulumi.StringInput
	environment *azureResource
	storages    []pulumi.Resource
	account     *azureResource
	messages    *azureResource
	rights      []pulumi.Resource
	profile     catalog.WorkloadProfile
}

func newAppBuilder(ctx *pulumi.Context, name string, args *ContainerAppArgs, parent pulumi.ResourceOption) *appBuilder {
	profile, _ := catalog.LookupWorkloadProfile(args.WorkloadProfile) // it was checked
	return &appBuilder{ctx: ctx, name: name, args: args, opts: []pulumi.ResourceOption{parent}, profile: profile}
}

// in returns the arguments of a resource in the app's group and region.
func (b *appBuilder) in(more pulumi.Map) pulumi.Map {
	all := pulumi.Map{
		"resourceGroupName": b.group, "location": pulumi.String(catalog.AzureRegion(b.args.Location)), "tags": tags.Merge(b.args.Tags, b.name),
	}
	maps.Copy(all, more)
	return all
}

func (b *appBuilder) resourceGroup(c *ContainerApp) error {
	if b.args.ResourceGroup != "" {
		b.group = pulumi.String(b.args.ResourceGroup)
		c.ResourceGroup = b.group.ToStringOutput()
		return nil
	}
	var group azureResource
	err := b.register(tokenResourceGroup, b.name, pulumi.Map{
		"resourceGroupName": pulumi.String(azureName(b.name, 90)),
		"location":          pulumi.String(catalog.AzureRegion(b.args.Location)),
		"tags":              tags.Merge(b.args.Tags, b.name),
	}, &group)
	if err != nil {
		return err
	}
	b.group, c.ResourceGroup = group.Name, group.Name
	return nil
}

// whoItIs registers the identity that the app pulls, mounts and reads as.
func (b *appBuilder) whoItIs(c *ContainerApp) error {
	b.identity = &azureIdentity{}
	err := b.register(tokenIdentity, b.name, b.in(pulumi.Map{"resourceName": pulumi.String(azureName(b.name, 64))}), b.identity)
	c.PrincipalID = b.identity.PrincipalID
	return err
}

// logs finds or makes the workspace that logs are kept in.
func (b *appBuilder) logs(*ContainerApp) error {
	switch {
	case b.args.Logs == "none":
		return nil
	case b.args.WorkspaceID != "":
		b.workspaceID = pulumi.String(b.args.WorkspaceID)
		return nil
	}
	b.workspace = &azureWorkspace{}
	err := b.register(tokenWorkspace, b.name, b.in(pulumi.Map{
		"workspaceName":   pulumi.String(azureName(b.name, 63)),
		"sku":             pulumi.Map{"name": pulumi.String("PerGB2018")},
		"retentionInDays": pulumi.Int(logDays),
	}), b.workspace)
	b.workspaceID = b.workspace.ID().ToStringOutput()
	return err
}

// managedEnvironment registers the environment with its hardware, which for a GPU can only be said now.
func (b *appBuilder) managedEnvironment(*ContainerApp) error {
	profile := pulumi.Map{"name": pulumi.String(b.profile.Name), "workloadProfileType": pulumi.String(b.profile.Name)}
	if !b.profile.Serverless {
		profile["minimumCount"], profile["maximumCount"] = pulumi.Int(b.args.MinNodes), pulumi.Int(b.args.MaxNodes)
	}
	profiles := pulumi.Array{profile}
	if b.profile.Name != "Consumption" {
		// Every environment has it, and Azure reports it whether it is said or not.
		consumption := pulumi.Map{"name": pulumi.String("Consumption"), "workloadProfileType": pulumi.String("Consumption")}
		profiles = pulumi.Array{consumption, profile}
	}
	in := pulumi.Map{
		"environmentName":      pulumi.String(azureName(b.name, 32)),
		"workloadProfiles":     profiles,
		"appLogsConfiguration": b.logDestination(),
	}
	if b.args.SubnetID != "" {
		in["vnetConfiguration"] = pulumi.Map{"infrastructureSubnetId": pulumi.String(b.args.SubnetID), "internal": pulumi.Bool(!b.args.External)}
	}
	b.environment = &azureResource{}
	if err := b.register(tokenManagedEnvironment, b.name, b.in(in), b.environment); err != nil {
		return err
	}
	if b.args.Logs != "azure_monitor" {
		return nil
	}
	return b.register(tokenDiagnosticSetting, b.name, pulumi.Map{
		"name":        pulumi.String("logs"),
		"resourceUri": b.environment.ID(),
		"workspaceId": b.workspaceID,
		"logs":        pulumi.Array{pulumi.Map{"categoryGroup": pulumi.String("allLogs"), "enabled": pulumi.Bool(true)}},
	}, &azureResource{})
}

// logDestination says how the environment gives its logs away. By its key, a workspace takes them directly; by Azure
// Monitor it takes them through a diagnostic setting, and no key is in the state.
// Source: Azure Container Apps, "Log storage and monitoring options".
func (b *appBuilder) logDestination() pulumi.Map {
	switch b.args.Logs {
	case "azure_monitor":
		return pulumi.Map{"destination": pulumi.String("azure-monitor")}
	case "log_analytics":
		return pulumi.Map{"destination": pulumi.String("log-analytics"), "logAnalyticsConfiguration": pulumi.Map{
			"customerId": b.workspace.CustomerID, "sharedKey": b.workspaceKey(),
		}}
	default:
		return pulumi.Map{"destination": pulumi.String("none")}
	}
}

// shares registers the shares of Azure Files that volumes name.
func (b *appBuilder) shares(*ContainerApp) error {
	for _, v := range b.args.Volumes {
		if v.Kind == "empty" {
			continue
		}
		mode := "ReadWrite"
		if v.ReadOnly {
			mode = "ReadOnly"
		}
		properties := pulumi.Map{}
		if v.Kind == "nfs" {
			properties["nfsAzureFile"] = pulumi.Map{"server": pulumi.String(v.Server), "shareName": pulumi.String(v.Share), "accessMode": pulumi.String(mode)}
		} else {
			group, account, _ := accountOf(v.AccountID)
			properties["azureFile"] = pulumi.Map{
				"accountName": pulumi.String(account), "accountKey": b.accountKey(group, account),
				"shareName": pulumi.String(v.Share), "accessMode": pulumi.String(mode),
			}
		}
		var made azureResource
		err := b.register(tokenEnvironmentStorage, b.name+"-"+v.Name, pulumi.Map{
			"resourceGroupName": b.group, "environmentName": b.environment.Name, "storageName": pulumi.String(v.Name), "properties": properties,
		}, &made)
		if err != nil {
			return err
		}
		b.storages = append(b.storages, &made)
	}
	return nil
}

// queue registers the queue whose messages start runs, where that is the trigger. It takes identities and no keys.
func (b *appBuilder) queue(c *ContainerApp) error {
	if b.args.Trigger != TriggerQueue {
		return nil
	}
	b.account, b.messages = &azureResource{}, &azureResource{}
	err := b.register(tokenStorageAccount, b.name, b.in(pulumi.Map{
		"accountName":            pulumi.String(accountName(b.ctx.Organization(), b.ctx.Project(), b.ctx.Stack(), b.name)),
		"kind":                   pulumi.String("StorageV2"),
		"sku":                    pulumi.Map{"name": pulumi.String("Standard_LRS")},
		"allowSharedKeyAccess":   pulumi.Bool(false),
		"allowBlobPublicAccess":  pulumi.Bool(false),
		"enableHttpsTrafficOnly": pulumi.Bool(true),
		"minimumTlsVersion":      pulumi.String("TLS1_2"),
	}), b.account)
	if err != nil {
		return err
	}
	err = b.register(tokenStorageQueue, b.name, pulumi.Map{
		"resourceGroupName": b.group, "accountName": b.account.Name, "queueName": pulumi.String(azureName(b.name, 63)),
	}, b.messages)
	c.QueueURL = pulumi.Sprintf("https://%s.queue.core.windows.net/%s", b.account.Name, b.messages.Name)
	return err
}

// grants gives the identity its rights, before anything is pulled or read.
func (b *appBuilder) grants(*ContainerApp) error {
	for _, g := range []struct {
		suffix, role string
		scope        pulumi.StringInput
		needed       bool
	}{
		{"pull", roleAcrPull, pulumi.String(b.args.RegistryID), b.args.RegistryID != ""},
		{"secrets", roleVaultSecrets, pulumi.String(b.args.KeyVaultID), len(b.args.Secrets) > 0},
		{"queue", roleQueueData, b.accountID(), b.account != nil},
	} {
		if !g.needed {
			continue
		}
		if err := b.role(g.suffix, g.role, g.scope); err != nil {
			return err
		}
	}
	return nil
}

func (b *appBuilder) accountID() pulumi.StringInput {
	if b.account == nil {
		return pulumi.String("")
	}
	return b.account.ID().ToStringOutput()
}

// before are the options of an app or job, which waits for its rights and its shares.
func (b *appBuilder) before() pulumi.ResourceOption {
	return pulumi.DependsOn(slices.Concat(b.rights, b.storages))
}
