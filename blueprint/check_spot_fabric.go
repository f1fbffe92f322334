package blueprint

import "github.com/hashicorp/hcl/v2"

// checkSpotFabric warns of spot instances on a fabric: they share a cluster placement group, in which spot capacity is
// found rarely and lost for all of a job at once.
//
// Source: EC2 User Guide, "Placement strategies", cluster placement groups.
func checkSpotFabric(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, p := range b.NodePools {
		if p.Fabric.Value == "efa" && p.Capacity.Kind.Value == "spot" {
			diags = append(diags, warnf(p.Capacity.Kind.Range, "Spot in a placement group",
				"Nodes with EFA stand in one cluster placement group, where spot capacity is scarce, and one interruption stops a whole job. Keep min = 0, and save checkpoints often."))
		}
	}
	return diags
}
