package gpunodes

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// aBlock is a week of capacity, given with an offset that Auto Scaling does not take.
var aBlock = Window{"2026-12-01T12:30:00+01:00", "2026-12-08T11:30:00Z"}

// TestWindow walks a clock through a Capacity Block: what the pool has at each time, and nothing that is past, which EC2
// Auto Scaling refuses. Before a block begins every launch in it fails.
func TestWindow(t *testing.T) {
	t.Parallel()
	start, end := scaling{"start", "2026-12-01T11:30:00Z", 8}, scaling{"end", "2026-12-08T10:45:00Z", 0}
	for _, c := range []struct {
		name    string
		window  Window
		now     string
		desired int
		actions []scaling
	}{
		{"no window", Window{}, "2026-12-01T11:30:00Z", 8, nil},
		{"long before", aBlock, "2026-11-01T00:00:00Z", 0, []scaling{start, end}},
		{"a second before", aBlock, "2026-12-01T11:29:59Z", 0, []scaling{start, end}},
		{"as it begins", aBlock, "2026-12-01T11:30:00Z", 8, []scaling{end}},
		{"in the middle", aBlock, "2026-12-05T00:00:00Z", 8, []scaling{end}},
		{"a second before its nodes go", aBlock, "2026-12-08T10:44:59Z", 8, []scaling{end}},
		{"as its nodes go", aBlock, "2026-12-08T10:45:00Z", 0, nil},
		{"as it ends", aBlock, "2026-12-08T11:30:00Z", 0, nil},
		{"long after", aBlock, "2027-12-08T11:30:00Z", 0, nil},
		{"only a start, before", Window{Start: aBlock.Start}, "2026-11-30T00:00:00Z", 0, []scaling{start}},
		{"only a start, after", Window{Start: aBlock.Start}, "2026-12-02T00:00:00Z", 8, nil},
		{"only an end, before", Window{End: aBlock.End}, "2026-11-30T00:00:00Z", 8, []scaling{end}},
		{"only an end, after", Window{End: aBlock.End}, "2026-12-09T00:00:00Z", 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := &poolPlan{args: PoolArgs{CapacityWindow: c.window, Now: c.now, Size: Size{Desired: 8, Max: 8}}}
			if got := p.desired(); got != c.desired {
				t.Errorf("%d nodes, want %d", got, c.desired)
			}
			if got := p.schedule(); !reflect.DeepEqual(got, c.actions) {
				t.Errorf("scheduled are %v, want %v", got, c.actions)
			}
		})
	}
}

// A schedule that fires while an update runs must not be undone by it, and a block that runs has the size that is said.
func TestSizeIsTheSchedulesUntilTheBlockBegins(t *testing.T) {
	t.Parallel()
	for now, ignored := range map[string]bool{"2026-11-30T00:00:00Z": true, "2026-12-02T00:00:00Z": false, "2026-12-09T00:00:00Z": false} {
		args := reserved("capacity_block", "p5.48xlarge")
		args.CapacityWindow, args.Now, args.Size = aBlock, now, Size{Desired: 4, Max: 4}
		group := runPool(t, args).Get(t, tokenNodeGroup, "pool-group")
		got := slices.ContainsFunc(group.Options, func(o string) bool { return strings.Contains(o, "scalingConfig.desiredSize") })
		if got != ignored {
			t.Errorf("at %s changes of the size are ignored: %t", now, got)
		}
	}
}

func TestAClockThatIsNone(t *testing.T) {
	t.Parallel()
	args := reserved("capacity_block", "p5.48xlarge")
	args.CapacityWindow, args.Now = aBlock, "noon"
	refusal(t, args, `now: "noon" is no time`)
}
