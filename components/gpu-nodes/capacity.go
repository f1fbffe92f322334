package gpunodes

import (
	"regexp"
	"slices"
	"strings"
	"time"

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
const (
	reservationID  = `^cr-[0-9a-f]{8,17}$`
	reservationARN = `^arn:aws[a-z-]*:ec2:[a-z0-9-]+:[0-9]{12}:capacity-reservation/cr-[0-9a-f]{8,17}$`
)

// scaleDownBefore is how long before the end of a Capacity Block its nodes are drained. EC2 ends what still runs 30
// minutes before the end, so this leaves a quarter of an hour for pods to go; EKS's own schedule begins only 40 minutes
// before.
// Source: EC2 Auto Scaling User Guide, "Use Capacity Blocks for machine learning workloads"; EKS User Guide, "Create a
// managed node group with Capacity Blocks for ML".
const scaleDownBefore = 45 * time.Minute

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
	case a.Reservation != "" && !regexp.MustCompile(reservationID).MatchString(a.Reservation):
		c.Failf("reservation", "%q is no id of a reservation such as cr-0123456789abcdef0", a.Reservation)
	case several && a.Capacity == capacityBlock:
		c.Failf("reservations", "a node group uses one Capacity Block, by its id: make one pool for each")
	}
	for i, arn := range a.Reservations {
		if !regexp.MustCompile(reservationARN).MatchString(arn) {
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

// checkWindow reports times that are none, or that leave no time to work.
func checkWindow(c *argument.Checker, a *PoolArgs) {
	if a.CapacityWindow == (Window{}) {
		return
	}
	if a.Capacity != capacityBlock {
		c.Failf("capacityWindow", "capacity of kind %s has no beginning and end: capacity_block has", a.Capacity)
	}
	start := parseTime(c, "capacityWindow.start", a.CapacityWindow.Start)
	end := parseTime(c, "capacityWindow.end", a.CapacityWindow.End)
	if !start.IsZero() && !end.IsZero() && end.Sub(start) <= scaleDownBefore {
		c.Failf("capacityWindow", "from %s to %s there is no time to work: the nodes go %d minutes before the end",
			a.CapacityWindow.Start, a.CapacityWindow.End, int(scaleDownBefore.Minutes()))
	}
	if a.Size.Min > 0 {
		c.Failf("size", "min is %d, and outside its window a Capacity Block has no nodes: it must be 0", a.Size.Min)
	}
}

// parseTime reads a time of RFC 3339. One that is left out is zero.
func parseTime(c *argument.Checker, arg, text string) time.Time {
	if text == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		c.Failf(arg, "%q is no time such as 2026-12-01T11:30:00Z", text)
	}
	return t
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

// scaling is a change of a pool's size at a time.
type scaling struct {
	name, time string // time in UTC, as EC2 Auto Scaling wants it
	desired    int
}

// schedule returns when a pool's size changes: up when its Capacity Block begins, and to zero before it ends.
func (p *poolPlan) schedule() []scaling {
	var list []scaling
	w := p.args.CapacityWindow
	utc := func(text string, before time.Duration) string {
		t, _ := time.Parse(time.RFC3339, text)
		return t.Add(-before).UTC().Format(time.RFC3339)
	}
	if w.Start != "" {
		list = append(list, scaling{"start", utc(w.Start, 0), p.args.Size.Desired})
	}
	if w.End != "" {
		list = append(list, scaling{"end", utc(w.End, scaleDownBefore), 0})
	}
	return list
}
