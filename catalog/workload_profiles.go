package catalog

import (
	"slices"
	"strconv"
	"strings"
)

// WorkloadProfile is the hardware behind one replica of an Azure Container App.
//
// Source: Azure Container Apps, "Workload profiles in Azure Container Apps", "Using serverless GPUs in Azure Container
// Apps", pages of 2025-06 to 2026-01. Which regions have GPUs changes: `az containerapp env workload-profile
// list-supported --location REGION` says what holds today.
type WorkloadProfile struct {
	// Name is Azure's, in Azure's casing: another casing is another name.
	Name string
	// CPU and MemoryMiB are what a replica takes at most.
	CPU       float64
	MemoryMiB int
	// GPU is the accelerator's name and GPUs how many a replica has; GPUMemoryMiB is the memory of one.
	GPU          string
	GPUs         int
	GPUMemoryMiB int
	// Serverless profiles are billed by the second that a replica runs and take no counts of nodes. All others are nodes
	// that are paid for while they are there, at least the smallest count.
	Serverless bool
	// Regions are where Azure has the profile; nil is everywhere that Container Apps are.
	Regions []string
}

// WorkloadProfiles returns every profile, serverless ones first.
func WorkloadProfiles() []WorkloadProfile {
	a100 := []string{"australiaeast", "brazilsouth", "canadacentral", "eastus", "italynorth", "swedencentral", "westus", "westus3"}
	t4 := slices.Concat(a100, []string{
		"centralindia", "francecentral", "japaneast", "northcentralus", "southcentralus", "southeastasia", "southindia", "westeurope", "westus2",
	})
	dedicated := []string{"northeurope", "westus3"}
	list := []WorkloadProfile{
		{Name: "Consumption", CPU: 4, MemoryMiB: 8 << 10, Serverless: true},
		{Name: "Consumption-GPU-NC8as-T4", CPU: 8, MemoryMiB: 56 << 10, GPU: "T4", GPUs: 1, GPUMemoryMiB: 16 << 10, Serverless: true, Regions: t4},
		{Name: "Consumption-GPU-NC24-A100", CPU: 24, MemoryMiB: 220 << 10, GPU: "A100", GPUs: 1, GPUMemoryMiB: 80 << 10, Serverless: true, Regions: a100},
	}
	for _, family := range []struct {
		letter string
		gib    int // of memory for each processor
	}{{"D", 4}, {"E", 8}} {
		for _, cpu := range []int{4, 8, 16, 32} {
			list = append(list, WorkloadProfile{Name: family.letter + strconv.Itoa(cpu), CPU: float64(cpu), MemoryMiB: cpu * family.gib << 10})
		}
	}
	for n, name := range []string{"NC24-A100", "NC48-A100", "NC96-A100"} {
		gpus := 1 << n
		list = append(list, WorkloadProfile{
			Name: name, CPU: float64(24 * gpus), MemoryMiB: 220 * gpus << 10, GPU: "A100", GPUs: gpus, GPUMemoryMiB: 80 << 10, Regions: dedicated,
		})
	}
	return list
}

// LookupWorkloadProfile finds a profile by its name.
func LookupWorkloadProfile(name string) (WorkloadProfile, bool) {
	all := WorkloadProfiles()
	i := slices.IndexFunc(all, func(p WorkloadProfile) bool { return p.Name == name })
	if i < 0 {
		return WorkloadProfile{}, false
	}
	return all[i], true
}

// OfferedIn says whether Azure has the profile in a region, whose name may be written in any casing and with spaces.
func (p WorkloadProfile) OfferedIn(region string) bool {
	return p.Regions == nil || slices.Contains(p.Regions, AzureRegion(region))
}

// AzureRegion returns the name by which Azure's API calls a region: "Sweden Central" is swedencentral.
func AzureRegion(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, " ", ""))
}

// ContainerDiskMiB is how much disk all containers of a replica share with their image's writable layer, which Azure
// ties to the processors.
// Source: Azure Container Apps, "Use storage mounts in Azure Container Apps", "Ephemeral storage".
func ContainerDiskMiB(cpu float64) int {
	switch {
	case cpu <= 0.25:
		return 1 << 10
	case cpu <= 0.5:
		return 2 << 10
	case cpu <= 1:
		return 4 << 10
	default:
		return 8 << 10
	}
}
