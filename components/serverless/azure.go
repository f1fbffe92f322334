package serverless

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// AzureVersion is the version of the Azure Native provider whose tokens these are. Without it the engine takes the
// newest that is installed, whose unversioned tokens are other API versions.
const AzureVersion = "2.90.0"

// The tokens of what an app consists of. Those of Container Apps name their API version: what the unversioned ones of
// this provider mean, 2022-10-01, knows no names of workload profiles (pulumi/pulumi-azure-native issue 2667).
const (
	tokenResourceGroup      = "azure-native:resources:ResourceGroup"
	tokenIdentity           = "azure-native:managedidentity:UserAssignedIdentity"
	tokenRoleAssignment     = "azure-native:authorization:RoleAssignment"
	tokenWorkspace          = "azure-native:operationalinsights:Workspace"
	tokenDiagnosticSetting  = "azure-native:insights:DiagnosticSetting"
	tokenStorageAccount     = "azure-native:storage:StorageAccount"
	tokenStorageQueue       = "azure-native:storage:Queue"
	tokenManagedEnvironment = "azure-native:app/v20250101:ManagedEnvironment"
	tokenEnvironmentStorage = "azure-native:app/v20250101:ManagedEnvironmentsStorage"
	tokenContainerApp       = "azure-native:app/v20250101:ContainerApp"
	tokenJob                = "azure-native:app/v20250101:Job"
	tokenSharedKeys         = "azure-native:operationalinsights:getSharedKeys"
	tokenAccountKeys        = "azure-native:storage:listStorageAccountKeys"
)

// The roles that an app's identity gets, by the part of their id that is the same in every subscription.
// Source: Azure RBAC documentation, "Azure built-in roles".
const (
	roleAcrPull      = "7f951dda-4ed3-4680-a7ca-43fe172d538d"
	roleQueueData    = "974c5e8b-45b9-4653-ba55-5f855dd0fb88"
	roleVaultSecrets = "4633458b-17de-408a-b874-0445c86b69e6"
)

// azureResource is a resource that is registered by its token.
type azureResource struct {
	pulumi.CustomResourceState

	Name pulumi.StringOutput `pulumi:"name"`
}

// azureIdentity is an identity, with what names it in role assignments and to the SDKs that use it.
type azureIdentity struct {
	pulumi.CustomResourceState

	PrincipalID pulumi.StringOutput `pulumi:"principalId"`
	ClientID    pulumi.StringOutput `pulumi:"clientId"`
}

// azureWorkspace is a Log Analytics workspace.
type azureWorkspace struct {
	pulumi.CustomResourceState

	Name       pulumi.StringOutput `pulumi:"name"`
	CustomerID pulumi.StringOutput `pulumi:"customerId"`
}

// register registers a resource of Azure.
func (b *appBuilder) register(token, name string, in pulumi.Map, into pulumi.CustomResource, more ...pulumi.ResourceOption) error {
	opts := append(append([]pulumi.ResourceOption{}, b.opts...), pulumi.Version(AzureVersion))
	return b.ctx.RegisterResource(token, name, in, into, append(opts, more...)...)
}

// role gives the app's identity a role on something.
func (b *appBuilder) role(suffix, roleID string, scope pulumi.StringInput) error {
	name := b.name + "-" + suffix
	var made azureResource
	err := b.register(tokenRoleAssignment, name, pulumi.Map{
		"roleAssignmentName": pulumi.String(uuid(strings.Join([]string{b.ctx.Organization(), b.ctx.Project(), b.ctx.Stack(), name}, "/"))),
		"scope":              scope,
		"roleDefinitionId":   pulumi.String("/providers/Microsoft.Authorization/roleDefinitions/" + roleID),
		"principalId":        b.identity.PrincipalID,
		// Said outright, since a new identity is not found everywhere at once.
		"principalType": pulumi.String("ServicePrincipal"),
	}, &made)
	if err != nil {
		return err
	}
	b.rights = append(b.rights, &made)
	return nil
}

// uuid makes an identifier of a text, always the same.
func uuid(text string) string {
	sum := sha256.Sum256([]byte(text))
	h := hex.EncodeToString(sum[:16])
	return h[:8] + "-" + h[8:12] + "-5" + h[13:16] + "-8" + h[17:20] + "-" + h[20:32]
}

// azureName shortens a name to what a service takes: the beginning, and a few digits that keep it apart from others.
func azureName(name string, most int) string {
	if len(name) <= most {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return strings.TrimRight(name[:most-7], "-") + "-" + hex.EncodeToString(sum[:3])
}

var notAlphanumeric = regexp.MustCompile(`[^a-z0-9]`)

// accountName makes a name for a storage account, which nobody else in the world may have.
// Source: Azure Storage documentation, "Storage account name" (3 to 24 lower-case letters and digits).
func accountName(org, project, stack, name string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{org, project, stack, name}, "/")))
	plain := notAlphanumeric.ReplaceAllString(name, "")
	return plain[:min(len(plain), 12)] + hex.EncodeToString(sum[:6])
}
