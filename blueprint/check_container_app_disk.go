package blueprint

import (
	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// checkContainerAppDisk refuses replicas that write more than their disk holds.
//
// Source: Azure Container Apps, "Use storage mounts in Azure Container Apps"; DataDog/datadog-ci pull request 2486 (a
// replica that writes more is evicted).
func checkContainerAppDisk(b *Blueprint, _ known) hcl.Diagnostics {
	return eachContainerApp(b, func(a *ContainerApp) hcl.Diagnostics {
		profile, ok := catalog.LookupWorkloadProfile(a.WorkloadProfile.Value)
		if !ok || !a.Disk.IsSet() {
			return nil
		}
		cpu := profile.CPU
		if a.CPU.IsSet() {
			cpu = a.CPU.Value
		}
		if has := catalog.ContainerDiskMiB(cpu); a.Disk.Value > has {
			return hcl.Diagnostics{errorf(a.Disk.Range, "More than the disk holds",
				"A replica with %g processors has a disk of %d MiB, whatever its profile, and is evicted when it writes more. Put what is larger on Azure Files: volumes = [{ name = \"data\", path = \"/data\", kind = \"azure_file\", … }].", cpu, has)}
		}
		return nil
	})
}
