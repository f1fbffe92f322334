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
	rest, restWhy := appAtRest(a, profile)
	sec.add("at rest", rest, restWhy)
	sec.add("per run", appPerRun(a, profile), "what Azure bills is known, its prices are not recorded here")
	sec.add("cold start", appStart(profile), "public reports: 20 s and more for an empty app, minutes for an image of 7 GB, which each new replica pulls; measure it")
	name, all := first(appBounds(a, profile))
	sec.add("limit hit first", name, all)
	sec.add("then", appThen(profile), appBeyond(s, profile))
	return sec.Facts
}

func replicaText(a *blueprint.ContainerApp, p catalog.WorkloadProfile) string {
	cpu, memory := sizeOf(a, p)
	text := fmt.Sprintf("%g processors, %.4g GiB, %d GiB of disk", cpu, float64(memory)/1024, catalog.ContainerDiskMiB(cpu)>>10)
	if p.GPUs > 0 {
		text += fmt.Sprintf(", %d × %s of %d GiB", p.GPUs, p.GPU, p.GPUMemoryMiB>>10)
	}
	return text
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

func appAtRest(a *blueprint.ContainerApp, p catalog.WorkloadProfile) (value, why string) {
	switch n := a.ProfileNodes; {
	case n != nil && n.Min.Value > 0:
		return fmt.Sprintf("%d nodes of %s, by the hour, whatever runs on them; the price is not known", n.Min.Value, p.Name), stated(n.Min)
	case n != nil:
		return "no node while nothing runs; the price of the environment with dedicated profiles is not known", stated(n.Min)
	case a.Scale.Min.Value > 0 && p.GPUs > 0:
		return fmt.Sprintf("%d replicas with their GPU, by the second, whether idle or not; the price is not known", a.Scale.Min.Value), stated(a.Scale.Min)
	case a.Scale.Min.Value > 0:
		return fmt.Sprintf("%d replicas, by the second; the price is not known", a.Scale.Min.Value), stated(a.Scale.Min)
	}
	return "nothing for replicas: there are none. Logs that are kept and a queue's account cost what they hold", "scale.min is 0 and the profile is billed by the second that a replica runs"
}

func appPerRun(a *blueprint.ContainerApp, p catalog.WorkloadProfile) string {
	length, what := runLength(a.ExpectedRun)
	cpu, memory := sizeOf(a, p)
	n := float64(a.Parallelism.Value) * length.Seconds()
	text := fmt.Sprintf("%.0f vCPU-seconds, %.0f GiB-seconds", n*cpu, n*float64(memory)/1024)
	if p.GPUs > 0 {
		text += fmt.Sprintf(", %.0f GPU-seconds (%s)", n*float64(p.GPUs), p.GPU)
	}
	return text + " for " + what
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

func appThen(p catalog.WorkloadProfile) string {
	if p.GPUs > 0 {
		return "Azure Files for what is large, then a node pool"
	}
	return "a GPU profile, then a node pool"
}

// appBeyond are the lines of a blueprint that move an app to where it has more room.
func appBeyond(s *blueprint.Serverless, p catalog.WorkloadProfile) string {
	text := "write volumes = [{ name = \"models\", path = \"/models\", kind = \"azure_file\", account = \"/subscriptions/…\", share = \"models\" }] for more than the disk holds"
	if p.GPUs == 0 {
		text = "write workload_profile = \"Consumption-GPU-NC8as-T4\" for a GPU of 16 GiB"
	} else if p.GPU == "T4" {
		text += ", workload_profile = \"Consumption-GPU-NC24-A100\" for 80 GiB instead of 16"
	}
	return text + fmt.Sprintf("; for more than one GPU in a run, node_pool %q { instance_types = [\"p4d.24xlarge\"], size = { min = 0, desired = 0, max = 2 }, fabric = \"efa\" } with a network block", s.Name.Value)
}
