package serverless

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/components/internal/argument"
)

// The bounds of probes. Source: Azure Container Apps API 2025-01-01, ContainerAppProbe.
const (
	mostDelay    = 60
	mostPeriod   = 240
	mostFailures = 10
)

var (
	appName  = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)
	volumeID = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
)

// checkContainerApp reports everything that Azure would refuse.
// Source: see catalog.WorkloadProfile, and Azure Container Apps, "Containers", "Jobs", "Use storage mounts".
func checkContainerApp(name string, a *ContainerAppArgs) error {
	c := argument.For(TypeContainerApp, name)
	if a == nil {
		c.Failf("args", "they are not given")
		return c.Err()
	}
	if !appName.MatchString(name) {
		c.Failf("name", "%q is no name of an app: lower-case letters, digits and dashes", name)
	}
	profile, known := catalog.LookupWorkloadProfile(a.WorkloadProfile)
	switch {
	case !known:
		c.Failf("workloadProfile", "Azure has no %q; names are case-sensitive", a.WorkloadProfile)
	case !profile.OfferedIn(a.Location):
		c.Failf("location", "Azure has %s in %s, and not in %s", profile.Name, strings.Join(profile.Regions, ", "), a.Location)
	default:
		checkReplica(c, a, profile)
	}
	if a.Image == "" || a.Location == "" {
		c.Failf("image", "an image and a location are needed")
	}
	if host, _, _ := strings.Cut(a.Image, "/"); strings.HasSuffix(host, ".azurecr.io") && a.RegistryID == "" {
		c.Failf("registryId", "%s asks who pulls: give its resource id, so that the app's identity gets the right", host)
	}
	if a.MaxReplicas < 1 || a.MinReplicas < 0 || a.MinReplicas > a.MaxReplicas {
		c.Failf("maxReplicas", "%d to %d replicas are no bounds: the first is at least 0, the second at least 1 and the first", a.MinReplicas, a.MaxReplicas)
	}
	if !slices.Contains([]string{"azure_monitor", "log_analytics", "none"}, a.Logs) {
		c.Failf("logs", "%q is unknown: it may be azure_monitor, log_analytics or none", a.Logs)
	}
	if a.Logs == "log_analytics" && a.WorkspaceID != "" {
		c.Failf("workspaceId", "log_analytics sends by the key of a workspace that is made here: to an existing one, azure_monitor sends")
	}
	if len(a.Secrets) > 0 && a.KeyVaultID == "" {
		c.Failf("keyVaultId", "%s are in a vault: give its resource id, so that the app's identity may read them", strings.Join(slices.Sorted(maps.Keys(a.Secrets)), ", "))
	}
	checkTrigger(c, a)
	checkProbes(c, a)
	checkVolumes(c, a)
	return c.Err()
}

func checkReplica(c *argument.Checker, a *ContainerAppArgs, profile catalog.WorkloadProfile) {
	counts := a.MinNodes != 0 || a.MaxNodes != 0
	if profile.Serverless && counts {
		c.Failf("maxNodes", "%s has no nodes to count", profile.Name)
	}
	if !profile.Serverless && (a.MaxNodes < 1 || a.MinNodes > a.MaxNodes) {
		c.Failf("maxNodes", "%s consists of nodes: %d to %d are none", profile.Name, a.MinNodes, a.MaxNodes)
	}
	if a.CPU > profile.CPU || a.Memory > profile.MemoryMiB {
		c.Failf("cpu", "a replica of %s has at most %g processors and %d MiB", profile.Name, profile.CPU, profile.MemoryMiB)
	}
	if profile.Name == "Consumption" && (a.CPU != 0 || a.Memory != 0) && (math.Mod(a.CPU*4, 1) != 0 || float64(a.Memory) != a.CPU*2048) {
		c.Failf("memory", "on Consumption, %g processors go with %g MiB, in steps of a quarter", a.CPU, a.CPU*2048)
	}
}

func checkTrigger(c *argument.Checker, a *ContainerAppArgs) {
	switch a.Trigger {
	case TriggerHTTP:
		if a.Port < 1 || a.Port > 65535 {
			c.Failf("port", "%d is no port that an app listens on", a.Port)
		}
		return
	case TriggerQueue:
		if a.QueueLength < 1 {
			c.Failf("queueLength", "%d messages start no replica", a.QueueLength)
		}
	case TriggerSchedule:
		if len(strings.Fields(a.Cron)) != 5 {
			c.Failf("cron", "%q has no five fields", a.Cron)
		}
	case TriggerManual:
	default:
		c.Failf("trigger", "%q is unknown: it may be http, queue, schedule or manual", a.Trigger)
	}
	if a.Timeout < 1 {
		c.Failf("timeout", "a job states how long it may run: %d is no time", a.Timeout)
	}
	if a.Parallelism < 1 || a.Completions < 1 || a.Completions > a.Parallelism || a.Retry < 0 {
		c.Failf("parallelism", "%d replicas of which %d must succeed, tried again %d times: the first two are at least 1, and the second no more than the first",
			a.Parallelism, a.Completions, a.Retry)
	}
	if len(a.Probes) > 0 {
		c.Failf("probes", "a job is judged by its exit code and timeout")
	}
}

func checkProbes(c *argument.Checker, a *ContainerAppArgs) {
	for _, p := range a.Probes {
		within := func(n, most int) bool { return n >= 1 && n <= most }
		if !slices.Contains([]string{"startup", "liveness", "readiness"}, p.Kind) || !within(p.Port, 65535) {
			c.Failf("probes", "%q at port %d: a probe is of startup, liveness or readiness and asks a port", p.Kind, p.Port)
		}
		if !within(p.InitialDelay, mostDelay) || !within(p.Period, mostPeriod) || !within(p.Timeout, mostPeriod) || !within(p.Failures, mostFailures) {
			c.Failf("probes", "%s: the delay lies within 1 and %d seconds, period and timeout within 1 and %d, failures within 1 and %d", p.Kind, mostDelay, mostPeriod, mostFailures)
		}
	}
}

func checkVolumes(c *argument.Checker, a *ContainerAppArgs) {
	for _, v := range a.Volumes {
		if !volumeID.MatchString(v.Name) || !strings.HasPrefix(v.Path, "/") {
			c.Failf("volumes", "%q at %q: a name is made of lower-case letters, digits and dashes, a path is absolute", v.Name, v.Path)
		}
		switch v.Kind {
		case "empty":
		case "azure_file":
			if _, _, ok := accountOf(v.AccountID); !ok || v.Share == "" {
				c.Failf("volumes", "%s: a share of Azure Files is named by the account's resource id and its own name", v.Name)
			}
		case "nfs":
			if v.Server == "" || v.Share == "" || a.SubnetID == "" {
				c.Failf("volumes", "%s: NFS needs a server, a share, and a subnet of one's own to stand in", v.Name)
			}
		default:
			c.Failf("volumes", "%s: %q is unknown: it may be empty, azure_file or nfs", v.Name, v.Kind)
		}
	}
}

var storageAccountID = regexp.MustCompile(`(?i)^/subscriptions/[^/]+/resourceGroups/([^/]+)/providers/Microsoft\.Storage/storageAccounts/([a-z0-9]{3,24})$`)

// accountOf returns the resource group and the name in a storage account's resource id.
func accountOf(id string) (group, name string, ok bool) {
	m := storageAccountID.FindStringSubmatch(id)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}
