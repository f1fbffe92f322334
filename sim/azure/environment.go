package azure

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	app "github.com/pulumi/pulumi-azure-native-sdk/app/v2/v20250101"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	environmentToken = "azure-native:app/v20250101:ManagedEnvironment"
	storageToken     = "azure-native:app/v20250101:ManagedEnvironmentsStorage"
	profilesSource   = "Azure Container Apps, \"Workload profiles in Azure Container Apps\""
)

func managedEnvironment() *engine.Resource {
	const kind = "Microsoft.App/managedEnvironments"
	return &engine.Resource{
		Token: environmentToken, Args: app.ManagedEnvironmentArgs{}, State: app.ManagedEnvironment{},
		Replace: []string{"resourceGroupName", "environmentName", "location", "vnetConfiguration", "zoneRedundant"},
		Refs:    []engine.Ref{inGroup()},
		Plan: []engine.Rule{
			shape("environmentName", "has up to 60 letters, digits and -", "Azure Container Apps API 2025-01-01", regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]{0,58}[A-Za-z0-9]$`)),
			profilesKnown, profileCounts, profilesInRegion, logsSomewhere,
		},
		Apply: []engine.Rule{gpuAtCreation},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name := c.In.Str("environmentName")
			return id(c, kind, name), made(name, kind, engine.Outputs{
				"defaultDomain": fmt.Sprintf("%s.%s.azurecontainerapps.io", name, catalog.AzureRegion(c.In.Str("location"))), "provisioningState": "Succeeded",
				"staticIp": "198.51.100.80", "eventStreamEndpoint": "https://" + c.In.Str("location") + ".azurecontainerapps.dev/events", "systemData": map[string]any{},
			}), nil
		},
	}
}

var profilesKnown = engine.Rule{
	Name: "profiles-known", Says: "each workload profile has a type that Azure has, in Azure's casing, and a name of its own", Source: profilesSource + "; MicrosoftDocs/azure-docs issue 107752",
	Judge: func(c *engine.Call) error {
		var errs []error
		var names []string
		for _, p := range c.In.Blocks("workloadProfiles[*]") {
			kind := p.Str("workloadProfileType")
			if _, ok := catalog.LookupWorkloadProfile(kind); !ok && kind != "" {
				errs = append(errs, engine.Invalid("workloadProfiles", "WorkloadProfileTypeInvalid: got %q; names are case-sensitive", kind))
			}
			if slices.Contains(names, p.Str("name")) {
				errs = append(errs, engine.Invalid("workloadProfiles", "the name %q is there twice", p.Str("name")))
			}
			names = append(names, p.Str("name"))
		}
		return errors.Join(errs...)
	},
}

var profileCounts = engine.Rule{
	Name: "profile-counts", Says: "a serverless profile has no counts; any other has both, in order", Source: "hashicorp/terraform-provider-azurerm issue 31763; " + profilesSource,
	Judge: func(c *engine.Call) error {
		var errs []error
		for _, p := range c.In.Blocks("workloadProfiles[*]") {
			profile, ok := catalog.LookupWorkloadProfile(p.Str("workloadProfileType"))
			low, hasLow := p.Int("minimumCount")
			high, hasHigh := p.Int("maximumCount")
			switch {
			case !ok:
			case profile.Serverless && (hasLow || hasHigh):
				errs = append(errs, engine.Invalid("workloadProfiles", "WorkloadProfilePropertyNotSupported: MinimumCount and MaximumCount are not supported for %s", profile.Name))
			case !profile.Serverless && (!hasLow || !hasHigh || low > high):
				errs = append(errs, engine.Invalid("workloadProfiles", "%s needs minimumCount and maximumCount, the first no larger", profile.Name))
			}
		}
		return errors.Join(errs...)
	},
}

var profilesInRegion = engine.Rule{
	Name: "profiles-in-region", Says: "each workload profile is offered in the region", Source: "Azure Container Apps, \"Using serverless GPUs in Azure Container Apps\"",
	Judge: func(c *engine.Call) error {
		for _, p := range c.In.Blocks("workloadProfiles[*]") {
			profile, ok := catalog.LookupWorkloadProfile(p.Str("workloadProfileType"))
			if ok && c.In.Str("location") != "" && !profile.OfferedIn(c.In.Str("location")) {
				return engine.Invalid("workloadProfiles", "the profile type %s is not available in %s; it is in %s", profile.Name, c.In.Str("location"), strings.Join(profile.Regions, ", "))
			}
		}
		return nil
	},
}

var logsSomewhere = engine.Rule{
	Name: "logs-somewhere", Says: "logs that go to a workspace name it and its key, and others do not", Source: "Azure Container Apps, \"Log storage and monitoring options\"",
	Judge: func(c *engine.Call) error {
		logs := c.In.Str("appLogsConfiguration.destination")
		known := slices.Contains([]string{"", "none", "azure-monitor", "log-analytics"}, logs)
		if !known || (logs == "log-analytics") != c.In.Has("appLogsConfiguration.logAnalyticsConfiguration.sharedKey") {
			return engine.Invalid("appLogsConfiguration", "LogAnalyticsConfigurationInvalid: destination %q", logs)
		}
		return nil
	},
}

var gpuAtCreation = engine.Rule{
	Name: "gpu-at-creation", Says: "a profile with a GPU comes into an environment when that is made", Source: "Azure/azure-cli issue 30526; " + profilesSource,
	Judge: func(c *engine.Call) error {
		if c.ID == "" {
			return nil
		}
		had := c.Was.Strs("workloadProfiles[*].workloadProfileType")
		for _, kind := range c.In.Strs("workloadProfiles[*].workloadProfileType") {
			if profile, ok := catalog.LookupWorkloadProfile(kind); ok && profile.GPUs > 0 && !slices.Contains(had, kind) {
				return engine.Refuse("WorkloadProfileTypeInvalid", "%s cannot be added to the environment %s: make another environment with it", kind, c.ID)
			}
		}
		return nil
	},
}

func environmentStorage() *engine.Resource {
	return &engine.Resource{
		Token: storageToken, Args: app.ManagedEnvironmentsStorageArgs{}, State: app.ManagedEnvironmentsStorage{},
		Replace: []string{"resourceGroupName", "environmentName", "storageName"},
		Refs:    []engine.Ref{inGroup(), {Path: "environmentName", To: environmentToken, By: []string{"name"}, Code: "ResourceNotFound"}},
		Plan: []engine.Rule{
			shape("storageName", "has lower-case letters, digits and -, and no dots", "Azure Container Apps, \"Use storage mounts in Azure Container Apps\"", regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)),
		},
		Apply: []engine.Rule{nfsInNetwork},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			env, _ := c.Resolve("environmentName")
			c.ComeWith(environmentToken, env.ID)
			name := c.In.Str("storageName")
			return env.ID + "/storages/" + name, made(name, "Microsoft.App/managedEnvironments/storages", engine.Outputs{"systemData": map[string]any{}}), nil
		},
	}
}

var nfsInNetwork = engine.Rule{
	Name: "nfs-in-network", Says: "NFS is mounted in an environment with a network of its own", Source: "Azure Container Apps, \"Use storage mounts in Azure Container Apps\"",
	Judge: func(c *engine.Call) error {
		env, _ := c.Resolve("environmentName")
		if c.In.Has("properties.nfsAzureFile") && !env.In.Has("vnetConfiguration.infrastructureSubnetId") {
			return engine.Refuse("ManagedEnvironmentStorageInvalid", "NFS Azure Files need an environment in a custom virtual network: %s has none", env.ID)
		}
		return nil
	},
}
