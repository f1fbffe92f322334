package picture

import (
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/stacks"
)

// inVPC are the pools on EC2.
func inVPC(plan *stacks.Plan) []stacks.PoolPlan {
	return slices.DeleteFunc(slices.Clone(plan.Pools), func(p stacks.PoolPlan) bool { return p.Pool.Hosts != nil })
}

// racks draws the pools of servers below the VPC, each in a box with its hosts. It returns where the last one ends.
func (d *drawing) racks(y int) int {
	for _, p := range d.plan.Pools {
		if p.Pool.Hosts == nil {
			continue
		}
		y += gap
		height := poolHead + chipRows(p) + 8
		d.c.titled("node_pool %q: %d hosts", p.Pool.Name.Value, len(p.Pool.Hosts.Addresses))
		d.c.rect(margin, y, d.width-2*margin, height, poolFill, poolLine)
		d.c.text(margin+gap, y+20, 14, ink, "600", "%s", p.Pool.Name.Value)
		d.c.text(margin+gap, y+38, 12, ink, "400", "%d hosts outside AWS: %s", len(p.Pool.Hosts.Addresses), hostList(p))
		d.c.text(margin+gap, y+54, 12, faint, "400", "prepared over SSH, joined as EKS hybrid nodes, fabric %s", p.Pool.Fabric.Value)
		d.chips(p, margin+gap, y+poolHead)
		d.c.end()
		y += height
	}
	return y
}

// hostList are the first hosts of a pool; a picture has no room for a hundred.
func hostList(p stacks.PoolPlan) string {
	const most = 6
	var names []string
	for i, a := range p.Pool.Hosts.Addresses {
		if i == most {
			names = append(names, "…")
			break
		}
		names = append(names, a.Value)
	}
	return strings.Join(names, ", ")
}
