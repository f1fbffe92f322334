package blueprint

import "github.com/hashicorp/hcl/v2"

// emptyLists refuses lists that say nothing where something is needed. It looks at blueprints without any other error:
// a list of wrong elements is empty as well, and those have been complained of.
func emptyLists(b *Blueprint) hcl.Diagnostics {
	var diags hcl.Diagnostics
	if n := b.Network; n != nil && len(n.Zones) == 0 {
		diags = append(diags, errorf(n.Range, "Empty list", "zones is empty, and EKS needs subnets in at least two zones."))
	}
	for _, p := range b.NodePools {
		switch {
		case p.Hosts != nil && len(p.Hosts.Addresses) == 0:
			diags = append(diags, errorf(p.Hosts.Range, "Empty list", "addresses is empty, so the pool has no host."))
		case p.Hosts == nil && len(p.InstanceTypes) == 0:
			diags = append(diags, errorf(p.Range, "Empty list", "instance_types is empty, so no node can be made."))
		}
	}
	return named(ruleSchema, diags)
}
