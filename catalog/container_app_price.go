package catalog

// ContainerAppPrice is what Azure Container Apps cost in one region, in USD, as far as they are billed by the second.
type ContainerAppPrice struct {
	// CPUSecond and GiBSecond are a second of a replica that works, for each processor and each GiB of memory;
	// IdleCPUSecond and IdleGiBSecond of one that only waits.
	CPUSecond, GiBSecond, IdleCPUSecond, IdleGiBSecond float64
	// GPUSecond is a second of a GPU, by its name. It comes on top of processors and memory.
	GPUSecond map[string]float64
	// Region is the region whose prices these are; Exact says that it is the one that was asked for.
	Region string
	Exact  bool
}

// ContainerAppPriceSource says where the prices of ContainerAppPrices are from.
const ContainerAppPriceSource = "Azure Retail Prices API, Azure Container Apps in East US, as quoted on 2026-08-01, without the monthly free grant"

// ContainerAppPrices returns what Container Apps cost in a region. Those of East US are known, and stand in elsewhere.
func ContainerAppPrices(region string) ContainerAppPrice {
	const known = "eastus"
	return ContainerAppPrice{
		CPUSecond: 0.000024, GiBSecond: 0.000003, IdleCPUSecond: 0.000003, IdleGiBSecond: 0.000003,
		GPUSecond: map[string]float64{"T4": 0.000073, "A100": 0.000529},
		Region:    known, Exact: AzureRegion(region) == known,
	}
}

// Run is what a second of a replica that works costs.
func (p ContainerAppPrice) Run(cpu float64, memoryMiB int, gpu string, gpus int) float64 {
	return cpu*p.CPUSecond + float64(memoryMiB)/1024*p.GiBSecond + float64(gpus)*p.GPUSecond[gpu]
}

// Idle is what a second of a replica that waits costs. A GPU costs the same whether it works or not.
func (p ContainerAppPrice) Idle(cpu float64, memoryMiB int, gpu string, gpus int) float64 {
	return cpu*p.IdleCPUSecond + float64(memoryMiB)/1024*p.IdleGiBSecond + float64(gpus)*p.GPUSecond[gpu]
}
