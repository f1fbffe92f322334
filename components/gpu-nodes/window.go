package gpunodes

import (
	"time"

	"github.com/gpuyard/gpuyard/components/internal/argument"
)

// scaleDownBefore is how long before the end of a Capacity Block its nodes are drained. EC2 ends what still runs 30
// minutes before the end, so this leaves a quarter of an hour for pods to go; EKS's own schedule begins only 40 minutes
// before.
// Source: EC2 Auto Scaling User Guide, "Use Capacity Blocks for machine learning workloads"; EKS User Guide, "Create a
// managed node group with Capacity Blocks for ML".
const scaleDownBefore = 45 * time.Minute

// checkWindow reports times that are none, or that leave no time to work.
func checkWindow(c *argument.Checker, a *PoolArgs) {
	if a.CapacityWindow == (Window{}) {
		return
	}
	if a.Capacity != capacityBlock {
		c.Failf("capacityWindow", "capacity of kind %s has no beginning and end: capacity_block has", a.Capacity)
	}
	parseTime(c, "now", a.Now)
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

// scaling is a change of a pool's size at a time.
type scaling struct {
	name, time string // time in UTC, as EC2 Auto Scaling wants it
	desired    int
}

// waits says whether a pool's Capacity Block has yet to begin. Before, every launch fails, so the pool has no nodes.
func (p *poolPlan) waits() bool {
	w := p.args.CapacityWindow
	return w.Start != "" && p.now().Before(instant(w.Start))
}

// isOver says whether the nodes of a pool's Capacity Block are gone, or must go now.
func (p *poolPlan) isOver() bool {
	w := p.args.CapacityWindow
	return w.End != "" && !p.now().Before(instant(w.End).Add(-scaleDownBefore))
}

// now is the time that the window is judged by.
func (p *poolPlan) now() time.Time { return instant(p.args.Now) }

// instant is a time that has been checked. One that is left out is zero.
func instant(text string) time.Time {
	t, _ := time.Parse(time.RFC3339, text)
	return t
}

// desired is how many nodes a pool has by its arguments: none while its Capacity Block does not run.
func (p *poolPlan) desired() int {
	if p.waits() || p.isOver() {
		return 0
	}
	return p.args.Size.Desired
}

// schedule returns when a pool's size will change: up when its Capacity Block begins, and to zero before it ends. What is
// past is not among it: EC2 Auto Scaling refuses an action whose time has come, and forgets one that it has taken. From
// then on the desired size says it.
// Source: EC2 Auto Scaling API, PutScheduledUpdateGroupAction.
func (p *poolPlan) schedule() []scaling {
	var list []scaling
	w := p.args.CapacityWindow
	at := func(t time.Time) string { return t.UTC().Format(time.RFC3339) }
	if p.waits() {
		list = append(list, scaling{"start", at(instant(w.Start)), p.args.Size.Desired})
	}
	if w.End != "" && !p.isOver() {
		list = append(list, scaling{"end", at(instant(w.End).Add(-scaleDownBefore)), 0})
	}
	return list
}
