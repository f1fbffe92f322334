package azure_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/sim/azure"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

type m = simtest.M

const (
	group, identity, assignment = "azure-native:resources:ResourceGroup", "azure-native:managedidentity:UserAssignedIdentity", "azure-native:authorization:RoleAssignment"
	workspace, diagnostic       = "azure-native:operationalinsights:Workspace", "azure-native:insights:DiagnosticSetting"
	account, queue              = "azure-native:storage:StorageAccount", "azure-native:storage:Queue"
	environment, storage        = "azure-native:app/v20250101:ManagedEnvironment", "azure-native:app/v20250101:ManagedEnvironmentsStorage"
	app, job                    = "azure-native:app/v20250101:ContainerApp", "azure-native:app/v20250101:Job"
	a100                        = "Consumption-GPU-NC24-A100"
	pullRole                    = "/providers/Microsoft.Authorization/roleDefinitions/7f951dda-4ed3-4680-a7ca-43fe172d538d"
)

func profile(kind string, more m) m {
	return simtest.With(m{"name": kind, "workloadProfileType": kind}, more)
}

func container(cpu float64, memory string, more m) m {
	return simtest.With(m{"name": "yolo", "image": "registry.example.com/yolo:1", "resources": m{"cpu": cpu, "memory": memory}}, more)
}

// one is something that the standard subscription has, and how it may be changed.
type one struct {
	name, token string
	in          m
	update      m // nil: it cannot be changed
}

// standard is one of everything, in an order in which it can be made.
func standard() []one {
	in := func(more m) m {
		return simtest.With(m{"resourceGroupName": "${group.name}", "location": "swedencentral"}, more)
	}
	own := m{"type": "UserAssigned", "userAssignedIdentities": []any{"${identity}"}}
	return []one{
		{"group", group, m{"resourceGroupName": "burst", "location": "swedencentral"}, m{"tags": m{"team": "ml"}}},
		{"identity", identity, in(m{"resourceName": "burst"}), m{"tags": m{"team": "ml"}}},
		{"idle", identity, in(m{"resourceName": "idle"}), m{"tags": m{"team": "ml"}}},
		{"pull", assignment, m{"roleAssignmentName": "11111111-2222-4333-8444-555555555555", "principalId": "${identity.principalId}", "principalType": "ServicePrincipal",
			"roleDefinitionId": pullRole, "scope": "/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerRegistry/registries/acme"}, nil},
		{"workspace", workspace, in(m{"workspaceName": "burst", "sku": m{"name": "PerGB2018"}, "retentionInDays": 30}), m{"retentionInDays": 60}},
		{"account", account, in(m{"accountName": "burst", "kind": "StorageV2", "sku": m{"name": "Standard_LRS"}}), m{"allowSharedKeyAccess": false}},
		{"queue", queue, m{"resourceGroupName": "${group.name}", "accountName": "${account.name}", "queueName": "burst-jobs"}, m{"metadata": m{"team": "ml"}}},
		{"environment", environment, in(m{"environmentName": "burst", "workloadProfiles": []any{profile("Consumption", nil), profile(a100, nil)},
			"appLogsConfiguration": m{"destination": "azure-monitor"}}), m{"tags": m{"team": "ml"}}},
		{"files", storage, m{"resourceGroupName": "${group.name}", "environmentName": "${environment.name}", "storageName": "models",
			"properties": m{"azureFile": m{"accountName": "models", "accountKey": "k", "shareName": "weights", "accessMode": "ReadOnly"}}},
			m{"properties": m{"azureFile": m{"accountName": "models", "accountKey": "k2", "shareName": "weights", "accessMode": "ReadOnly"}}}},
		{"logs", diagnostic, m{"name": "logs", "resourceUri": "${environment}", "workspaceId": "${workspace}", "logs": []any{m{"categoryGroup": "allLogs", "enabled": true}}},
			m{"logs": []any{m{"categoryGroup": "audit", "enabled": true}}}},
		{"app", app, in(m{"containerAppName": "yolo", "managedEnvironmentId": "${environment}", "workloadProfileName": a100, "identity": own,
			"configuration": m{"registries": []any{m{"server": "acme.azurecr.io", "identity": "${identity}"}}, "secrets": []any{m{"name": "token", "keyVaultUrl": "https://v", "identity": "${identity}"}}},
			"template": m{"containers": []any{container(24, "220Gi", m{"env": []any{m{"name": "TOKEN", "secretRef": "token"}}, "probes": []any{m{"type": "Startup", "periodSeconds": 30}}})},
				"volumes": []any{m{"name": "models", "storageName": "models", "storageType": "AzureFile"}}, "scale": m{"minReplicas": 0, "maxReplicas": 3}}}),
			m{"template": m{"containers": []any{container(24, "220Gi", nil)}, "scale": m{"minReplicas": 1, "maxReplicas": 3}}}},
		{"job", job, in(m{"jobName": "tune", "environmentId": "${environment}", "workloadProfileName": "Consumption", "identity": own,
			"configuration": m{"triggerType": "Event", "replicaTimeout": 600, "replicaRetryLimit": 1, "eventTriggerConfig": m{"parallelism": 1, "replicaCompletionCount": 1,
				"scale": m{"rules": []any{m{"name": "q", "type": "azure-queue", "identity": "${identity}"}}}}},
			"template": m{"containers": []any{container(1, "2Gi", nil)}}}),
			m{"configuration": m{"triggerType": "Manual", "replicaTimeout": 900, "manualTriggerConfig": m{"parallelism": 2, "replicaCompletionCount": 2}}}},
	}
}

func inputs(name string) m {
	all := standard()
	return all[slices.IndexFunc(all, func(o one) bool { return o.name == name })].in
}

// world makes the standard subscription.
func world(t *testing.T) *simtest.World {
	t.Helper()
	w := simtest.New(t, t.TempDir())
	if err := w.Configure("azure-native", "azure", m{"subscriptionId": azure.Subscription}); err != nil {
		t.Fatal(err)
	}
	for _, o := range standard() {
		if _, err := w.Create(o.name, o.token, o.in); err != nil {
			t.Fatalf("making %s: %v", o.name, err)
		}
	}
	return w
}

// TestLives reads everything back, changes it, and takes it away in the other order.
func TestLives(t *testing.T) {
	t.Parallel()
	w := world(t)
	for _, o := range standard() {
		made := w.Made[o.name]
		if now := w.Read(o.token, o.name, made.ID); now.ID != made.ID || !now.Outputs.DeepEquals(made.Outputs) {
			t.Errorf("%s: reading gave %v, the engine has %v", o.name, now, made)
		}
		if !strings.HasPrefix(made.ID, "/subscriptions/") {
			t.Errorf("%s has the id %s", o.name, made.ID)
		}
		if o.update == nil {
			continue
		}
		changed, err := w.Update(made, simtest.With(o.in, o.update))
		if err != nil {
			t.Errorf("changing %s: %v", o.name, err)
			continue
		}
		w.Made[o.name] = changed
	}
	all := standard()
	slices.Reverse(all)
	for _, o := range all {
		if err := w.Delete(w.Made[o.name]); err != nil {
			t.Errorf("deleting %s: %v", o.name, err)
		}
	}
	for _, r := range w.Cloud.Resources() {
		if r.Provider == "azure-native" {
			t.Errorf("%s is left over", r.ID)
		}
	}
}

// refusal is something that a rule refuses: a change of a resource of the standard subscription, made under another name.
type refusal struct {
	like, rule string
	in         m
	want       string
	update     bool // change the resource itself instead
}

func refusals() []refusal {
	template := func(more m) m { return m{"template": m{"containers": []any{container(1, "2Gi", more)}}} }
	return []refusal{
		{like: "group", rule: "shape-of-resourceGroupName", in: m{"resourceGroupName": "a b"}, want: `got "a b"`},
		{like: "identity", rule: "shape-of-resourceName", in: m{"resourceName": "a"}, want: `got "a"`},
		{like: "pull", rule: "shape-of-roleAssignmentName", in: m{"roleAssignmentName": "pull"}, want: "is a GUID"},
		{like: "pull", rule: "shape-of-roleDefinitionId", in: m{"roleDefinitionId": "AcrPull"}, want: "role definition"},
		{like: "pull", rule: "assigned-once", in: m{"roleAssignmentName": "11111111-2222-4333-8444-666666666666"}, want: "RoleAssignmentExists"},
		{like: "workspace", rule: "shape-of-workspaceName", in: m{"workspaceName": "a"}, want: `got "a"`},
		{like: "workspace", rule: "log-retention", in: m{"workspaceName": "other", "retentionInDays": 7}, want: "wanted 30 to 730"},
		{like: "account", rule: "shape-of-accountName", in: m{"accountName": "Burst-Jobs"}, want: "lower-case letters"},
		{like: "queue", rule: "shape-of-queueName", in: m{"queueName": "a--b"}, want: `got "a--b"`},
		{like: "environment", rule: "shape-of-environmentName", in: m{"environmentName": "-"}, want: `got "-"`},
		{like: "environment", rule: "profiles-known", in: m{"workloadProfiles": []any{profile("consumption", nil)}}, want: "WorkloadProfileTypeInvalid"},
		{like: "environment", rule: "profile-counts", in: m{"workloadProfiles": []any{profile(a100, m{"minimumCount": 1, "maximumCount": 2})}}, want: "not supported for " + a100},
		{like: "environment", rule: "profile-counts", in: m{"workloadProfiles": []any{profile("D4", nil)}}, want: "D4 needs minimumCount"},
		{like: "environment", rule: "profiles-in-region", in: m{"location": "westeurope"}, want: "not available in westeurope"},
		{like: "environment", rule: "logs-somewhere", in: m{"appLogsConfiguration": m{"destination": "log-analytics"}}, want: "LogAnalyticsConfigurationInvalid"},
		{like: "environment", rule: "gpu-at-creation", update: true, in: m{"workloadProfiles": []any{profile(a100, nil), profile("Consumption-GPU-NC8as-T4", nil)}}, want: "cannot be added to the environment"},
		{like: "files", rule: "shape-of-storageName", in: m{"storageName": "my.models"}, want: "no dots"},
		{like: "files", rule: "nfs-in-network", in: m{"storageName": "nfs", "properties": m{"nfsAzureFile": m{"server": "s", "shareName": "/a/b"}}}, want: "custom virtual network"},
		{like: "app", rule: "shape-of-containerAppName", in: m{"containerAppName": "Yolo"}, want: `got "Yolo"`},
		{like: "app", rule: "probes-within", in: template(m{"probes": []any{m{"type": "Startup", "initialDelaySeconds": 90}}}), want: "initialDelaySeconds is 90"},
		{like: "app", rule: "replicas-order", in: m{"template": m{"containers": []any{container(1, "2Gi", nil)}, "scale": m{"minReplicas": 3, "maxReplicas": 2}}}, want: "3 to 2 replicas"},
		{like: "app", rule: "containers-given", in: m{"template": m{"containers": []any{}}}, want: "ContainerAppContainersMissing"},
		{like: "app", rule: "replica-sizes", in: m{"template": m{"containers": []any{container(48, "400Gi", nil)}}}, want: "more than " + a100},
		{like: "app", rule: "secrets-named", in: template(m{"env": []any{m{"name": "T", "secretRef": "none"}}}), want: "SecretRef 'none'"},
		{like: "app", rule: "registry-identity", in: m{"configuration": m{"registries": []any{m{"server": "acme.azurecr.io", "identity": "${idle}"}}}, "template": m{"containers": []any{container(1, "2Gi", nil)}}}, want: "is not assigned to the app"},
		{like: "app", rule: "profile-of-environment", in: m{"containerAppName": "other", "workloadProfileName": "NC48-A100"}, want: "Invalid workload profile name: 'NC48-A100'"},
		{like: "app", rule: "volumes-of-environment", in: m{"containerAppName": "other", "template": m{"containers": []any{container(1, "2Gi", nil)}, "volumes": []any{m{"name": "v", "storageName": "none", "storageType": "AzureFile"}}}}, want: "ManagedEnvironmentStorageNotFound"},
		{like: "app", rule: "may-pull", in: m{"containerAppName": "other", "identity": m{"type": "UserAssigned", "userAssignedIdentities": []any{"${idle}"}},
			"configuration": m{"registries": []any{m{"server": "acme.azurecr.io", "identity": "${idle}"}}}, "template": m{"containers": []any{container(1, "2Gi", nil)}}}, want: "has no AcrPull"},
		{like: "job", rule: "shape-of-jobName", in: m{"jobName": "Tune"}, want: `got "Tune"`},
		{like: "job", rule: "one-trigger", in: m{"configuration": m{"triggerType": "Manual", "replicaTimeout": 600, "eventTriggerConfig": m{"parallelism": 1}}}, want: "a job of trigger Manual"},
		{like: "job", rule: "one-trigger", in: m{"configuration": m{"triggerType": "Schedule", "replicaTimeout": 600, "scheduleTriggerConfig": m{"cronExpression": "daily"}}}, want: "wanted five fields"},
		{like: "job", rule: "runs-within", in: m{"configuration": m{"triggerType": "Manual", "replicaTimeout": 0, "manualTriggerConfig": m{}}}, want: "got 0 seconds"},
		{like: "job", rule: "replica-sizes", in: m{"template": m{"containers": []any{container(1, "3Gi", nil)}}}, want: "none of the combinations"},
		{like: "job", rule: "containers-given", in: m{"template": m{"containers": []any{}}}, want: "there is no container"},
		{like: "job", rule: "secrets-named", in: template(m{"env": []any{m{"name": "T", "secretRef": "none"}}}), want: "SecretRef 'none'"},
		{like: "job", rule: "registry-identity", in: m{"identity": m{"type": "UserAssigned", "userAssignedIdentities": []any{"${idle}"}}}, want: "is not assigned to the app"},
		{like: "job", rule: "profile-of-environment", in: m{"jobName": "other", "workloadProfileName": "D4"}, want: "Invalid workload profile name"},
		{like: "job", rule: "volumes-of-environment", in: m{"jobName": "other", "template": m{"containers": []any{container(1, "2Gi", nil)}, "volumes": []any{m{"name": "v", "storageName": "none"}}}}, want: "not registered"},
		{like: "job", rule: "may-pull", in: m{"jobName": "other", "identity": m{"type": "UserAssigned", "userAssignedIdentities": []any{"${idle}"}},
			"configuration": m{"triggerType": "Manual", "replicaTimeout": 600, "manualTriggerConfig": m{}, "eventTriggerConfig": nil, "registries": []any{m{"server": "acme.azurecr.io", "identity": "${idle}"}}}}, want: "has no AcrPull"},
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	w := world(t)
	for _, r := range refusals() {
		made, in := w.Made[r.like], simtest.With(inputs(r.like), r.in)
		var err error
		if r.update {
			_, err = w.Update(made, in)
		} else {
			_, err = w.Create("refused", made.Token, in)
		}
		if err == nil || !strings.Contains(err.Error(), r.want) {
			t.Errorf("%s, %s: got %v, want %q", r.like, r.rule, err, r.want)
		}
	}
}

func TestEveryRuleRefusesSomething(t *testing.T) {
	t.Parallel()
	tokens, covered := map[string]string{}, map[string]bool{}
	for _, o := range standard() {
		tokens[o.name] = o.token
	}
	for _, r := range refusals() {
		covered[tokens[r.like]+" "+r.rule] = true
	}
	for _, res := range azure.Provider().Resources {
		if !slices.ContainsFunc(standard(), func(o one) bool { return o.token == res.Token }) {
			t.Errorf("the standard subscription has no %s", res.Token)
		}
		for _, rule := range slices.Concat(res.Plan, res.Apply, res.Keep) {
			if !covered[res.Token+" "+rule.Name] {
				t.Errorf("no case shows that %s %s refuses anything", res.Token, rule.Name)
			}
			if rule.Says == "" || rule.Source == "" {
				t.Errorf("%s: rule %s lacks a sentence or a source", res.Token, rule.Name)
			}
		}
	}
}

// TestReferencesAreFollowed makes each resource with each of its references leading nowhere.
func TestReferencesAreFollowed(t *testing.T) {
	t.Parallel()
	w := world(t)
	for _, res := range azure.Provider().Resources {
		for _, ref := range res.Refs {
			i := slices.IndexFunc(standard(), func(o one) bool { return o.token == res.Token })
			in := simtest.SetPath(w.Props(standard()[i].in), ref.Path, "nowhere")
			if _, err := w.CreateUnchecked("dangling", res.Token, in); err == nil || !strings.Contains(err.Error(), ref.Code) {
				t.Errorf("%s with a dangling %s: got %v, want %s", res.Token, ref.Path, err, ref.Code)
			}
		}
	}
}

func TestKeysAreGiven(t *testing.T) {
	t.Parallel()
	w := world(t)
	keys, err := w.Invoke("azure-native:operationalinsights:getSharedKeys", m{"resourceGroupName": "burst", "workspaceName": "burst"})
	if err != nil || engine.Props(keys).Str("primarySharedKey") == "" {
		t.Errorf("got %v, %v", keys, err)
	}
	if _, err := w.Invoke("azure-native:operationalinsights:getSharedKeys", m{"resourceGroupName": "burst", "workspaceName": "none"}); err == nil {
		t.Error("a workspace that is not there has keys")
	}
	files, err := w.Invoke("azure-native:storage:listStorageAccountKeys", m{"resourceGroupName": "g", "accountName": "models"})
	if err != nil || len(engine.Props(files).Strs("keys[*].value")) != 1 {
		t.Errorf("got %v, %v", files, err)
	}
}
