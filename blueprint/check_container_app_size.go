package blueprint

import (
	"math"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// checkContainerAppSize refuses replicas that the profile cannot hold.
//
// Source: Azure Container Apps, "Containers in Azure Container Apps", "Allocations" (2 GiB for each processor, in steps
// of a quarter) and "Workload profiles".
func checkContainerAppSize(b *Blueprint, _ known) hcl.Diagnostics {
	return eachContainerApp(b, func(a *ContainerApp) hcl.Diagnostics {
		var diags hcl.Diagnostics
		profile, ok := catalog.LookupWorkloadProfile(a.WorkloadProfile.Value)
		if !ok {
			return nil
		}
		if a.CPU.IsSet() && a.CPU.Value > profile.CPU {
			diags = append(diags, errorf(a.CPU.Range, "More processors than the profile has", "%s has %g processors, and a replica wants %g.", profile.Name, profile.CPU, a.CPU.Value))
		}
		if a.Memory.IsSet() && a.Memory.Value > profile.MemoryMiB {
			diags = append(diags, errorf(a.Memory.Range, "More memory than the profile has", "%s has %d GiB of memory, and a replica wants %d MiB.", profile.Name, profile.MemoryMiB>>10, a.Memory.Value))
		}
		if len(diags) > 0 || profile.Name != "Consumption" {
			return diags
		}
		switch {
		case a.CPU.missing() != a.Memory.missing():
			at := a.CPU.Range
			if a.CPU.missing() {
				at = a.Memory.Range
			}
			diags = append(diags, errorf(at, "Half a size", "On Consumption, processors and memory go together: give both, or neither for 4 and 8GiB."))
		case a.CPU.IsSet() && (math.Mod(a.CPU.Value*4, 1) != 0 || float64(a.Memory.Value) != a.CPU.Value*2048):
			cpu := min(max(math.Ceil(float64(a.Memory.Value)/512)/4, 0.25), 4)
			diags = append(diags, errorf(a.CPU.Range, "Processors and memory that do not go together",
				"On Consumption there are 2 GiB of memory for each processor, in steps of a quarter. For %d MiB write cpu = %g and memory = \"%dMiB\".", a.Memory.Value, cpu, int(cpu*2048)))
		}
		return diags
	})
}
