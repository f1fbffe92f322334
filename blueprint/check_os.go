package blueprint

import "github.com/hashicorp/hcl/v2"

// checkOS refuses what Bottlerocket does not have: images of one's own, Neuron, shared GPUs, and a static memory manager.
//
// Source: EKS User Guide, "Create nodes with optimized Bottlerocket AMIs"; Bottlerocket documentation, settings.
func checkOS(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, p := range b.NodePools {
		if p.OS.Value != "bottlerocket" {
			continue
		}
		refuse := func(what string) {
			diags = append(diags, errorf(p.OS.Range, "Not on Bottlerocket", `Bottlerocket nodes do not take %s. Write os = "al2023", or leave that out.`, what))
		}
		if p.AMI.IsSet() {
			refuse("an image of one's own (ami)")
		}
		if p.GPUSharing != nil {
			refuse("gpu_sharing")
		}
		if p.Profile != nil && p.Profile.Resolved().MemoryManager == "Static" {
			refuse("a static memory manager")
		}
		for _, t := range p.Types {
			if t.Accelerator != nil && t.Accelerator.Maker != "nvidia" {
				refuse("the " + t.Accelerator.Name + " of " + t.Name)
			}
		}
	}
	return diags
}
