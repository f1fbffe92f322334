package gpunodes

import (
	"cmp"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/internal/timetable"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Schedule sets the number of nodes at a time that recurs. It stays until another schedule comes.
type Schedule struct {
	Name string `pulumi:"name"`
	// Cron is when, in the five fields of cron, "0 7 * * MON-FRI" say.
	Cron string `pulumi:"cron"`
	// Timezone is where, by the canonical name of a time zone, "Etc/UTC" when it is empty.
	Timezone string `pulumi:"timezone,optional"`
	// Desired is how many nodes there are from then on, within the pool's size.
	Desired int `pulumi:"desired"`
}

func (s Schedule) zone() string { return cmp.Or(s.Timezone, "Etc/UTC") }

// checkSchedules reports a timetable that EC2 Auto Scaling would refuse, or that leaves the size to chance.
// Source: EC2 Auto Scaling API, PutScheduledUpdateGroupAction.
func checkSchedules(c *argument.Checker, a *PoolArgs) {
	if len(a.Schedules) > 0 && a.Capacity == capacityBlock {
		c.Failf("schedules", "a Capacity Block's nodes come at its start and go before its end: leave them out")
	}
	if n := len(a.Schedules); n > timetable.Most {
		c.Failf("schedules", "%d are given: a pool has %d at most", n, timetable.Most)
	}
	names, times := map[string]bool{}, map[Schedule]string{}
	for _, s := range a.Schedules {
		if s.Name == "" || names[s.Name] {
			c.Failf("schedules", "%q is no name of one of them: each has its own", s.Name)
		}
		names[s.Name] = true
		if err := timetable.CheckCron(s.Cron); err != nil {
			c.Failf("schedules", "%s: %v", s.Name, err)
		}
		if !timetable.IsZone(s.zone()) {
			c.Failf("schedules", "%s: %q is no canonical name of a time zone%s", s.Name, s.Timezone, catalog.Instead(s.Timezone, timetable.Zones()))
		}
		if s.Desired < a.Size.Min || s.Desired > a.Size.Max {
			c.Failf("schedules", "%s: desired is %d, and the size allows %d to %d", s.Name, s.Desired, a.Size.Min, a.Size.Max)
		}
		time := Schedule{Cron: s.Cron, Timezone: s.zone()}
		if other, twice := times[time]; twice {
			c.Failf("schedules", "%s and %s are at the same time", other, s.Name)
		}
		times[time] = s.Name
	}
}

// scheduleInputs returns schedules as component inputs.
func scheduleInputs(schedules []Schedule) pulumi.MapArray {
	list := pulumi.MapArray{}
	for _, s := range schedules {
		list = append(list, pulumi.Map{
			"name": pulumi.String(s.Name), "cron": pulumi.String(s.Cron), "timezone": pulumi.String(s.zone()), "desired": pulumi.Int(s.Desired),
		})
	}
	return list
}
