package aws

import (
	"errors"
	"regexp"
	"time"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/autoscaling"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/internal/timetable"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	scheduleToken = "aws:autoscaling/schedule:Schedule"
	scalingGroup  = "resources[*].autoscalingGroups[*].name" // of a node group
)

// schedule is an action that an Auto Scaling group takes at a time. The only Auto Scaling groups of the embedded cloud
// are those of node groups. AWS forgets an action that was taken; so does the embedded cloud.
func schedule(a Account) *engine.Resource {
	const source = "EC2 Auto Scaling API, PutScheduledUpdateGroupAction"
	return &engine.Resource{
		Token: scheduleToken, Args: autoscaling.ScheduleArgs{}, State: autoscaling.Schedule{},
		Replace: []string{"autoscalingGroupName", "scheduledActionName"},
		Refs:    []engine.Ref{{Path: "autoscalingGroupName", To: nodeGroupToken, By: []string{scalingGroup}, Code: "ValidationError"}},
		Plan: []engine.Rule{
			shape("startTime", "has the form 2026-12-01T11:30:00Z", source, actionTime),
			shape("endTime", "has the form 2026-12-01T11:30:00Z", source, actionTime),
			recurs(source), timezoneKnown("timeZone", source),
			actionWhen, actionSizes,
		},
		Apply: []engine.Rule{actionAhead, actionAlone, actionFits, a.actionInBlock(), a.actionQuota()},
		Gone:  func(c *engine.Call) bool { return !c.In.Has("recurrence") && past(c, c.In.Str("startTime")) },
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			group, _ := c.Resolve("autoscalingGroupName")
			c.ComeWith(nodeGroupToken, group.ID)
			name, action := c.In.Str("autoscalingGroupName"), c.In.Str("scheduledActionName")
			h, err := c.NewHex("schedule")
			out := engine.Outputs{"arn": arn(c, "autoscaling", "scheduledUpdateGroupAction:"+uuid(h)+":autoScalingGroupName/"+name+":scheduledActionName/"+action)}
			for _, size := range sizeArgs {
				setDefault(c, out, size, -1)
			}
			setDefault(c, out, "timeZone", "Etc/UTC")
			return name + "/" + action, out, err
		},
	}
}

// sizeArgs are the sizes that an action sets; -1 leaves one as it is.
var sizeArgs = []string{"minSize", "maxSize", "desiredCapacity"}

var actionTime = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`)

// recurs is the rule on the time of an action that is taken again and again.
func recurs(source string) engine.Rule {
	return engine.Rule{
		Name: "action-recurs", Says: "`recurrence` has the five fields of cron, without `?`", Source: source + "; crontab(5)",
		Judge: func(c *engine.Call) error {
			if err := timetable.CheckCron(c.In.Str("recurrence")); err != nil && c.In.Str("recurrence") != "" {
				return engine.Invalid("recurrence", "got %q: %v", c.In.Str("recurrence"), err)
			}
			return nil
		},
	}
}

// timezoneKnown is the rule on the time zone of an action.
func timezoneKnown(path, source string) engine.Rule {
	return engine.Rule{
		Name: "timezone-known", Says: "`" + path + "` is a canonical name of the IANA Time Zone Database", Source: source,
		Judge: func(c *engine.Call) error {
			if zone := c.In.Str(path); zone != "" && !timetable.IsZone(zone) {
				return engine.Invalid(path, "%q is no canonical name of a time zone%s", zone, catalog.Instead(zone, timetable.Zones()))
			}
			return nil
		},
	}
}

// uuid formats hexadecimal digits as a UUID of version 4.
func uuid(h string) string {
	return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-8" + h[17:20] + "-" + h[20:32]
}

// past says whether a time, as actions have it, is over.
func past(c *engine.Call, text string) bool {
	t, err := time.Parse(time.RFC3339, text)
	return err == nil && !t.After(c.Time())
}

var actionWhen = engine.Rule{
	Name: "action-when", Says: "an action has a start time or a recurrence, and ends after it starts", Source: "EC2 Auto Scaling API, PutScheduledUpdateGroupAction",
	Judge: func(c *engine.Call) error {
		if !c.In.Has("startTime") && !c.In.Has("recurrence") {
			return engine.Invalid("startTime", "missing: give startTime, recurrence or both")
		}
		start, startErr := time.Parse(time.RFC3339, c.In.Str("startTime"))
		end, endErr := time.Parse(time.RFC3339, c.In.Str("endTime"))
		if startErr == nil && endErr == nil && !end.After(start) {
			return engine.Invalid("endTime", "%s is not after the start, %s", c.In.Str("endTime"), c.In.Str("startTime"))
		}
		return nil
	},
}

var actionSizes = engine.Rule{
	Name: "action-sizes", Says: "an action sets at least one size, and 0 ≤ min ≤ desired ≤ max; -1 leaves a size as it is", Source: "EC2 Auto Scaling API, PutScheduledUpdateGroupAction",
	Judge: func(c *engine.Call) error {
		set := map[string]int{}
		for _, name := range sizeArgs {
			n, ok := c.In.Int(name)
			switch {
			case c.In.Unknown(name):
				return nil
			case ok && n < -1:
				return engine.Invalid(name, "got %d, wanted 0 or more, or -1 to leave it as it is", n)
			case ok && n >= 0:
				set[name] = n
			}
		}
		if len(set) == 0 {
			return engine.Invalid("desiredCapacity", "the action sets no size: give minSize, maxSize or desiredCapacity")
		}
		for _, pair := range [][2]string{{"minSize", "desiredCapacity"}, {"desiredCapacity", "maxSize"}, {"minSize", "maxSize"}} {
			low, hasLow := set[pair[0]]
			high, hasHigh := set[pair[1]]
			if hasLow && hasHigh && low > high {
				return engine.Invalid(pair[0], "%d is more than %s, %d", low, pair[1], high)
			}
		}
		return nil
	},
}

var actionAhead = engine.Rule{
	Name: "action-ahead", Says: "an action starts in the future", Source: "EC2 Auto Scaling API, PutScheduledUpdateGroupAction (ValidationError)",
	Judge: func(c *engine.Call) error {
		if start := c.In.Str("startTime"); past(c, start) {
			return engine.Refuse("ValidationError", "Given start time %s is in the past; it is %s", start, c.Now())
		}
		return nil
	},
}

var actionAlone = engine.Rule{
	Name: "action-alone", Says: "no two actions of a group start at one time", Source: "EC2 Auto Scaling User Guide, \"Scheduled scaling for Amazon EC2 Auto Scaling\"",
	Judge: func(c *engine.Call) error {
		for _, other := range c.Others(scheduleToken) {
			same := other.In.Str("autoscalingGroupName") == c.In.Str("autoscalingGroupName")
			if start := c.In.Str("startTime"); same && start != "" && other.In.Str("startTime") == start {
				return engine.Refuse("ValidationError", "The action %s is scheduled at %s already; a group takes one action at a time", other.In.Str("scheduledActionName"), start)
			}
		}
		return nil
	},
}

var actionFits = engine.Rule{
	Name: "action-fits", Says: "the desired capacity lies within the group's sizes at that time", Source: "EC2 Auto Scaling User Guide, \"Scheduled scaling for Amazon EC2 Auto Scaling\"",
	Judge: func(c *engine.Call) error {
		want, ok := c.In.Int("desiredCapacity")
		if !ok || want < 0 {
			return nil
		}
		group, _ := c.Resolve("autoscalingGroupName")
		bound := func(name, ofGroup string) int {
			if n, ok := c.In.Int(name); ok && n >= 0 {
				return n
			}
			n, _ := group.In.Int("scalingConfig." + ofGroup)
			return n
		}
		if low, high := bound("minSize", "minSize"), bound("maxSize", "maxSize"); want < low || want > high {
			return engine.Refuse("ValidationError", "New SetDesiredCapacity value %d is outside the sizes of the group, %d to %d", want, low, high)
		}
		return nil
	},
}

// actionInBlock is the rule on actions that start nodes of a Capacity Block.
func (a Account) actionInBlock() engine.Rule {
	return engine.Rule{
		Name: "action-in-block", Says: "an action that starts nodes of a Capacity Block starts them while the block runs", Source: "EC2 Auto Scaling User Guide, \"Use Capacity Blocks for machine learning workloads\"",
		Judge: func(c *engine.Call) error {
			group, _ := c.Resolve("autoscalingGroupName")
			start, err := time.Parse(time.RFC3339, c.In.Str("startTime"))
			want, _ := c.In.Int("desiredCapacity")
			if err != nil || want <= 0 || group.In.Str("capacityType") != "CAPACITY_BLOCK" {
				return nil
			}
			t, err := a.target(c, group.In)
			if err != nil || t == nil {
				return nil // it was bought when the group was made
			}
			var errs []error
			for _, r := range t.reservations {
				if start.Before(r.Start) || !start.Before(r.End) {
					errs = append(errs, engine.Refuse("ValidationError", "The action starts nodes at %s, and %s runs from %s to %s: they would not launch",
						c.In.Str("startTime"), r.ID, r.Start.UTC().Format(time.RFC3339), r.End.UTC().Format(time.RFC3339)))
				}
			}
			return errors.Join(errs...)
		},
	}
}

func (a Account) actionQuota() engine.Rule {
	limit := a.limit("scheduled-actions")
	return engine.Rule{
		Name: "action-quota", Says: "at most " + itoa(limit) + " actions in a group", Source: scalingQuotas,
		Judge: func(c *engine.Call) error {
			n := 0
			for _, other := range c.Others(scheduleToken) {
				if other.In.Str("autoscalingGroupName") == c.In.Str("autoscalingGroupName") {
					n++
				}
			}
			if n >= limit {
				return engine.Refuse("LimitExceeded", "The group %s has %d of at most %d scheduled actions", c.In.Str("autoscalingGroupName"), n, limit)
			}
			return nil
		},
	}
}
