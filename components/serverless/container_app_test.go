package serverless_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/components/serverless"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// onQueue is a job with a GPU that messages start.
func onQueue() *serverless.ContainerAppArgs {
	return &serverless.ContainerAppArgs{
		Location: "swedencentral", Image: "registry.example.com/yolo:8.3.1", WorkloadProfile: "Consumption-GPU-NC24-A100",
		MaxReplicas: 8, Trigger: serverless.TriggerQueue, QueueLength: 5, Timeout: 86400, Retry: 1, Parallelism: 1, Completions: 1, Logs: "azure_monitor",
	}
}

// onRequest is an app with everything.
func onRequest() *serverless.ContainerAppArgs {
	return &serverless.ContainerAppArgs{
		Location: "West US 3", ResourceGroup: "existing", Image: "acme.azurecr.io/yolo:8.3.1",
		RegistryID:      "/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerRegistry/registries/acme",
		WorkloadProfile: "NC24-A100", MinNodes: 0, MaxNodes: 2, CPU: 12, Memory: 100 << 10, MaxReplicas: 4, Trigger: serverless.TriggerHTTP,
		Port: 8000, External: true, Concurrency: 2, Command: []string{"serve"}, Logs: "log_analytics",
		Probes: []serverless.Probe{{Kind: "startup", Path: "/health", Port: 8000, InitialDelay: 10, Period: 30, Timeout: 5, Failures: 10}},
		Volumes: []serverless.Volume{
			{Name: "scratch", Path: "/scratch", Kind: "empty"},
			{Name: "models", Path: "/models", Kind: "azure_file", AccountID: "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/models", Share: "weights", ReadOnly: true},
			{Name: "data", Path: "/data", Kind: "nfs", Server: "data.file.core.windows.net", Share: "/data/all"},
		},
		SubnetID:    "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/apps",
		Environment: map[string]string{"LEVEL": "info"}, Secrets: map[string]string{"HF_TOKEN": "https://acme.vault.azure.net/secrets/hf"},
		KeyVaultID: "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/acme", Tags: map[string]string{"team": "ml"},
	}
}

// onClock is a job that a clock starts, on processors alone and without logs.
func onClock() *serverless.ContainerAppArgs {
	return &serverless.ContainerAppArgs{
		Location: "westeurope", Image: "registry.example.com/sweep:1", WorkloadProfile: "Consumption", CPU: 1, Memory: 2048,
		MaxReplicas: 1, Trigger: serverless.TriggerSchedule, Cron: "0 3 * * *", Timeout: 600, Parallelism: 2, Completions: 1, Logs: "none",
	}
}

func runApp(t *testing.T, args *serverless.ContainerAppArgs) *pulumitest.Graph {
	t.Helper()
	return pulumitest.Run(t, func(ctx *pulumi.Context) error {
		_, err := serverless.NewContainerApp(ctx, "burst-yolo", args)
		return err
	}, world())
}

func TestContainerAppGraphs(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]*serverless.ContainerAppArgs{"queue": onQueue(), "request": onRequest(), "clock": onClock()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pulumitest.Golden(t, runApp(t, args).String(), "testdata/container-app-"+name+".golden")
		})
	}
}

// With the identity that comes with an app, the first pull fails: the rights are there before the app is.
func TestAppWaitsForItsRights(t *testing.T) {
	t.Parallel()
	app := runApp(t, onRequest()).Get(t, "azure-native:app/v20250101:ContainerApp", "burst-yolo")
	for _, right := range []string{"pull", "secrets"} {
		if want := "azure-native:authorization:RoleAssignment burst-yolo-" + right; !slices.Contains(app.Dependencies, want) {
			t.Errorf("it does not wait for %s: %v", want, app.Dependencies)
		}
	}
}

// azurerm 31763: Azure refuses counts on a serverless profile, and wants them on others.
func TestOnlyNodesAreCounted(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]*serverless.ContainerAppArgs{"Consumption-GPU-NC24-A100": onQueue(), "NC24-A100": onRequest()} {
		env := runApp(t, args).Get(t, "azure-native:app/v20250101:ManagedEnvironment", "burst-yolo")
		for _, p := range env.Inputs["workloadProfiles"].ArrayValue() {
			profile := p.ObjectValue()
			counted := profile.HasValue("minimumCount") && profile.HasValue("maximumCount")
			if want := profile["name"].StringValue() == "NC24-A100"; counted != want {
				t.Errorf("%s: %v is counted: %v", name, profile["name"], counted)
			}
		}
	}
}

func TestKeysAreSecret(t *testing.T) {
	t.Parallel()
	graph := runApp(t, onRequest())
	env := graph.Get(t, "azure-native:app/v20250101:ManagedEnvironment", "burst-yolo").Inputs["appLogsConfiguration"]
	files := graph.Get(t, "azure-native:app/v20250101:ManagedEnvironmentsStorage", "burst-yolo-models").Inputs["properties"]
	for name, v := range map[string]resource.PropertyValue{"the key of the workspace": env, "the key of the account": files} {
		if !v.ContainsSecrets() {
			t.Errorf("%s is not secret: %v", name, v)
		}
	}
}

func TestWrongContainerAppsAreRefused(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*serverless.ContainerAppArgs){
		"Azure has no \"consumption\"":                  func(a *serverless.ContainerAppArgs) { a.WorkloadProfile = "consumption" },
		"location: Azure has Consumption-GPU-NC24-A100": func(a *serverless.ContainerAppArgs) { a.Location = "westeurope" },
		"has no nodes to count":                         func(a *serverless.ContainerAppArgs) { a.MinNodes = 1 },
		"consists of nodes: 0 to 0 are none":            func(a *serverless.ContainerAppArgs) { a.WorkloadProfile = "D4" },
		"at most 24 processors":                         func(a *serverless.ContainerAppArgs) { a.CPU = 30 },
		"0.3 processors go with":                        func(a *serverless.ContainerAppArgs) { a.WorkloadProfile, a.CPU, a.Memory = "Consumption", 0.3, 512 },
		"registryId: acme.azurecr.io asks who pulls":    func(a *serverless.ContainerAppArgs) { a.Image = "acme.azurecr.io/yolo:1" },
		"maxReplicas: 3 to 2 replicas":                  func(a *serverless.ContainerAppArgs) { a.MinReplicas, a.MaxReplicas = 3, 2 },
		"logs: \"syslog\" is unknown":                   func(a *serverless.ContainerAppArgs) { a.Logs = "syslog" },
		"keyVaultId: TOKEN are in a vault":              func(a *serverless.ContainerAppArgs) { a.Secrets = map[string]string{"TOKEN": "https://v"} },
		"queueLength: 0 messages":                       func(a *serverless.ContainerAppArgs) { a.QueueLength = 0 },
		"cron: \"\" has no five fields":                 func(a *serverless.ContainerAppArgs) { a.Trigger = "schedule" },
		"trigger: \"mail\" is unknown":                  func(a *serverless.ContainerAppArgs) { a.Trigger = "mail" },
		"port: 0 is no port":                            func(a *serverless.ContainerAppArgs) { a.Trigger = "http" },
		"timeout: a job states how long":                func(a *serverless.ContainerAppArgs) { a.Timeout = 0 },
		"parallelism: 1 replicas of which 2":            func(a *serverless.ContainerAppArgs) { a.Completions = 2 },
		"probes: a job is judged":                       func(a *serverless.ContainerAppArgs) { a.Probes = onRequest().Probes },
		"NFS needs a server":                            func(a *serverless.ContainerAppArgs) { a.Volumes = onRequest().Volumes },
		"log_analytics sends by the key":                func(a *serverless.ContainerAppArgs) { a.Logs, a.WorkspaceID = "log_analytics", "w" },
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			args := onQueue()
			change(args)
			graph, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error {
				_, err := serverless.NewContainerApp(ctx, "burst-yolo", args)
				return err
			}, world())
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v", err)
			}
			if len(graph.Resources) > 0 {
				t.Errorf("something was registered:\n%s", graph)
			}
		})
	}
}
