package aws

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	targetID    = "capacityReservationSpecification.capacityReservationTarget.capacityReservationId"
	targetGroup = "capacityReservationSpecification.capacityReservationTarget.capacityReservationResourceGroupArn"

	reservationSource = "EC2 User Guide, \"Reserve compute capacity with EC2 On-Demand Capacity Reservations\" and \"Capacity Blocks for ML\""
)

// targeted is what a node group reserves: by one id, or by a group of reservations.
type targeted struct {
	name         string // how refusals call it
	byGroup      bool
	reservations []Reservation
}

// target returns what the template of a node group reserves, or nothing, or a refusal where it is not there.
func (a Account) target(c *engine.Call, group engine.Props) (*targeted, error) {
	t, _ := templateOf(c, group)
	if id := t.In.Str(targetID); id != "" {
		r, ok := a.reservation(id)
		if !ok {
			return nil, a.unbought(wouldFit(c, group, id))
		}
		return &targeted{name: "the capacity reservation " + id, reservations: []Reservation{r}}, nil
	}
	arn := t.In.Str(targetGroup)
	if arn == "" {
		return nil, nil
	}
	found := &targeted{name: "the group of capacity reservations " + arn, byGroup: true}
	for _, member := range c.All(groupMemberToken) {
		if r, ok := a.reservation(reservationOf(member.In.Str("resourceArn"))); ok && member.In.Str("groupArn") == arn {
			found.reservations = append(found.reservations, r)
		}
	}
	if len(found.reservations) == 0 {
		return nil, engine.Refuse("InvalidParameterException", "The resource group %s holds no capacity reservation: add one, and let the node group depend on it", arn)
	}
	return found, nil
}

// reservationOf returns the id at the end of a reservation's ARN.
func reservationOf(arn string) string { return arn[strings.LastIndex(arn, "/")+1:] }

// wouldFit returns the reservation with an id that would serve a node group.
func wouldFit(c *engine.Call, group engine.Props, id string) Reservation {
	r := Reservation{ID: id, Count: 1}
	if types := typesOfGroup(c, group); len(types) > 0 {
		r.InstanceType = types[0]
	}
	if zones := nodeZones(c); len(zones) > 0 {
		r.Zone = zones[0].id
	}
	if n, ok := group.Int("scalingConfig.maxSize"); ok {
		r.Count = n
	}
	if group.Str("capacityType") == "CAPACITY_BLOCK" {
		r.Kind = CapacityBlock
		r.Start = c.Time().UTC().Truncate(24 * time.Hour)
		r.End = r.Start.Add(14 * 24 * time.Hour)
	}
	return r
}

// reserved makes a rule on node groups that reserve capacity.
func (a Account) reserved(name, says, source string, judge func(c *engine.Call, t *targeted) error) engine.Rule {
	return engine.Rule{
		Name: name, Says: says, Source: source,
		Judge: func(c *engine.Call) error {
			t, err := a.target(c, c.In)
			if err != nil || t == nil {
				return nil // reservationBought says so
			}
			return judge(c, t)
		},
	}
}

// reservationRules are the rules on node groups whose template names a reservation.
func (a Account) reservationRules() []engine.Rule {
	return []engine.Rule{
		a.reservationBought(),
		a.reserved("reservation-type", "a reservation's instance type is the group's", reservationSource, reservedType),
		a.reserved("reservation-zone", "a reservation's zone is that of the group's subnets", reservationSource, reservedZone),
		a.reserved("reservation-count", "a group's maximum is within what is reserved, and so are the nodes of all groups that share it", reservationSource, a.reservedCount),
		a.reserved("reservation-market", "Capacity Blocks go with CAPACITY_BLOCK, other reservations with ON_DEMAND", reservationSource, reservedMarket),
		a.reserved("reservation-time", "nodes are desired only between the start and the end of what is reserved", "EKS User Guide, \"Create a managed node group with Capacity Blocks for ML\"", reservedTime),
		a.reserved("reservation-placement", "a reservation is used without a placement group, since it was not bought for one", "EC2 User Guide, \"Use Capacity Reservations with cluster placement groups\"; eksctl#7949", reservedPlacement),
	}
}

func (a Account) reservationBought() engine.Rule {
	return engine.Rule{
		Name: "reservation-bought", Says: "a reservation that the template names was bought (see reservations.json), and a group of them holds some", Source: reservationSource,
		Judge: func(c *engine.Call) error {
			_, err := a.target(c, c.In)
			return err
		},
	}
}

// launchFailure is how EKS reports that nodes cannot be launched.
// Source: EKS API, Issue.
func launchFailure(format string, args ...any) error {
	return engine.Refuse("AsgInstanceLaunchFailures", "Could not launch instances. ReservationCapacityExceeded - "+
		"The requested reservation does not have sufficient compatible and available capacity for this request: "+format, args...)
}

func reservedType(c *engine.Call, t *targeted) error {
	var errs []error
	types := instanceTypes(c)
	for _, r := range t.reservations {
		if !slices.Contains(types, r.InstanceType) || len(types) > 1 && !t.byGroup {
			errs = append(errs, launchFailure("%s is for %s, the node group has %s", r.ID, r.InstanceType, list(types)))
		}
	}
	return errors.Join(errs...)
}

func reservedZone(c *engine.Call, t *targeted) error {
	var errs []error
	zones := nodeZones(c)
	var ids []string
	for _, z := range zones {
		ids = append(ids, z.name+" ("+z.id+")")
	}
	for _, r := range t.reservations {
		here := func(z zone) bool { return z.id == r.Zone }
		if !slices.ContainsFunc(zones, here) || len(zones) > 1 && !t.byGroup {
			errs = append(errs, launchFailure("%s is in the zone %s, the node group's subnets are in %s", r.ID, r.Zone, list(ids)))
		}
	}
	return errors.Join(errs...)
}

// reservedCount judges by the group's maximum, since growth towards it would fail, and by what all groups run.
func (a Account) reservedCount(c *engine.Call, t *targeted) error {
	have := 0
	for _, r := range t.reservations {
		have += r.Count
	}
	if high, _ := c.In.Int("scalingConfig.maxSize"); high > have {
		return launchFailure("%s has %d instances, the node group's maxSize is %d; lower it, or reserve more", t.name, have, high)
	}
	want, _ := c.In.Int("scalingConfig.desiredSize")
	others := 0
	for _, group := range c.Others(nodeGroupToken) {
		if theirs, err := a.target(c, group.In); err == nil && theirs != nil && theirs.name == t.name {
			n, _ := group.In.Int("scalingConfig.desiredSize")
			others += n
		}
	}
	if want > 0 && want+others > have {
		return launchFailure("%s has %d instances, %d of them in use by other node groups, and this one wants %d", t.name, have, others, want)
	}
	return nil
}

func reservedMarket(c *engine.Call, t *targeted) error {
	capacity := c.In.Str("capacityType")
	for _, r := range t.reservations {
		switch {
		case r.IsBlock() && capacity != "CAPACITY_BLOCK":
			return launchFailure("%s is a Capacity Block; set capacityType to CAPACITY_BLOCK, and the market type capacity-block in the template", r.ID)
		case !r.IsBlock() && capacity == "CAPACITY_BLOCK":
			return launchFailure("%s is an On-Demand Capacity Reservation; set capacityType to ON_DEMAND, and no market in the template", r.ID)
		case capacity == "SPOT":
			return launchFailure("Spot Instances do not run in a reservation; set capacityType to ON_DEMAND")
		}
	}
	return nil
}

// reservedTime refuses nodes outside the window: EKS would keep failing to launch them, with no end.
func reservedTime(c *engine.Call, t *targeted) error {
	desired, _ := c.In.Int("scalingConfig.desiredSize")
	if desired == 0 {
		return nil
	}
	now := c.Time().UTC()
	for _, r := range t.reservations {
		if now.Before(r.Start) {
			return launchFailure("%s begins at %s, and it is %s; until then desiredSize has to be 0, and a scheduled action raises it", r.ID, r.Start.UTC().Format(time.RFC3339), now.Format(time.RFC3339))
		}
		if !r.End.IsZero() && !now.Before(r.End) {
			return launchFailure("%s ended at %s, and it is %s; set desiredSize to 0, or name another reservation", r.ID, r.End.UTC().Format(time.RFC3339), now.Format(time.RFC3339))
		}
	}
	return nil
}

func reservedPlacement(c *engine.Call, t *targeted) error {
	template, _ := templateOf(c, c.In)
	if group := template.In.Str("placement.groupName"); group != "" {
		return launchFailure("%s was not bought for the placement group %s; leave the group out, the reservation decides where its instances are", t.name, group)
	}
	return nil
}

// blockUpgrade is the rule on new images and templates for the nodes of a Capacity Block.
var blockUpgrade = engine.Rule{
	Name: "block-upgrade", Says: "nodes of a Capacity Block get another template, image or Kubernetes version only at a desired size of 0: there is no spare instance to roll them over",
	Source: "EKS User Guide, \"Create a managed node group with Capacity Blocks for ML\"",
	Judge: func(c *engine.Call) error {
		desired, _ := c.In.Int("scalingConfig.desiredSize")
		if c.ID == "" || desired == 0 || c.In.Str("capacityType") != "CAPACITY_BLOCK" {
			return nil
		}
		for _, path := range []string{"launchTemplate.version", "releaseVersion", "version"} {
			if was, now := c.Was.Str(path), c.In.Str(path); was != "" && now != "" && was != now {
				return engine.Refuse("InvalidRequestException", "The nodes of a Capacity Block cannot be rolled over from %s %s to %s while %d are desired; set desiredSize to 0 first", path, was, now, desired)
			}
		}
		return nil
	},
}

// reservationTarget is the rule on what a launch template says about reservations.
var reservationTarget = engine.Rule{
	Name: "reservation-target", Says: "a template names one reservation by a well-formed id or one group of them, with a legal preference beside it or instead", Source: "EC2 API, LaunchTemplateCapacityReservationSpecificationRequest; eksctl#8542, #8320",
	Judge: func(c *engine.Call) error {
		const spec = "capacityReservationSpecification"
		preference := c.In.Str(spec + ".capacityReservationPreference")
		legal := []string{"capacity-reservations-only", "none", "open"}
		if preference != "" && !slices.Contains(legal, preference) {
			return engine.Invalid(spec+".capacityReservationPreference", "got %q, wanted one of %s", preference, nearOrAll(preference, legal))
		}
		if id := c.In.Str(targetID); id != "" && !reservationID.MatchString(id) {
			return &engine.Error{Path: targetID, Code: "InvalidCapacityReservationId.Malformed", Message: "Invalid id: \"" + id + "\" (expecting \"cr-\" and 17 hexadecimal digits)"}
		}
		if c.In.Has(spec+".capacityReservationTarget") && count(c.In, []string{targetID, targetGroup}) != 1 {
			return engine.Invalid(spec+".capacityReservationTarget", "names %d targets; give exactly one of capacityReservationId and capacityReservationResourceGroupArn", count(c.In, []string{targetID, targetGroup}))
		}
		return nil
	},
}
