package stacks

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/catalog"
)

// refuseUnbuilt names every part of a blueprint that the language knows and the components cannot make yet. Such a part
// is refused, never ignored: an environment that lacks what its blueprint says is worse than none.
func refuseUnbuilt(b *blueprint.Blueprint) hcl.Diagnostics {
	var diags hcl.Diagnostics
	refuse := func(at hcl.Range, what string) {
		diags = append(diags, &hcl.Diagnostic{
			Severity: hcl.DiagError,
			Summary:  "Not built yet",
			Detail: fmt.Sprintf("The blueprint language has %s, and this version of gpuyard cannot make it. "+
				"Remove it to bring up the rest.", what),
			Subject: at.Ptr(),
		})
	}
	if b.Network == nil {
		refuse(b.Environment.Range, "environments without a network block")
	} else {
		refuseNetwork(b.Network, refuse)
	}
	for _, p := range b.NodePools {
		refusePool(p, refuse)
	}
	for _, s := range b.Storage {
		refuse(s.Range, fmt.Sprintf("storage %q", s.Kind))
	}
	for _, c := range b.Caches {
		refuse(c.Range, fmt.Sprintf("cache %q", c.Kind))
	}
	for _, s := range b.Serverless {
		refuse(s.Range, fmt.Sprintf("serverless %q", s.Kind))
	}
	if b.Platform != nil {
		refuse(b.Platform.Range, "the platform block")
	}
	return diags
}

func refuseNetwork(n *blueprint.Network, refuse func(hcl.Range, string)) {
	for _, e := range n.PrivateEndpoints {
		if e.Value != "s3" { // every VPC has the gateway endpoint of S3
			refuse(e.Range, fmt.Sprintf("a private endpoint for %s", e.Value))
		}
	}
	if n.CNI.Kind.Value == "cilium" {
		refuse(n.CNI.Kind.Range, `cni { kind = "cilium" }`)
	}
	if n.Remote != nil {
		refuse(n.Remote.Range, "remote networks")
	}
}

func refusePool(p *blueprint.NodePool, refuse func(hcl.Range, string)) {
	if p.Hosts != nil {
		refuse(p.Hosts.Range, "pools of hosts prepared over SSH")
		return
	}
	if k := p.Capacity.Kind; k.Value == "reservation" || k.Value == "capacity_block" {
		refuse(k.Range, fmt.Sprintf("capacity of the kind %s", k.Value))
	}
	if p.AMI.Value != "" {
		refuse(p.AMI.Range, "pools with an image of their own")
	}
	if p.GPUSharing != nil {
		refuse(p.GPUSharing.Range, "gpu_sharing")
	}
	if p.LocalStorage.Value == "raw" {
		refuse(p.LocalStorage.Range, `local_storage = "raw"`)
	}
	for i, t := range p.Types {
		if t.Accelerator != nil && t.Accelerator.Maker == catalog.MakerNeuron {
			refuse(p.InstanceTypes[i].Range, "pools with Neuron accelerators")
		}
	}
}
