package blueprint

import "github.com/hashicorp/hcl/v2"

// checkSingleZone refuses a pool that has to be in one zone and is in several: EFA does not cross zones, and a
// reservation is bought in one.
//
// Sources: EC2 User Guide, "Elastic Fabric Adapter", limitations; "Capacity Blocks for ML".
func checkSingleZone(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, p := range b.NodePools {
		zones := p.Zones(b.Network)
		if len(zones) < 2 {
			continue
		}
		switch kind := p.Capacity.Kind; {
		case p.Fabric.Value == "efa":
			diags = append(diags, errorf(p.Fabric.Range, "Fabric over several zones", "EFA does not cross zones, and this pool is in %s. Give it one, such as zone = %q.", list(zones), zones[0]))
		case kind.Value == "reservation", kind.Value == "capacity_block":
			diags = append(diags, errorf(kind.Range, "Reservation over several zones", "A reservation is in one zone, and this pool is in %s. Give it the reservation's, such as zone = %q.", list(zones), zones[0]))
		}
	}
	return diags
}
