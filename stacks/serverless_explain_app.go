package stacks

import (
	"fmt"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/components/serverless"
)

func explainContainerApp(_ *Plan, s *blueprint.Serverless) []Fact {
	a := s.ContainerApp
	profile, _ := catalog.LookupWorkloadProfile(a.WorkloadProfile.Value) // the blueprint's rules checked it
	var sec Section
	kind, why := "job", "its trigger is "+triggerOf(a)
	if triggerOf(a) == serverless.TriggerHTTP {
		kind, why = "app", "requests start it"
	}
	sec.add("kind", kind, why)
	sec.add("image", a.Image.Value, stated(a.Image))
	sec.add("location", catalog.AzureRegion(a.Location.Value), stated(a.Location))
	sec.add("replica", replicaText(a, profile), "what the profile "+profile.Name+" has, unless cpu and memory say less")
	sec.add("replicas", fmt.Sprintf("%d to %d", a.Scale.Min.Value, a.Scale.Max.Value), stated(a.Scale.Max))
	if kind == "job" {
		sec.add("timeout", a.Timeout.Value.String(), stated(a.Timeout))
	}
	price, source := appPrice(a)
	rest, restWhy := appAtRest(a, profile, price, source)
	sec.add("at rest", rest, restWhy)
	sec.add("per run", appPerRun(a, profile, price), source)
	sec.add("cold start", appStart(profile), "public reports: 20 s and more for an empty app, minutes for an image of 7 GB, which each new replica pulls; measure it")
	name, all := first(appBounds(a, profile))
	sec.add("limit hit first", name, all)
	return sec.Facts
}

func replicaText(a *blueprint.ContainerApp, p catalog.WorkloadProfile) string {
	cpu, memory := sizeOf(a, p)
	return fmt.Sprintf("%g processors, %.4g GiB, %d GiB of disk%s", cpu, float64(memory)/1024, catalog.ContainerDiskMiB(cpu)>>10, gpuText(p))
}

// sizeOf is what a replica has of its profile.
func sizeOf(a *blueprint.ContainerApp, p catalog.WorkloadProfile) (cpu float64, memoryMiB int) {
	cpu, memoryMiB = p.CPU, p.MemoryMiB
	if a.CPU.IsSet() {
		cpu = a.CPU.Value
	}
	if a.Memory.IsSet() {
		memoryMiB = a.Memory.Value
	}
	return cpu, memoryMiB
}

// appPrice returns the prices of an app's region, and where they are from.
func appPrice(a *blueprint.ContainerApp) (price catalog.ContainerAppPrice, source string) {
	price, source = catalog.ContainerAppPrices(a.Location.Value), catalog.ContainerAppPriceSource
	if !price.Exact {
		source += "; they stand in for " + catalog.AzureRegion(a.Location.Value)
	}
	return price, source
}

func appAtRest(a *blueprint.ContainerApp, p catalog.WorkloadProfile, price catalog.ContainerAppPrice, source string) (value, why string) {
	switch n, idle := a.ProfileNodes, a.Scale.Min.Value; {
	case n != nil && n.Min.Value > 0:
		return fmt.Sprintf("%d nodes of %s, by the hour, whatever runs on them; the price is not known", n.Min.Value, p.Name), stated(n.Min)
	case n != nil:
		return "no node while nothing runs; the price of the environment with dedicated profiles is not known", stated(n.Min)
	case idle > 0 && triggerOf(a) == serverless.TriggerHTTP:
		cpu, memory := sizeOf(a, p)
		hour := float64(idle) * 3600 * price.Idle(cpu, memory, p.GPU, p.GPUs)
		return fmt.Sprintf("%.4f USD an hour, %.2f a month, for %d replicas that wait", hour, hour*730, idle), source
	}
	return "nothing for replicas: there are none. Logs that are kept and a queue's account cost what they hold", "the profile is billed by the second that a replica runs"
}

func appPerRun(a *blueprint.ContainerApp, p catalog.WorkloadProfile, price catalog.ContainerAppPrice) string {
	length, what := runLength(a.ExpectedRun)
	cpu, memory := sizeOf(a, p)
	n := float64(a.Parallelism.Value) * length.Seconds()
	text := fmt.Sprintf("%.0f vCPU-seconds, %.0f GiB-seconds", n*cpu, n*float64(memory)/1024)
	if p.GPUs > 0 {
		text += fmt.Sprintf(", %.0f GPU-seconds (%s)", n*float64(p.GPUs), p.GPU)
	}
	text += " for " + what
	if p.Serverless {
		text = fmt.Sprintf("%.4f USD: ", n*price.Run(cpu, memory, p.GPU, p.GPUs)) + text
	}
	return text
}

func appStart(p catalog.WorkloadProfile) string {
	text := "scheduling, the pull of the whole image, the container's own start"
	if p.GPUs > 0 {
		text = "scheduling on a GPU, the pull of the whole image, the container's own start, weights into the GPU's memory"
	}
	return text
}

func appBounds(a *blueprint.ContainerApp, p catalog.WorkloadProfile) []bound {
	cpu, memory := sizeOf(a, p)
	disk := catalog.ContainerDiskMiB(cpu)
	bounds := []bound{{"memory", fmt.Sprintf("%d", memory>>10), fmt.Sprintf("%d GiB of any profile", 880), float64(memory) / float64(880<<10)}}
	used := "an unknown part (disk is not given)"
	share := 0.99 // a disk of 8 GiB is small beside everything else a GPU replica has
	if a.Disk.IsSet() {
		used, share = fmt.Sprintf("%d MiB", a.Disk.Value), float64(a.Disk.Value)/float64(disk)
	}
	bounds = append(bounds, bound{"the replica's disk", used, fmt.Sprintf("%d GiB", disk>>10), share})
	if p.GPUs > 0 {
		bounds = append(bounds, bound{"GPU memory", "an unknown part", fmt.Sprintf("%d GiB", p.GPUMemoryMiB>>10), 0})
	}
	return bounds
}
