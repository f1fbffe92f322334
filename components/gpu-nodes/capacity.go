package gpunodes

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/components/internal/argument"
)

// The ways to buy the instances of a pool.
const (
	capacityOnDemand    = "on_demand"
	capacitySpot        = "spot"
	capacityReservation = "reservation"
	capacityBlock       = "capacity_block"
)

// Patterns of what names a reservation.
var (
	reservationID  = regexp.MustCompile(`^cr-[0-9a-f]{8,17}$`)
	reservationARN = regexp.MustCompile(`^arn:aws[a-z-]*:ec2:[a-z0-9-]+:[0-9]{12}:capacity-reservation/cr-[0-9a-f]{8,17}$`)
)

// checkCapacity reports capacity that cannot be had, or that is not named as it must be.
func checkCapacity(c *argument.Checker, a *PoolArgs, types []*catalog.InstanceType) {
	var class catalog.UsageClass
	switch a.Capacity {
	case capacityOnDemand, capacityReservation:
		class = catalog.UsageOnDemand
	case capacitySpot:
		class = catalog.UsageSpot
	case capacityBlock:
		class = catalog.UsageCapacityBlock
	default:
		c.Failf("capacity", "%q is unknown: it may be on_demand, spot, reservation or capacity_block", a.Capacity)
		return
	}
	for _, t := range types {
		if !t.Supports(class) {
			c.Failf("capacity", "%s cannot be had as %s capacity", t.Name, a.Capacity)
		}
	}
	if a.isReserved() {
		checkReserved(c, a)
	} else if a.Reservation != "" || len(a.Reservations) > 0 {
		c.Failf("reservation", "capacity of kind %s uses no reservation: reservation and capacity_block do", a.Capacity)
	}
	checkWindow(c, a)
}

// isReserved says whether the instances were reserved beforehand.
func (a *PoolArgs) isReserved() bool {
	return a.Capacity == capacityReservation || a.Capacity == capacityBlock
}

// checkReserved reports a pool that its reservation would not serve. A reservation is for one type in one zone, and
// puts its instances where it says: a placement group beside it can only keep them from starting.
// Source: EC2 User Guide, "Capacity Reservations and Capacity Blocks for ML"; eksctl does the same.
func checkReserved(c *argument.Checker, a *PoolArgs) {
	several := len(a.Reservations) > 0
	switch {
	case a.Reservation == "" && !several:
		c.Failf("reservation", "capacity of kind %s needs the id of what was bought, such as cr-0123456789abcdef0", a.Capacity)
	case a.Reservation != "" && several:
		c.Failf("reservation", "%s is given and reservations are as well: it is one or the other", a.Reservation)
	case a.Reservation != "" && !reservationID.MatchString(a.Reservation):
		c.Failf("reservation", "%q is no id of a reservation such as cr-0123456789abcdef0", a.Reservation)
	case several && a.Capacity == capacityBlock:
		c.Failf("reservations", "a node group uses one Capacity Block, by its id: make one pool for each")
	}
	for i, arn := range a.Reservations {
		if !reservationARN.MatchString(arn) {
			c.Failf("reservations", "%q is no ARN such as arn:aws:ec2:us-west-2:123456789012:capacity-reservation/cr-0123456789abcdef0", arn)
		}
		if slices.Contains(a.Reservations[:i], arn) {
			c.Failf("reservations", "%s is given twice", arn)
		}
	}
	if len(a.InstanceTypes) > 1 && !several {
		c.Failf("instanceTypes", "%s are given: a reservation is for one type", strings.Join(a.InstanceTypes, ", "))
	}
	if a.PlacementGroupName != nil {
		c.Failf("placementGroupName", "the reservation decides where its instances are: leave the placement group out")
	}
	checkOneSubnet(c, a, "a reservation is in one zone, so the pool has exactly one subnet, in that zone")
}

// checkPlacement reports types that a cluster placement group does not take.
func checkPlacement(c *argument.Checker, a *PoolArgs, types []*catalog.InstanceType) {
	if a.PlacementGroupName == nil {
		return
	}
	for _, t := range types {
		if !t.SupportsPlacement("cluster") {
			c.Failf("placementGroupName", "%s cannot be in a cluster placement group", t.Name)
		}
	}
}
