package blueprint

import (
	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// checkContainerAppNodes refuses counts where Azure takes none, and asks for them where it wants them.
//
// Source: hashicorp/terraform-provider-azurerm issue 31763 (MinimumCount is not supported for consumption profiles);
// Azure Container Apps, "Manage workload profiles".
func checkContainerAppNodes(b *Blueprint, _ known) hcl.Diagnostics {
	return eachContainerApp(b, func(a *ContainerApp) hcl.Diagnostics {
		profile, ok := catalog.LookupWorkloadProfile(a.WorkloadProfile.Value)
		switch n := a.ProfileNodes; {
		case !ok:
		case profile.Serverless && n != nil:
			return hcl.Diagnostics{errorf(n.Range, "Counts on a serverless profile", "%s has no nodes to count: Azure refuses a minimum and a maximum. Bound the replicas with scale.", profile.Name)}
		case !profile.Serverless && n == nil:
			return hcl.Diagnostics{errorf(a.WorkloadProfile.Range, "Profile without counts", "%s consists of nodes: say how many, profile_nodes = { min = 0, max = 2 }. Each is paid for while it is there.", profile.Name)}
		case n != nil && n.Min.IsSet() && n.Max.IsSet() && n.Min.Value > n.Max.Value:
			return hcl.Diagnostics{errorf(n.Min.Range, "Bounds in the wrong order", "min and max are %d and %d, and the first must not be larger.", n.Min.Value, n.Max.Value)}
		}
		return nil
	})
}
