package blueprint

import (
	"regexp"
	"strings"
	"time"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

var (
	reservationID  = regexp.MustCompile(`^cr-[0-9a-f]{8,17}$`)
	reservationARN = regexp.MustCompile(`^arn:aws[a-z-]*:ec2:[a-z0-9-]+:[0-9]{12}:capacity-reservation/cr-[0-9a-f]{8,17}$`)
)

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
		case reserved && c.Reservation.missing() && len(c.Reservations) == 0:
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
		diags = append(diags, severalReservations(c, b.Environment.Region.Value)...)
		diags = append(diags, window(p)...)
	}
	return diags
}

// severalReservations judges a list of reservations: a pool draws from one or from the list, and only on demand.
//
// Source: EC2 User Guide, "Create a Capacity Reservation group": a Capacity Block cannot be in a group.
func severalReservations(c Capacity, region string) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, r := range c.Reservations {
		switch {
		case c.Kind.Value != "reservation":
			diags = append(diags, errorf(r.Range, "Unused reservation", `Several reservations are used by kind = "reservation" only.`))
		case c.Reservation.IsSet():
			diags = append(diags, errorf(r.Range, "Reservation given twice", "Write either reservation, for one, or reservations, for several."))
		case !reservationARN.MatchString(r.Value):
			diags = append(diags, errorf(r.Range, "Illegal reservation", "%q is no ARN of a reservation such as arn:aws:ec2:us-east-2:111122223333:capacity-reservation/cr-0123456789abcdef0.", r.String()))
		case region != "" && !strings.Contains(r.Value, ":"+region+":"):
			diags = append(diags, errorf(r.Range, "Reservation of another region", "The reservation is in %s and the environment in %s, where no instance can use it.", strings.Split(r.Value, ":")[3], region))
		}
	}
	return diags
}

// window judges the time of a Capacity Block. Before its start EKS would try in vain to launch nodes, over and over.
//
// Source: EKS User Guide, "Create a managed node group with Capacity Blocks for ML".
func window(p *NodePool) hcl.Diagnostics {
	var diags hcl.Diagnostics
	c, times := p.Capacity, map[string]time.Time{}
	for name, v := range map[string]Value[string]{"start": c.Start, "end": c.End} {
		if !v.IsSet() {
			continue
		}
		at, err := time.Parse(time.RFC3339, v.Value)
		switch {
		case c.Kind.Value != "capacity_block":
			diags = append(diags, errorf(v.Range, "Unused time", `Only a Capacity Block has a %s: write kind = "capacity_block", or leave it out.`, name))
		case err != nil:
			diags = append(diags, errorf(v.Range, "Illegal time", "%q is no time in RFC 3339 such as 2026-12-01T11:30:00Z.", v.String()))
		default:
			times[name] = at
		}
	}
	if start, end := times["start"], times["end"]; len(times) == 2 && !end.After(start) {
		diags = append(diags, errorf(c.End.Range, "Illegal time", "The Capacity Block would end before it starts at %s.", c.Start))
	}
	if _, scheduled := times["start"]; scheduled && p.Size.Min.Value > 0 {
		diags = append(diags, errorf(p.Size.Min.Range, "Nodes before their time", "There is no node before the Capacity Block starts, so min must be 0."))
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
