package blueprint

import (
	"fmt"
	"strings"

	"github.com/gpuyard/gpuyard/internal/timetable"
	"github.com/hashicorp/hcl/v2"
)

// checkSchedules refuses timetables of pools that EC2 Auto Scaling would refuse, that leave the size to chance, or that take
// nodes away from what keeps data on them.
//
// Source: EC2 Auto Scaling API, PutScheduledUpdateGroupAction.
func checkSchedules(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	stores := keepers(b)
	for _, p := range b.NodePools {
		if len(p.Schedules) == 0 || p.Hosts != nil { // checkPoolSource refuses those of hosts
			continue
		}
		if p.Capacity.Kind.Value == "capacity_block" {
			diags = append(diags, errorf(p.Schedules[0].Range, "Schedules in a Capacity Block", "The nodes of a Capacity Block come at its start and go before its end. Leave schedules out, or buy capacity of another kind."))
		}
		if n := len(p.Schedules); n > timetable.Most {
			diags = append(diags, errorf(p.Schedules[timetable.Most].Range, "Too many schedules", "A pool has %d schedules at most, and this one has %d.", timetable.Most, n))
		}
		names, times := map[string]bool{}, map[string]string{}
		for _, s := range p.Schedules {
			diags = append(diags, judgeScheduleName(s.Name, names)...)
			diags = append(diags, judgeTime(s, times)...)
			diags = append(diags, judgeScheduledSize(p, s.Desired, stores[p])...)
		}
	}
	return diags
}

// judgeScheduleName refuses a name that another schedule has, or that cannot become part of other names.
func judgeScheduleName(name Value[string], taken map[string]bool) hcl.Diagnostics {
	if !name.IsSet() {
		return nil
	}
	twice := taken[name.Value]
	taken[name.Value] = true
	if !twice && plainName.MatchString(name.Value) {
		return nil
	}
	return hcl.Diagnostics{errorf(name.Range, "Illegal name of a schedule", "%q is not made of lower-case letters, digits and dashes, or another schedule has it already.", name.String())}
}

// judgeTime refuses what is no time that recurs, and the time of another schedule: which of them came last would be chance.
func judgeTime(s PoolSchedule, taken map[string]string) hcl.Diagnostics {
	if !s.Cron.IsSet() || s.Cron.Sensitive { // which is refused where it stands, and what follows would show parts of it
		return nil
	}
	if err := timetable.CheckCron(s.Cron.Value); err != nil {
		return hcl.Diagnostics{errorf(s.Cron.Range, "Illegal schedule", "%q is no time such as 0 7 * * MON-FRI: %v.", s.Cron.String(), err)}
	}
	time := strings.ToUpper(strings.Join(strings.Fields(s.Cron.Value), " ")) + " " + s.Timezone.Value
	if other, twice := taken[time]; twice {
		return hcl.Diagnostics{errorf(s.Cron.Range, "Two schedules at one time", "The schedule %q of this pool has the same time in the same time zone. Leave one of them out.", other)}
	}
	taken[time] = s.Name.Value
	return nil
}

// judgeScheduledSize refuses a number of nodes beyond the pool's size, or too small for what is kept on them.
func judgeScheduledSize(p *NodePool, nodes Value[int], stores []keeper) hcl.Diagnostics {
	if !nodes.IsSet() {
		return nil
	}
	var diags hcl.Diagnostics
	if low, high := p.Size.Min, p.Size.Max; low.IsSet() && high.IsSet() && (nodes.Value < low.Value || nodes.Value > high.Value) {
		diags = append(diags, errorf(nodes.Range, "Size out of bounds", "A schedule may ask for %d to %d nodes, as the size of this pool says, and asks for %d.", low.Value, high.Value, nodes.Value))
	}
	for _, k := range stores {
		if nodes.Value < k.least {
			diags = append(diags, errorf(nodes.Range, "Nodes that hold data", "%s. Write desired = %d at least, or keep it on a pool without schedules.", k.why, k.least))
		}
	}
	return diags
}

// A keeper keeps data on nodes of a pool.
type keeper struct {
	why   string
	least int // nodes that it needs
}

// keepers finds what keeps data on which pool. A Ceph loses what is on the local disks of nodes that go, and takes no writes
// with fewer nodes than copies; a cache fetches anew what it lost, but nobody reads through it without a node.
func keepers(b *Blueprint) map[*NodePool][]keeper {
	out := map[*NodePool][]keeper{}
	for _, s := range b.Storage {
		if s.Ceph == nil || s.Ceph.Pool.Value == nil {
			continue
		}
		c, pool := s.Ceph, s.Ceph.Pool.Value
		k := keeper{fmt.Sprintf("storage.%s keeps %d copies, each on another node", s.Name.Value, c.Replicas.Value), c.Replicas.Value}
		if _, most := pool.Wanted(); most > k.least && !c.Scratch.Value && !c.VolumeSize.IsSet() {
			k = keeper{fmt.Sprintf("storage.%s keeps data on the disks of all nodes, and nodes that go take theirs with them", s.Name.Value), most}
		}
		out[pool] = append(out[pool], k)
	}
	for _, c := range b.Caches {
		if c.Alluxio != nil {
			pool := b.CacheNodes(c.Alluxio)
			out[pool] = append(out[pool], keeper{fmt.Sprintf("cache.%s cannot be read without a node", c.Name.Value), 1})
		}
	}
	return out
}
