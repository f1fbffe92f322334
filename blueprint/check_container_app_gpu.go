package blueprint

import (
	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// checkContainerAppGPU refuses GPUs that the profile has not, and containers that want more rights than there are.
//
// Source: Azure Container Apps, "Using serverless GPUs in Azure Container Apps" (one GPU a replica, whole) and
// "Containers in Azure Container Apps" (no privileged containers).
func checkContainerAppGPU(b *Blueprint, _ known) hcl.Diagnostics {
	return eachContainerApp(b, func(a *ContainerApp) hcl.Diagnostics {
		var diags hcl.Diagnostics
		if a.Privileged.Value {
			diags = append(diags, errorf(a.Privileged.Range, "Privileged container", "Container Apps runs no privileged containers. What needs one belongs on a node pool."))
		}
		profile, ok := catalog.LookupWorkloadProfile(a.WorkloadProfile.Value)
		switch {
		case !ok || !a.GPU.IsSet() || a.GPU.Value == profile.GPUs:
		case profile.GPUs == 0:
			diags = append(diags, errorf(a.GPU.Range, "GPU without a GPU profile", "%s has no GPU. Consumption-GPU-NC8as-T4 and Consumption-GPU-NC24-A100 have one a replica.", profile.Name))
		default:
			diags = append(diags, errorf(a.GPU.Range, "Not what the profile has", "A replica of %s has %d GPUs, no part of one and no more. Several in one machine are a node pool.", profile.Name, profile.GPUs))
		}
		return diags
	})
}
