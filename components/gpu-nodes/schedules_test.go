package gpunodes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/gpuyard/gpuyard/internal/timetable"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// timed returns valid arguments of a pool of up to four nodes with schedules.
func timed(schedules ...Schedule) *PoolArgs {
	args := poolArgs("g6.xlarge")
	args.Size, args.Schedules = Size{Min: 1, Desired: 2, Max: 4}, schedules
	return args
}

func TestSchedulesRefused(t *testing.T) {
	t.Parallel()
	const cron = "0 7 * * MON-FRI"
	var many []Schedule
	for i := range timetable.Most + 1 {
		many = append(many, Schedule{Name: fmt.Sprint(i), Cron: fmt.Sprintf("%d %d * * *", i%60, i/60), Desired: 1})
	}
	block := reserved("capacity_block", "p5.48xlarge")
	block.Schedules = []Schedule{{Name: "day", Cron: cron, Desired: 1}}
	for name, c := range map[string]struct {
		args *PoolArgs
		says string
	}{
		"no name":        {timed(Schedule{Cron: cron, Desired: 1}), `schedules: "" is no name`},
		"name twice":     {timed(Schedule{Name: "day", Cron: cron, Desired: 1}, Schedule{Name: "day", Cron: "0 8 * * *", Desired: 1}), `schedules: "day" is no name`},
		"cron":           {timed(Schedule{Name: "day", Cron: cron + " *", Desired: 1}), `schedules: day: cron has the five fields`},
		"zone":           {timed(Schedule{Name: "day", Cron: cron, Timezone: "Europe/Berlim", Desired: 1}), `schedules: day: "Europe/Berlim" is no canonical name of a time zone: did you mean Europe/Berlin`},
		"too few":        {timed(Schedule{Name: "day", Cron: cron, Desired: 0}), `schedules: day: desired is 0, and the size allows 1 to 4`},
		"too many":       {timed(Schedule{Name: "day", Cron: cron, Desired: 5}), `schedules: day: desired is 5, and the size allows 1 to 4`},
		"same time":      {timed(Schedule{Name: "day", Cron: cron, Desired: 1}, Schedule{Name: "early", Cron: cron, Timezone: "Etc/UTC", Desired: 2}), `schedules: day and early are at the same time`},
		"over quota":     {timed(many...), `schedules: 126 are given: a pool has 125 at most`},
		"capacity block": {block, `schedules: a Capacity Block's nodes come at its start`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			refusal(t, c.args, c.says)
		})
	}
}

// An update that came between two schedules must not undo the first.
func TestSizeIsTheSchedulesOnceThePoolIsMade(t *testing.T) {
	t.Parallel()
	for ignored, args := range map[bool]*PoolArgs{true: timed(Schedule{Name: "day", Cron: "0 7 * * *", Desired: 1}), false: timed()} {
		group := runPool(t, args).Get(t, tokenNodeGroup, "pool-group")
		if got := slices.ContainsFunc(group.Options, func(o string) bool { return strings.Contains(o, "scalingConfig.desiredSize") }); got != ignored {
			t.Errorf("with %d schedules, changes of the size are ignored: %t", len(args.Schedules), got)
		}
	}
}

// A pool that is renamed keeps its actions: the engine knows them by the former name, and AWS calls them as before.
func TestRenamedPoolKeepsItsSchedules(t *testing.T) {
	t.Parallel()
	args := timed(Schedule{Name: "day", Cron: "0 7 * * *", Desired: 1})
	before := runPool(t, args).Get(t, tokenSchedule, "pool.day")
	args.RenamedFrom = "pool"
	after := pulumitest.Run(t, func(ctx *pulumi.Context) error {
		_, err := NewPool(ctx, "train", args)
		return err
	}, world()).Get(t, tokenSchedule, "train.day")
	if !slices.Contains(after.Options, "alias: pool.day") {
		t.Errorf("its options are %v", after.Options)
	}
	if old, now := before.Inputs["scheduledActionName"], after.Inputs["scheduledActionName"]; !now.DeepEquals(old) {
		t.Errorf("the action was called %v and is called %v", old, now)
	}
}
