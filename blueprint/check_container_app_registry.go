package blueprint

import (
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

var (
	containerImage = regexp.MustCompile(`^[a-z0-9.-]+(:[0-9]+)?/[a-z0-9._/-]+(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(@sha256:[0-9a-f]{64})?$`)
	registryID     = regexp.MustCompile(`(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\.ContainerRegistry/registries/([a-z0-9]{5,50})$`)
	keyVaultSecret = regexp.MustCompile(`^https://[A-Za-z0-9-]+\.vault\.(azure\.net|azure\.cn|usgovcloudapi\.net)/secrets/[A-Za-z0-9-]+(/[0-9a-f]{32})?$`)
	subnetAzure    = regexp.MustCompile(`(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\.Network/virtualNetworks/[^/]+/subnets/[^/]+$`)
	keyVaultID     = regexp.MustCompile(`(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\.KeyVault/vaults/[^/]+$`)
	workspaceID    = regexp.MustCompile(`(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\.OperationalInsights/workspaces/[^/]+$`)
)

// checkContainerAppRegistry refuses images that would not be pulled, and names of existing things that are none.
//
// Source: Azure Container Apps, "Azure Container Apps image pull from Azure Container Registry with managed identity".
func checkContainerAppRegistry(b *Blueprint, _ known) hcl.Diagnostics {
	return eachContainerApp(b, func(a *ContainerApp) hcl.Diagnostics {
		var diags hcl.Diagnostics
		host, _, _ := strings.Cut(a.Image.Value, "/")
		azure := strings.HasSuffix(host, ".azurecr.io")
		switch {
		case !a.Image.IsSet():
		case !containerImage.MatchString(a.Image.Value):
			diags = append(diags, errorf(a.Image.Range, "Illegal image", "%q is no image with its registry, such as registry.example.com/yolo:8.3.1.", a.Image.String()))
		case !strings.Contains(a.Image.Value[len(host):], ":") && !strings.Contains(a.Image.Value, "@"):
			diags = append(diags, errorf(a.Image.Range, "Image that floats", "%s names no tag and no digest: it would be whatever is newest when a replica starts.", a.Image.String()))
		case azure && a.Registry == nil:
			diags = append(diags, errorf(a.Image.Range, "Registry without the right to pull",
				"An Azure registry asks who pulls, and the app's identity is made here. Name the registry, registry = { id = \"/subscriptions/…/registries/%s\" }, so that it gets the right.", strings.TrimSuffix(host, ".azurecr.io")))
		}
		if a.Registry != nil && a.Registry.ID.IsSet() {
			m := registryID.FindStringSubmatch(a.Registry.ID.Value)
			if m == nil {
				diags = append(diags, errorf(a.Registry.ID.Range, "Illegal registry", "%q is no resource id of a registry, /subscriptions/…/registries/NAME.", a.Registry.ID.String()))
			} else if want := strings.ToLower(m[1]) + ".azurecr.io"; host != want {
				diags = append(diags, errorf(a.Registry.ID.Range, "Registry of another image", "The registry is %s, and the image is of %s.", want, host))
			}
		}
		for name, form := range map[*Value[string]]*regexp.Regexp{&a.Subnet: subnetAzure, &a.KeyVault: keyVaultID, &a.Logs.Workspace: workspaceID} {
			if name.IsSet() && !form.MatchString(name.Value) {
				diags = append(diags, errorf(name.Range, "Illegal resource id", "%q is no resource id of the kind that is wanted here, /subscriptions/…/providers/….", name.String()))
			}
		}
		if a.Logs.Kind.Value == "log_analytics" && a.Logs.Workspace.IsSet() {
			diags = append(diags, errorf(a.Logs.Workspace.Range, "Workspace of somebody else", "log_analytics sends by the key of a workspace that is made here. To an existing one, azure_monitor sends, which needs no key."))
		}
		if len(a.Secrets) > 0 && a.KeyVault.missing() {
			for _, at := range a.SecretsAt {
				diags = append(diags, errorf(at, "Secrets without their vault", "The app's identity is made here: name the vault, key_vault = \"/subscriptions/…/vaults/NAME\", so that it may read them."))
				break
			}
		}
		for name, address := range a.Secrets {
			if !keyVaultSecret.MatchString(address) {
				diags = append(diags, errorf(a.SecretsAt[name], "Secret by value", "%s is not the address of a secret in a Key Vault, https://VAULT.vault.azure.net/secrets/NAME. A value in a blueprint is no secret.", name))
			}
		}
		return diags
	})
}
