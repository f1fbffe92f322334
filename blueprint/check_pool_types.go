package blueprint

import (
	"fmt"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// checkPoolTypes refuses a pool whose types differ in what the whole pool is built for: architecture, which decides the
// image, and accelerator, which decides the image, the device plugin and what a job can ask for.
//
// Source: EKS API, CreateNodegroup: one amiType a node group.
func checkPoolTypes(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, p := range b.NodePools {
		if len(p.Types) < 2 {
			continue
		}
		first := p.Types[0]
		for _, name := range p.InstanceTypes {
			t := lookupType(p, name.Value)
			switch {
			case t == nil:
			case t.Arch != first.Arch:
				diags = append(diags, errorf(name.Range, "Architectures mixed", "%s is %s and %s is %s: a pool has one image. Make two pools.", first.Name, first.Arch, t.Name, t.Arch))
			case accelerators(t) != accelerators(first):
				diags = append(diags, errorf(name.Range, "Accelerators mixed", "%s has %s and %s has %s: jobs could not tell the nodes of the pool apart. Make two pools.",
					first.Name, accelerators(first), t.Name, accelerators(t)))
			}
		}
	}
	return diags
}

// accelerators words what kind of accelerator a type has, whatever the number: two sizes of memory are two kinds, since
// a job made for one does not fit the other.
func accelerators(t *catalog.InstanceType) string {
	if t.Accelerator == nil {
		return "no accelerator"
	}
	return fmt.Sprintf("%s %s with %d MiB", t.Accelerator.Maker, t.Accelerator.Name, t.Accelerator.MemoryMiB)
}
