package azure

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	app "github.com/pulumi/pulumi-azure-native-sdk/app/v2/v20250101"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	appToken  = "azure-native:app/v20250101:ContainerApp"
	jobToken  = "azure-native:app/v20250101:Job"
	appsAPI   = "Azure Container Apps API 2025-01-01"
	acrPull   = "7f951dda-4ed3-4680-a7ca-43fe172d538d"
	maxScale  = 1000
	diskScale = "Azure Container Apps, \"Containers in Azure Container Apps\""
)

var appName = regexp.MustCompile(`^[a-z]([a-z0-9-]{0,30}[a-z0-9])?$`)

func containerApp() *engine.Resource {
	const kind = "Microsoft.App/containerApps"
	return &engine.Resource{
		Token: appToken, Args: app.ContainerAppArgs{}, State: app.ContainerApp{},
		Replace: []string{"resourceGroupName", "containerAppName", "location", "managedEnvironmentId", "environmentId"},
		Refs:    []engine.Ref{inGroup(), {Path: "managedEnvironmentId", To: environmentToken, By: byID, Code: "ManagedEnvironmentNotFound", Holds: true}},
		Plan: append([]engine.Rule{
			shape("containerAppName", "has up to 32 lower-case letters, digits and -", appsAPI, appName),
			probesWithin, replicasOrder,
		}, containersRules()...),
		Apply: appliedRules("managedEnvironmentId"),
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name := c.In.Str("containerAppName")
			env, _ := c.Resolve("managedEnvironmentId")
			return id(c, kind, name), made(name, kind, running(c, engine.Outputs{
				"environmentId": env.ID, "runningStatus": "Running", "latestRevisionName": name + "--0000001", "latestReadyRevisionName": name + "--0000001",
				"latestRevisionFqdn": name + "." + env.Out.Str("defaultDomain"), "customDomainVerificationId": strings.ToUpper(guid(c, "domain")),
			})), nil
		},
		Update: func(c *engine.Call) (engine.Outputs, error) { return running(c, nil), nil },
	}
}

func job() *engine.Resource {
	const kind = "Microsoft.App/jobs"
	return &engine.Resource{
		Token: jobToken, Args: app.JobArgs{}, State: app.Job{},
		Replace: []string{"resourceGroupName", "jobName", "location", "environmentId"},
		Refs:    []engine.Ref{inGroup(), {Path: "environmentId", To: environmentToken, By: byID, Code: "ManagedEnvironmentNotFound", Holds: true}},
		Plan: append([]engine.Rule{
			shape("jobName", "has up to 32 lower-case letters, digits and -", appsAPI, appName),
			oneTrigger, runsWithin,
		}, containersRules()...),
		Apply: appliedRules("environmentId"),
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name := c.In.Str("jobName")
			return id(c, kind, name), made(name, kind, running(c, nil)), nil
		},
		Update: func(c *engine.Call) (engine.Outputs, error) { return running(c, nil), nil },
	}
}

// running are the outputs of what runs containers. Azure answers with identities by their ids, not in a list.
func running(c *engine.Call, more engine.Outputs) engine.Outputs {
	identities := map[string]any{}
	for _, i := range c.In.Strs("identity.userAssignedIdentities[*]") {
		one, _ := c.Get(identityToken, i)
		identities[i] = map[string]any{"clientId": one.Out.Str("clientId"), "principalId": one.Out.Str("principalId")}
	}
	out := engine.Outputs{
		"provisioningState": "Succeeded", "outboundIpAddresses": []any{"198.51.100.81"}, "eventStreamEndpoint": "https://" + c.In.Str("location") + ".azurecontainerapps.dev/events",
		"systemData": map[string]any{},
	}
	if len(identities) > 0 {
		out["identity"] = map[string]any{"type": c.In.Str("identity.type"), "userAssignedIdentities": identities, "principalId": "", "tenantId": Subscription}
	}
	for k, v := range more {
		out[k] = v
	}
	return out
}

// containersRules are the rules on what a replica consists of, the same for apps and jobs.
func containersRules() []engine.Rule {
	return []engine.Rule{containersGiven, replicaSizes, secretsNamed, registryIdentity}
}

// appliedRules are the rules that look at the environment and at the identity's rights.
func appliedRules(environment string) []engine.Rule {
	return []engine.Rule{profileOfEnvironment(environment), volumesOfEnvironment(environment), mayPull}
}

var containersGiven = engine.Rule{
	Name: "containers-given", Says: "there is a container, with an image and a name", Source: appsAPI,
	Judge: func(c *engine.Call) error {
		containers := c.In.Blocks("template.containers[*]")
		if len(containers) == 0 && !c.In.Unknown("template") {
			return engine.Invalid("template", "ContainerAppContainersMissing: there is no container")
		}
		for _, one := range containers {
			if !one.Has("image") || !one.Has("name") {
				return engine.Invalid("template.containers", "a container has an image and a name")
			}
		}
		return nil
	},
}

// sizes returns the processors and the memory in GiB of all containers together.
func sizes(c *engine.Call) (cpu, gib float64) {
	for _, l := range c.In.Leaves("template.containers[*].resources.cpu") {
		if l.Value.IsNumber() {
			cpu += l.Value.NumberValue()
		}
	}
	for _, text := range c.In.Strs("template.containers[*].resources.memory") {
		n, _ := strconv.ParseFloat(strings.TrimSuffix(text, "Gi"), 64)
		gib += n
	}
	return cpu, gib
}

var replicaSizes = engine.Rule{
	Name: "replica-sizes", Says: "a replica is within its profile, and on Consumption has 2 GiB for each processor, in quarters", Source: diskScale,
	Judge: func(c *engine.Call) error {
		name := c.In.Str("workloadProfileName")
		profile, ok := catalog.LookupWorkloadProfile(name)
		cpu, gib := sizes(c)
		switch {
		case !ok:
			return nil // whether the environment has it is judged there
		case cpu > profile.CPU || gib > float64(profile.MemoryMiB)/1024:
			return engine.Invalid("template.containers", "ContainerAppInvalidResourceTotal: %g processors and %g GiB are more than %s has, %g and %d", cpu, gib, name, profile.CPU, profile.MemoryMiB>>10)
		case name == "Consumption" && (math.Mod(cpu*4, 1) != 0 || gib != 2*cpu):
			return engine.Invalid("template.containers", "ContainerAppInvalidResourceTotal: total resource requirements, %g processors and %g GiB, are none of the combinations of Consumption", cpu, gib)
		}
		return nil
	},
}

var secretsNamed = engine.Rule{
	Name: "secrets-named", Says: "a variable's secret is among the secrets", Source: appsAPI,
	Judge: func(c *engine.Call) error {
		have := c.In.Strs("configuration.secrets[*].name")
		for _, ref := range c.In.Strs("template.containers[*].env[*].secretRef") {
			if !slices.Contains(have, ref) {
				return engine.Invalid("template.containers", "ContainerAppSecretRefNotFound: SecretRef '%s' is not among the secrets %v", ref, have)
			}
		}
		return nil
	},
}

var registryIdentity = engine.Rule{
	Name: "registry-identity", Says: "the identity that pulls, or that a scale rule looks with, is one of the app's own", Source: appsAPI,
	Judge: func(c *engine.Call) error {
		own := c.In.Strs("identity.userAssignedIdentities[*]")
		if c.In.Unknown("identity") {
			return nil
		}
		used := append(c.In.Strs("configuration.registries[*].identity"), c.In.Strs("configuration.eventTriggerConfig.scale.rules[*].identity")...)
		for _, i := range used {
			if !slices.Contains(own, i) {
				return engine.Invalid("configuration", "the identity %s is not assigned to the app", i)
			}
		}
		return nil
	},
}

func profileOfEnvironment(path string) engine.Rule {
	return engine.Rule{
		Name: "profile-of-environment", Says: "the environment has the workload profile", Source: appsAPI + "; pulumi/pulumi-azure-native issue 2667",
		Judge: func(c *engine.Call) error {
			env, _ := c.Resolve(path)
			have := env.In.Strs("workloadProfiles[*].name")
			if name := c.In.Str("workloadProfileName"); name != "" && !slices.Contains(have, name) {
				return engine.Refuse("InvalidWorkloadProfileName", "Invalid workload profile name: '%s'. The environment has %v", name, have)
			}
			return nil
		},
	}
}

func volumesOfEnvironment(path string) engine.Rule {
	return engine.Rule{
		Name: "volumes-of-environment", Says: "the environment has the storage that a volume names", Source: "Azure Container Apps, \"Use storage mounts in Azure Container Apps\"",
		Judge: func(c *engine.Call) error {
			env, _ := c.Resolve(path)
			for _, name := range c.In.Strs("template.volumes[*].storageName") {
				if _, ok := c.Get(storageToken, env.ID+"/storages/"+name); !ok {
					return engine.Refuse("ManagedEnvironmentStorageNotFound", "The storage '%s' is not registered in the environment", name)
				}
			}
			return nil
		},
	}
}

var mayPull = engine.Rule{
	Name: "may-pull", Says: "the identity that pulls from an Azure registry has the role AcrPull", Source: "Azure Container Apps, \"Azure Container Apps image pull from Azure Container Registry with managed identity\"",
	Judge: func(c *engine.Call) error {
		for _, r := range c.In.Blocks("configuration.registries[*]") {
			one, ok := c.Get(identityToken, r.Str("identity"))
			if !ok || !strings.HasSuffix(r.Str("server"), ".azurecr.io") {
				continue
			}
			may := slices.ContainsFunc(c.All(assignmentToken), func(a engine.Item) bool {
				return a.In.Str("principalId") == one.Out.Str("principalId") && roleOf(a.In) == acrPull
			})
			if !may {
				return engine.Refuse("InvalidParameterValueInContainerTemplate", "Unable to pull from %s: UNAUTHORIZED. The identity %s has no AcrPull", r.Str("server"), one.Out.Str("name"))
			}
		}
		return nil
	},
}

var probesWithin = engine.Rule{
	Name: "probes-within", Says: "probes have delays of 1 to 60 seconds, periods and timeouts of 1 to 240, and 1 to 10 failures", Source: appsAPI,
	Judge: func(c *engine.Call) error {
		var errs []error
		for field, most := range map[string]int{"initialDelaySeconds": 60, "periodSeconds": 240, "timeoutSeconds": 240, "failureThreshold": 10} {
			for _, p := range c.In.Blocks("template.containers[*].probes[*]") {
				if n, ok := p.Int(field); ok && (n < 1 || n > most) {
					errs = append(errs, engine.Invalid("template.containers", "ContainerAppProbeInvalid: %s is %d, wanted 1 to %d", field, n, most))
				}
			}
		}
		return errors.Join(errs...)
	},
}

var replicasOrder = engine.Rule{
	Name: "replicas-order", Says: fmt.Sprintf("the fewest replicas are no more than the most, 1 to %d", maxScale), Source: appsAPI,
	Judge: func(c *engine.Call) error {
		low, _ := c.In.Int("template.scale.minReplicas")
		high, ok := c.In.Int("template.scale.maxReplicas")
		if ok && (low < 0 || low > high || high < 1 || high > maxScale) {
			return engine.Invalid("template.scale", "ContainerAppScaleInvalid: %d to %d replicas", low, high)
		}
		return nil
	},
}

var oneTrigger = engine.Rule{
	Name: "one-trigger", Says: "a job has the configuration of its trigger and of no other, and a schedule five fields", Source: "Azure Container Apps, \"Jobs in Azure Container Apps\"",
	Judge: func(c *engine.Call) error {
		configs := map[string]string{"Event": "eventTriggerConfig", "Manual": "manualTriggerConfig", "Schedule": "scheduleTriggerConfig"}
		kind := c.In.Str("configuration.triggerType")
		if configs[kind] == "" {
			return engine.Invalid("configuration.triggerType", "got %q, wanted Event, Manual or Schedule", kind)
		}
		for trigger, config := range configs {
			if c.In.Has("configuration."+config) != (trigger == kind) {
				return engine.Invalid("configuration."+config, "a job of trigger %s has %s and no other", kind, configs[kind])
			}
		}
		if cron := c.In.Str("configuration.scheduleTriggerConfig.cronExpression"); kind == "Schedule" && len(strings.Fields(cron)) != 5 {
			return engine.Invalid("configuration.scheduleTriggerConfig.cronExpression", "got %q, wanted five fields", cron)
		}
		return nil
	},
}

var runsWithin = engine.Rule{
	Name: "runs-within", Says: "a run has a timeout, replicas that work on it, and no more that must succeed", Source: appsAPI,
	Judge: func(c *engine.Call) error {
		if n, ok := c.In.Int("configuration.replicaTimeout"); ok && n < 1 {
			return engine.Invalid("configuration.replicaTimeout", "got %d seconds", n)
		}
		for _, config := range []string{"eventTriggerConfig", "manualTriggerConfig", "scheduleTriggerConfig"} {
			parallel, ok := c.In.Int("configuration." + config + ".parallelism")
			done, _ := c.In.Int("configuration." + config + ".replicaCompletionCount")
			if ok && (parallel < 1 || done > parallel) {
				return engine.Invalid("configuration."+config, "got a parallelism of %d and %d completions", parallel, done)
			}
		}
		return nil
	},
}
