package blueprint

import (
	"regexp"

	"github.com/hashicorp/hcl/v2"
)

var (
	volumeName     = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
	storageAccount = regexp.MustCompile(`(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\.Storage/storageAccounts/[a-z0-9]{3,24}$`)
)

// checkContainerAppVolumes refuses volumes that Azure would not mount.
//
// Source: Azure Container Apps, "Use storage mounts in Azure Container Apps" (no dots in names; NFS in one's own network
// only).
func checkContainerAppVolumes(b *Blueprint, _ known) hcl.Diagnostics {
	return eachContainerApp(b, func(a *ContainerApp) hcl.Diagnostics {
		var diags hcl.Diagnostics
		seen := map[string]bool{}
		for _, v := range a.Volumes {
			if v.Name.IsSet() && (!volumeName.MatchString(v.Name.Value) || seen[v.Name.Value]) {
				diags = append(diags, errorf(v.Name.Range, "Illegal name of a volume", "%q is not made of lower-case letters, digits and dashes, or another volume has it already.", v.Name.String()))
			}
			seen[v.Name.Value] = true
			if v.Path.IsSet() && (len(v.Path.Value) < 2 || v.Path.Value[0] != '/') {
				diags = append(diags, errorf(v.Path.Range, "Illegal mount path", "%q is no absolute path.", v.Path.String()))
			}
			diags = append(diags, judgeVolume(a, v)...)
		}
		return diags
	})
}

func judgeVolume(a *ContainerApp, v AppVolume) hcl.Diagnostics {
	switch v.Kind.Value {
	case "azure_file":
		switch {
		case v.Account.missing() || v.Share.missing():
			return hcl.Diagnostics{errorf(v.Range, "Share not named", "A share of Azure Files is named by account, the storage account's resource id, and share.")}
		case v.Account.IsSet() && !storageAccount.MatchString(v.Account.Value):
			return hcl.Diagnostics{errorf(v.Account.Range, "Illegal storage account", "%q is no resource id of a storage account, /subscriptions/…/storageAccounts/NAME.", v.Account.String())}
		}
	case "nfs":
		switch {
		case v.Server.missing() || v.Share.missing():
			return hcl.Diagnostics{errorf(v.Range, "Share not named", "An NFS share is named by server, such as ACCOUNT.file.core.windows.net, and share, /ACCOUNT/SHARE.")}
		case a.Subnet.missing():
			return hcl.Diagnostics{errorf(v.Kind.Range, "NFS without a network", "Azure mounts NFS in a network of one's own only: add subnet, or take azure_file.")}
		}
	}
	return nil
}
