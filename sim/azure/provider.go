package azure

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	sdk "github.com/pulumi/pulumi-azure-native-sdk/v2"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// Subscription is the subscription that every embedded cloud is, unless the configuration names another.
const Subscription = "00000000-0000-4000-8000-000000000000"

// Provider returns the azure-native provider.
func Provider() *engine.Provider {
	return &engine.Provider{
		Name: "azure-native",
		Version: engine.SDKVersion(func(ctx *pulumi.Context) error {
			_, err := sdk.NewProvider(ctx, "version", &sdk.ProviderArgs{})
			return err
		}),
		Config:    sdk.ProviderArgs{},
		Notice:    "gpuyard embedded cloud: a simulation of an Azure subscription; nothing real is made or paid for",
		Instance:  func(cfg engine.Props) string { return cfg.Str("subscriptionId") },
		Replace:   []string{"subscriptionId"},
		Throttled: func(string) string { return `Code="TooManyRequests" Message="The request is being throttled." (429)` },
		Resources: []*engine.Resource{
			resourceGroup(),
			userAssignedIdentity(),
			roleAssignment(),
			workspace(),
			storageAccount(),
			storageQueue(),
			managedEnvironment(),
			environmentStorage(),
			diagnosticSetting(),
			containerApp(),
			job(),
		},
		Functions: []*engine.Function{
			getSharedKeys(),
			listStorageAccountKeys(),
		},
	}
}

// subscriptionID returns the prefix of every resource id.
func subscriptionID(c *engine.Call) string {
	sub := c.Config.Str("subscriptionId")
	if sub == "" {
		sub = Subscription
	}
	return "/subscriptions/" + sub
}

// id returns the resource id of something in a resource group.
func id(c *engine.Call, kind, name string) string {
	return fmt.Sprintf("%s/resourceGroups/%s/providers/%s/%s", subscriptionID(c), c.In.Str("resourceGroupName"), kind, name)
}

// guid returns an identifier that a directory or a service makes up.
func guid(c *engine.Call, purpose string) string {
	sum := sha256.Sum256([]byte(purpose + string(c.URN)))
	h := hex.EncodeToString(sum[:])
	return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-8" + h[17:20] + "-" + h[20:32]
}

// made are the outputs that every resource of Azure has.
func made(name, kind string, more engine.Outputs) engine.Outputs {
	out := engine.Outputs{"name": name, "type": kind}
	for k, v := range more {
		out[k] = v
	}
	return out
}

var byID = []string{"id"}

// inGroup is the reference to a resource group by its name.
func inGroup() engine.Ref {
	return engine.Ref{Path: "resourceGroupName", To: groupToken, By: []string{"name"}, Code: "ResourceGroupNotFound"}
}
