package stacks

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/components/serverless"
)

// azureSettings are the settings of the Azure Native provider.
// Source: github.com/pulumi/pulumi-azure-native-sdk/v2, ProviderArgs.
func azureSettings() []string {
	return []string{
		"auxiliaryTenantIds", "clientCertificatePassword", "clientCertificatePath", "clientId", "clientSecret", "disablePulumiPartnerId",
		"environment", "location", "metadataHost", "msiEndpoint", "oidcRequestToken", "oidcRequestUrl", "oidcToken", "partnerId",
		"subscriptionId", "tenantId", "useMsi", "useOidc",
	}
}

// newAzureProvider registers the Azure Native provider. Every setting of the `azure-native:` configuration namespace
// (subscription, tenant, location, …) is passed through as it is, which an explicit provider does not do by itself.
func newAzureProvider(ctx *pulumi.Context) (pulumi.ProviderResource, error) {
	inputs := pulumi.Map{}
	for _, name := range azureSettings() {
		key := "azure-native:" + name
		value, ok := ctx.GetConfig(key)
		switch {
		case !ok:
		case ctx.IsConfigSecret(key):
			inputs[name] = pulumi.ToSecret(pulumi.String(value)).(pulumi.Input)
		default:
			inputs[name] = pulumi.String(value)
		}
	}
	var provider pulumi.ProviderResourceState
	err := ctx.RegisterResource("pulumi:providers:azure-native", "azure", inputs, &provider, pulumi.Version(serverless.AzureVersion))
	if err != nil {
		return nil, fmt.Errorf("registering the Azure provider: %w", err)
	}
	return &provider, nil
}
