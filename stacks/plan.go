package stacks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/catalog"
	gpunodes "github.com/gpuyard/gpuyard/components/gpu-nodes"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

// Plan is what a blueprint comes to before any cloud is asked.
type Plan struct {
	// Blueprint is what the plan was made from.
	Blueprint *blueprint.Blueprint
	// Pools has one entry for each node pool, in the blueprint's order.
	Pools []PoolPlan
	// Cost is what all pools cost an hour.
	Cost Cost

	// catalog is what the hardware is.
	catalog *catalog.Catalog
}

// PoolPlan is everything that is derived from one node pool.
type PoolPlan struct {
	// Pool is what the blueprint says.
	Pool *blueprint.NodePool
	// Zones are the zones that the pool's nodes are placed in, as the blueprint writes them.
	Zones []string
	// Interfaces is the interface plan of the pool's first instance type; with a fabric it is that of all of them.
	Interfaces catalog.InterfacePlan
	// MaxPods is how many pods one node takes: the smallest number of the pool's types.
	MaxPods int
	// Hugepages2Mi is how many huge pages of 2 MiB each node has reserved for the fabric.
	Hugepages2Mi int
	// AMIType is the EKS image family, and CUSTOM for an image that the blueprint names.
	AMIType string
	// Profile is the node profile with everything it inherits.
	Profile blueprint.Profile
	// Host is what a pool of servers is prepared to be; empty for a pool on EC2.
	Host profile.Profile
	// System is how the profile reaches the operating system of the nodes.
	System gpunodes.System
	// Placement says whether the nodes are put close together in a cluster placement group.
	Placement bool
	// Price is the list price of the dearest of the pool's types in USD an hour; Priced is false if none is known.
	Price  catalog.Price
	Priced bool

	// server is what one of a pool of servers is.
	server *catalog.InstanceType
}

// Nodes is how many nodes the pool wants, for people: those that are desired, or the fewest and the most by its schedules.
func (p PoolPlan) Nodes() string {
	if least, most := p.Pool.Wanted(); p.scheduled() {
		return fmt.Sprintf("%d-%d scheduled", least, most)
	}
	return fmt.Sprint(p.Pool.Size.Desired.Value)
}

func (p PoolPlan) scheduled() bool { return len(p.Pool.Schedules) > 0 }

// TypeNames are the names of the pool's instance types, in order of preference.
func (p PoolPlan) TypeNames() []string { return values(p.Pool.InstanceTypes) }

// Cost is the list price an hour of a number of nodes.
type Cost struct {
	// Desired and Max are the price with every pool at its desired size, or the most that its schedules want, and at its
	// maximum.
	Desired, Max float64
	// Scheduled says whether a pool has schedules.
	Scheduled bool
	// Currency is the currency of both.
	Currency string
	// StandIn names the region whose prices stand in where the environment's own are not known; "" if none does.
	StandIn string
	// Unpriced are the instance types whose price is not known; they are not in the sums.
	Unpriced []string
}

// NewPlan works out the plan of a blueprint. The diagnostics name every part of the blueprint that cannot be built.
func NewPlan(b *blueprint.Blueprint, cat *catalog.Catalog) (*Plan, *blueprint.Diagnostics) {
	profiles := judgeProfiles(b)
	diags := append(refuseUnbuilt(b), profiles...)
	plan := &Plan{Blueprint: b, Cost: Cost{Currency: "USD"}, catalog: cat}
	if profiles.HasErrors() { // and each pool would say so once more
		return plan, b.Diagnostics(diags)
	}
	for _, pool := range b.NodePools {
		p, err := planPool(b, pool, cat)
		if err != nil {
			diags = append(diags, poolError(pool, err))
			continue
		}
		if pool.Hosts != nil {
			diags = append(diags, warnKubelet(p)...)
			plan.Pools = append(plan.Pools, p)
			continue
		}
		var more hcl.Diagnostics
		p.System, more = planSystem(pool)
		if more = append(more, judgeHugepages(p)...); !more.HasErrors() {
			more = append(more, judgePool(plan, p)...)
		}
		diags = append(diags, more...)
		plan.Pools = append(plan.Pools, p)
		plan.Cost.add(p)
	}
	return plan, b.Diagnostics(diags)
}

func planPool(b *blueprint.Blueprint, pool *blueprint.NodePool, cat *catalog.Catalog) (PoolPlan, error) {
	if pool.Hosts != nil {
		return planHosts(pool)
	}
	p := PoolPlan{Pool: pool, Zones: pool.Zones(b.Network)}
	if pool.Profile != nil {
		p.Profile = pool.Profile.Resolved()
	}
	fabric := catalog.Fabric(pool.Fabric.Value)
	for i, t := range pool.Types {
		interfaces, err := t.InterfacePlan(fabric)
		if err != nil {
			return p, err
		}
		if i == 0 {
			p.Interfaces, p.MaxPods = interfaces, t.MaxPods(interfaces)
		}
		p.MaxPods = min(p.MaxPods, t.MaxPods(interfaces))
		if price, ok := cat.Price(t.Name, b.Environment.Region.Value); ok && price.PerHour >= p.Price.PerHour {
			p.Price, p.Priced = price, true
		}
	}
	var err error
	p.Hugepages2Mi = catalog.Hugepages2Mi(p.Interfaces)
	p.Placement = fabric == catalog.FabricEFA && !reserved(pool.Capacity)
	switch {
	case pool.AMI.Value != "":
		p.AMIType = "CUSTOM"
	case pool.OS.Value == "bottlerocket":
		p.AMIType, err = gpunodes.BottlerocketAMIType(pool.Types[0])
	default:
		p.AMIType, err = gpunodes.AMIType(pool.Types[0])
	}
	return p, err
}

// reserved says whether a pool draws from capacity that was reserved, which has a placement of its own.
func reserved(c blueprint.Capacity) bool {
	return c.Kind.Value == "reservation" || c.Kind.Value == "capacity_block"
}

func (c *Cost) add(p PoolPlan) {
	if !p.Priced {
		for _, t := range p.Pool.Types {
			c.Unpriced = append(c.Unpriced, t.Name)
		}
		slices.Sort(c.Unpriced)
		c.Unpriced = slices.Compact(c.Unpriced)
		return
	}
	_, most := p.Pool.Wanted()
	c.Desired += p.Price.PerHour * float64(most)
	c.Scheduled = c.Scheduled || p.scheduled()
	c.Max += p.Price.PerHour * float64(p.Pool.Size.Max.Value)
	c.Currency = p.Price.Currency
	if !p.Price.Exact {
		c.StandIn = p.Price.Region
	}
}

// String is the cost in one line, with everything that is uncertain about it.
func (c Cost) String() string {
	text := fmt.Sprintf("%.2f %s an hour %s, %.2f with every pool at its maximum (list price", c.Desired, c.Currency, when(c.Scheduled), c.Max)
	if c.StandIn != "" {
		text += fmt.Sprintf(" of %s, which stands in: the region's own is not known", c.StandIn)
	}
	text += ")"
	if len(c.Unpriced) > 0 {
		text += "; without " + strings.Join(c.Unpriced, ", ") + ", whose price is not known"
	}
	return text
}

// when says which of the sizes that a pool takes by itself is counted.
func when(scheduled bool) string {
	if scheduled {
		return "with the most that is scheduled"
	}
	return "now"
}
