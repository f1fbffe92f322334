package blueprint

import (
	"regexp"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

var reservationID = regexp.MustCompile(`^cr-[0-9a-f]{8,17}$`)

// checkCapacity refuses ways to buy that the instance type does not have, and reservations that are missing or unused.
//
// Sources: EC2 API, DescribeInstanceTypes, SupportedUsageClasses; EKS User Guide, "Create a managed node group with
// Capacity Blocks for ML" (one type, one reservation).
func checkCapacity(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, p := range b.NodePools {
		c := p.Capacity
		reserved := c.Kind.Value == "reservation" || c.Kind.Value == "capacity_block"
		switch {
		case reserved && c.Reservation.missing():
			diags = append(diags, errorf(c.Kind.Range, "Missing reservation", `Capacity of kind %s needs the id of what was bought: reservation = "cr-…".`, c.Kind))
		case !reserved && c.Reservation.IsSet():
			diags = append(diags, errorf(c.Reservation.Range, "Unused reservation", `A reservation is used by kind = "reservation" or "capacity_block" only.`))
		case c.Reservation.IsSet() && !reservationID.MatchString(c.Reservation.Value):
			diags = append(diags, errorf(c.Reservation.Range, "Illegal reservation", "%q is no id of a reservation such as cr-0123456789abcdef0.", c.Reservation.String()))
		}
		if c.Kind.Value == "capacity_block" && len(p.InstanceTypes) > 1 {
			diags = append(diags, errorf(p.InstanceTypes[1].Range, "Several types in a Capacity Block", "A Capacity Block is bought for one instance type. Leave out all but its own."))
		}
		diags = append(diags, notSold(p)...)
	}
	return diags
}

// notSold reports the types of a pool that cannot be bought that way.
func notSold(p *NodePool) hcl.Diagnostics {
	class, known := map[string]catalog.UsageClass{
		"on_demand": catalog.UsageOnDemand, "reservation": catalog.UsageOnDemand,
		"spot": catalog.UsageSpot, "capacity_block": catalog.UsageCapacityBlock,
	}[p.Capacity.Kind.Value]
	if !known {
		return nil
	}
	var diags hcl.Diagnostics
	for _, name := range p.InstanceTypes {
		if t := lookupType(p, name.Value); t != nil && !t.Supports(class) {
			classes := make([]string, len(t.UsageClasses))
			for i, c := range t.UsageClasses {
				classes[i] = string(c)
			}
			diags = append(diags, errorf(name.Range, "Capacity not sold", "EC2 does not sell %s as %s, only as %s.", name, class, list(classes)))
		}
	}
	return diags
}
