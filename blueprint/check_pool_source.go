package blueprint

import "github.com/hashicorp/hcl/v2"

// checkPoolSource refuses a pool that is neither on EC2 nor made of hosts, or half of both, and pools without a network.
func checkPoolSource(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, p := range b.NodePools {
		if b.Network == nil {
			diags = append(diags, errorf(p.Range, "Pool without a network", "A pool belongs to a cluster, and a blueprint without a network block has none. Add network { cidr = …, zones = […] }."))
		}
		if p.Hosts != nil {
			diags = append(diags, onlyEC2(p)...)
			continue
		}
		if p.InstanceTypes == nil {
			diags = append(diags, errorf(p.Range, "Pool without nodes", "A pool needs instance_types for nodes on EC2, or a hosts block for servers of your own."))
		} else if p.Size.Range == (hcl.Range{}) {
			diags = append(diags, errorf(p.Range, "Pool without a size", "A pool on EC2 needs size = { min = …, desired = …, max = … }."))
		}
		if p.Accelerator != nil {
			diags = append(diags, errorf(p.Accelerator.Range, "Only for hosts", "accelerator describes servers of your own; the instance types say what they hold."))
		}
	}
	return diags
}

// onlyEC2 refuses on a pool of hosts what only EC2 understands.
func onlyEC2(p *NodePool) hcl.Diagnostics {
	var diags hcl.Diagnostics
	refuse := func(set bool, at hcl.Range, name string) {
		if set {
			diags = append(diags, errorf(at, "Only for EC2", "%s is for pools on EC2, and this pool has hosts.", name))
		}
	}
	if len(p.InstanceTypes) > 0 {
		refuse(true, p.InstanceTypes[0].Range, "instance_types")
	}
	refuse(p.Size.Range != hcl.Range{}, p.Size.Range, "size")
	refuse(p.Zone.IsSet(), p.Zone.Range, "zone")
	refuse(p.AMI.IsSet(), p.AMI.Range, "ami")
	refuse(p.ImageRelease.IsSet(), p.ImageRelease.Range, "image_release")
	refuse(p.RootVolume.IsSet(), p.RootVolume.Range, "root_volume")
	refuse(p.LocalStorage.IsSet(), p.LocalStorage.Range, "local_storage")
	refuse(p.OS.IsSet(), p.OS.Range, "os")
	refuse(p.NodeRepair.IsSet(), p.NodeRepair.Range, "node_repair")
	refuse(p.Update.Range != hcl.Range{}, p.Update.Range, "update")
	refuse(p.Capacity.Range != hcl.Range{}, p.Capacity.Range, "capacity")
	if len(p.Schedules) > 0 {
		refuse(true, p.Schedules[0].Range, "schedules")
	}
	if p.GPUSharing != nil {
		refuse(true, p.GPUSharing.Range, "gpu_sharing")
	}
	return diags
}
