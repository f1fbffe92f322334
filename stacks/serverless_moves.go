package stacks

import (
	"fmt"
	"slices"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/catalog"
)

// Move is a place where serverless work has more room, and the lines of a blueprint that take it there.
type Move struct {
	To    string `json:"to"`
	Lines string `json:"lines"`
}

// lambdaMoves are where a function can go: to a job, and when that is too small, to nodes.
func lambdaMoves(p *Plan, s *blueprint.Serverless) []Move {
	f := s.Lambda
	profile := "Consumption"
	if f.Memory.Value > 8<<10 || f.EphemeralStorage.Value > 8<<10 {
		profile = "Consumption-GPU-NC8as-T4"
	}
	hardware, _ := catalog.LookupWorkloadProfile(profile)
	timeout := f.Timeout.Value * 2
	if f.ExpectedRun.IsSet() {
		timeout = f.ExpectedRun.Value * 3 / 2
	}
	tag := f.Image.Tag.Value
	if tag == "" {
		tag = "TAG"
	}
	return []Move{{
		To: fmt.Sprintf("a container app's job: as long as its timeout, %d GiB of memory%s", hardware.MemoryMiB>>10, gpuText(hardware)),
		Lines: fmt.Sprintf(`serverless "container_app" %q {
  location         = "swedencentral"
  image            = "registry.example.com/%s:%s"
  workload_profile = %q
  timeout          = "%.0fm"
  trigger          = { kind = "queue", length = 1 }
}
`, s.Name.Value, f.Image.Repository.Value, tag, profile, max(timeout.Minutes(), 1)),
	}, poolMove(p, s)}
}

func gpuText(p catalog.WorkloadProfile) string {
	if p.GPUs == 0 {
		return ""
	}
	return fmt.Sprintf(", %d × %s of %d GiB", p.GPUs, p.GPU, p.GPUMemoryMiB>>10)
}

// appMoves are where an app or a job can go: to a share for what its disk does not hold, to a larger GPU, to nodes.
func appMoves(p *Plan, s *blueprint.Serverless) []Move {
	moves := []Move{{
		To: "Azure Files, for more than the disk holds",
		Lines: `volumes = [{
  name = "models", path = "/models", kind = "azure_file", share = "models"
  account = "/subscriptions/SUBSCRIPTION/resourceGroups/GROUP/providers/Microsoft.Storage/storageAccounts/account"
}]
`,
	}}
	profile, _ := catalog.LookupWorkloadProfile(s.ContainerApp.WorkloadProfile.Value)
	for _, larger := range []string{"Consumption-GPU-NC8as-T4", "Consumption-GPU-NC24-A100"} {
		hardware, _ := catalog.LookupWorkloadProfile(larger)
		if hardware.GPUMemoryMiB > profile.GPUMemoryMiB && hardware.OfferedIn(s.ContainerApp.Location.Value) {
			moves = append(moves, Move{
				To:    fmt.Sprintf("a larger profile: %d GiB of memory%s", hardware.MemoryMiB>>10, gpuText(hardware)),
				Lines: fmt.Sprintf("workload_profile = %q\n", larger),
			})
			break
		}
	}
	return append(moves, poolMove(p, s))
}

// poolMove is a pool of nodes with several GPUs, and the network that it stands in where there is none.
func poolMove(p *Plan, s *blueprint.Serverless) Move {
	b, cat := p.Blueprint, catalog.Default()
	region, before := b.Environment.Region.Value, ""
	types := []string{"p4d.24xlarge", "p5.48xlarge", "g6e.48xlarge", "g5.48xlarge"}
	at := slices.IndexFunc(types, func(t string) bool { return len(cat.ZonesOf(t, region)) > 0 })
	if at < 0 {
		region, at = "us-east-1", 0
		before = fmt.Sprintf("# with region = %q in the environment block\n", region)
	}
	instance, _ := cat.Lookup(types[at]) // those above are in the catalogue
	zone := cat.ZonesOf(instance.Name, region)[0]
	if b.Network != nil {
		offers := func(z blueprint.Value[string]) bool { return cat.Offered(instance.Name, region, z.Value) }
		zone = b.Network.Zones[max(slices.IndexFunc(b.Network.Zones, offers), 0)].Value
	} else {
		zones := cat.Zones(region)
		other := zones[slices.IndexFunc(zones, func(z string) bool { return z != zone && cat.Offered("m7i.xlarge", region, z) })]
		before += fmt.Sprintf(`network {
  cidr  = "10.60.0.0/16"
  zones = [%q, %q]
}

node_pool "system" {
  instance_types = ["m7i.xlarge"]
  size           = { min = 2, desired = 2, max = 3 }
}

`, zone, other)
	}
	return Move{
		To: fmt.Sprintf("a node pool: %d × %s of %d GiB in a node, and nodes that reach each other by EFA", instance.Accelerator.Count, instance.Accelerator.Name, instance.Accelerator.MemoryMiB>>10),
		Lines: before + fmt.Sprintf(`node_pool %q {
  instance_types = [%q]
  zone           = %q
  size           = { min = 0, desired = 0, max = 2 }
  fabric         = "efa"
}
`, s.Name.Value, instance.Name, zone),
	}
}
