package blueprint

import "github.com/hashicorp/hcl/v2"

// checkLocalStorage refuses to set up local disks that a type does not have.
//
// Source: EC2 API, DescribeInstanceTypes, InstanceStorageInfo.
func checkLocalStorage(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, p := range b.NodePools {
		if p.LocalStorage.Value == "none" || !p.LocalStorage.IsSet() {
			continue
		}
		for _, name := range p.InstanceTypes {
			if t := lookupType(p, name.Value); t != nil && t.Disks == nil {
				diags = append(diags, errorf(p.LocalStorage.Range, "No local disks", `%s has no local disks. Write local_storage = "none", or take a type that has some, whose name often ends in "d".`, name))
			}
		}
	}
	return diags
}
