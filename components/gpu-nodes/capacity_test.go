package gpunodes

import (
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

const (
	tokenSchedule         = "aws:autoscaling/schedule:Schedule"
	tokenReservationGroup = "aws:resourcegroups/group:Group"
	tokenMember           = "aws:resourcegroups/resource:Resource"
)

// reserved returns valid arguments of a pool in reserved capacity.
func reserved(capacity, typ string) *PoolArgs {
	args := poolArgs(typ)
	args.Capacity, args.Reservation = capacity, reservation
	return args
}

// refusal checks that a pool is refused for all of some reasons and for nothing else.
func refusal(t *testing.T, args *PoolArgs, says ...string) {
	t.Helper()
	graph, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error {
		_, err := NewPool(ctx, "pool", args)
		return err
	}, world())
	refused(t, graph, err, says...)
	if err != nil {
		if got := strings.Count(err.Error(), `gpuyard:gpunodes:Pool "pool": `); got != len(says) {
			t.Errorf("there are %d errors, want %d:\n%v", got, len(says), err)
		}
	}
}

func TestReservedCapacityRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args   *PoolArgs
		change func(*PoolArgs)
		says   []string
	}{
		"unused":       {poolArgs("g6.xlarge"), func(a *PoolArgs) { a.Reservation = reservation }, []string{"reservation: capacity of kind on_demand uses no reservation"}},
		"unused, spot": {poolArgs("g6.xlarge"), func(a *PoolArgs) { a.Capacity, a.Reservations = "spot", []string{reservationAt("a")} }, []string{"uses no reservation"}},
		"missing":      {reserved("reservation", "g6.xlarge"), func(a *PoolArgs) { a.Reservation = "" }, []string{"reservation: capacity of kind reservation needs the id"}},
		"no id":        {reserved("reservation", "g6.xlarge"), func(a *PoolArgs) { a.Reservation = "mine" }, []string{`"mine" is no id of a reservation`}},
		"both":         {reserved("reservation", "g6.xlarge"), func(a *PoolArgs) { a.Reservations = []string{reservationAt("a")} }, []string{"it is one or the other"}},
		"no ARN":       {reserved("reservation", "g6.xlarge"), func(a *PoolArgs) { a.Reservation, a.Reservations = "", []string{reservation} }, []string{`is no ARN such as`}},
		"twice": {reserved("reservation", "g6.xlarge"), func(a *PoolArgs) {
			a.Reservation, a.Reservations = "", []string{reservationAt("a"), reservationAt("a")}
		}, []string{"is given twice"}},
		"several blocks": {reserved("capacity_block", "p5.48xlarge"), func(a *PoolArgs) { a.Reservation, a.Reservations = "", []string{reservationAt("a")} }, []string{"make one pool for each"}},
		"two types":      {reserved("reservation", "g6.xlarge"), func(a *PoolArgs) { a.InstanceTypes = []string{"g6.xlarge", "g6.2xlarge"} }, []string{"a reservation is for one type"}},
		"two zones":      {reserved("reservation", "g6.xlarge"), func(a *PoolArgs) { a.SubnetIDs = pulumi.ToStringArray([]string{"a", "b"}) }, []string{"subnetIds: 2 are given: a reservation is in one zone"}},
		"placement":      {reserved("capacity_block", "p5.48xlarge"), func(a *PoolArgs) { a.PlacementGroupName = pulumi.String("g") }, []string{"placementGroupName: the reservation decides"}},
		"no block type":  {reserved("capacity_block", "g6.xlarge"), nil, []string{"g6.xlarge cannot be had as capacity_block"}},
		"window":         {reserved("reservation", "g6.xlarge"), func(a *PoolArgs) { a.CapacityWindow.Start = "2026-12-01T11:30:00Z" }, []string{"capacityWindow: capacity of kind reservation has no beginning"}},
		"no time":        {reserved("capacity_block", "p5.48xlarge"), func(a *PoolArgs) { a.CapacityWindow = Window{"tomorrow", "2026-12-01"} }, []string{`capacityWindow.start: "tomorrow" is no time`, `capacityWindow.end: "2026-12-01" is no time`}},
		"no time to work": {reserved("capacity_block", "p5.48xlarge"), func(a *PoolArgs) {
			a.CapacityWindow = Window{"2026-12-01T11:30:00Z", "2026-12-01T12:15:00Z"}
		}, []string{"the nodes go 45 minutes before the end"}},
		"never empty": {reserved("capacity_block", "p5.48xlarge"), func(a *PoolArgs) {
			a.CapacityWindow, a.Size = Window{Start: "2026-12-01T11:30:00Z"}, Size{1, 1, 1}
		}, []string{"size: min is 1, and outside its window"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.change != nil {
				c.change(c.args)
			}
			refusal(t, c.args, c.says...)
		})
	}
}

func TestScheduleIsOfTheNodeGroupsOwnAutoScalingGroup(t *testing.T) {
	t.Parallel()
	args := reserved("capacity_block", "p5.48xlarge")
	args.CapacityWindow.End = "2026-12-08T11:30:00Z"
	args.Now = "2026-12-02T00:00:00Z"
	got := runPool(t, args).Get(t, tokenSchedule, "pool-end").Inputs
	if name := got["autoscalingGroupName"].StringValue(); name != "eks-pool-group" {
		t.Errorf("it is of %s", name)
	}
	if got["minSize"].NumberValue() != -1 || got["maxSize"].NumberValue() != -1 || got["desiredCapacity"].NumberValue() != 0 {
		t.Errorf("it changes more than the size: %v", got)
	}
}

// Nodes that start before their reservations are in the group find no room.
func TestNodesWaitForTheirReservations(t *testing.T) {
	t.Parallel()
	args := reserved("reservation", "p5.48xlarge")
	args.Reservation, args.Reservations = "", []string{reservationAt("a"), reservationAt("b")}
	graph := runPool(t, args)
	target := graph.Get(t, tokenTemplate, "pool-template").Inputs["capacityReservationSpecification"].ObjectValue()["capacityReservationTarget"].ObjectValue()
	if got := target["capacityReservationResourceGroupArn"].StringValue(); got != "${Group pool-reservations.arn}" || len(target) != 1 {
		t.Errorf("the target is %v", target)
	}
	if got := len(graph.OfType(tokenReservationGroup)); got != 1 {
		t.Errorf("there are %d groups", got)
	}
	waits := graph.Get(t, tokenNodeGroup, "pool-group").Dependencies
	for _, digit := range []string{"a", "b"} {
		if want := tokenMember + " pool-cr-0123456789abcdef" + digit; !slices.Contains(waits, want) {
			t.Errorf("the nodes wait for %v and not for %s", waits, want)
		}
	}
}
