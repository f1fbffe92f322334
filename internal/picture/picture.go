package picture

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/internal/cidr"
	"github.com/gpuyard/gpuyard/stacks"
)

// Measures of the picture, in pixels.
const (
	margin, gap      = 24, 12
	columnWidth      = 380
	headerHeight     = 84
	zoneHeight       = 30
	publicHeight     = 52
	poolHead         = 64
	chip, chipGap    = 16, 4
	card, cardGap    = 16, 3
	cardsInRow       = 16
	legendHeight     = 36
	privateHeadSpace = 30
)

// Draw draws a plan. It returns an error if the network cannot be laid out, which a checked blueprint's can.
func Draw(plan *stacks.Plan) ([]byte, error) {
	n := plan.Blueprint.Network
	if n == nil {
		return nil, errors.New("there is no network to draw: the environment has no cluster")
	}
	vpc, err := netip.ParsePrefix(n.CIDR.Value)
	if err != nil {
		return nil, fmt.Errorf("drawing the network: %w", err)
	}
	layout, err := cidr.Plan(vpc, len(n.Zones))
	if err != nil {
		return nil, fmt.Errorf("drawing the network: %w", err)
	}
	d := &drawing{plan: plan, layout: layout, width: max(2, len(n.Zones))*(columnWidth+gap) + gap + 2*margin}
	d.header()
	bottom := d.stores(d.racks(d.vpc()))
	d.legend(bottom + gap)
	return d.c.document(d.width, bottom+gap+legendHeight+margin), nil
}

type drawing struct {
	c      canvas
	plan   *stacks.Plan
	layout cidr.Layout
	width  int
}

func (d *drawing) header() {
	env := d.plan.Blueprint.Environment
	d.c.text(margin, margin+18, 22, ink, "600", "%s", env.Name.Value)
	d.c.text(margin, margin+40, 13, faint, "400", "%s, Kubernetes %s, cluster endpoint %s",
		env.Region.Value, env.KubernetesVersion.Value, endpoint(d.plan.Blueprint.Network.ClusterEndpoint))
	d.c.text(margin, margin+58, 13, faint, "400", "%s", d.plan.Cost)
}

func endpoint(e blueprint.ClusterEndpoint) string {
	if !e.Public.Value {
		return "private"
	}
	var cidrs []string
	for _, c := range e.AllowedCIDRs {
		cidrs = append(cidrs, c.Value)
	}
	return "public for " + strings.Join(cidrs, ", ")
}

// vpc draws the VPC with a column for each zone and a band for each pool across its zones. It returns where it ends.
func (d *drawing) vpc() int {
	n := d.plan.Blueprint.Network
	top := margin + headerHeight
	columns := top + 36
	pools := columns + zoneHeight + publicHeight + gap + privateHeadSpace
	bottom := pools
	for _, p := range inVPC(d.plan) {
		bottom += poolHeight(p) + gap
	}
	d.c.rect(margin, top, d.width-2*margin, bottom+2*gap-top, vpcFill, vpcLine)
	d.c.text(margin+gap, top+22, 14, ink, "600", "VPC %s", n.CIDR.Value)
	for i, zone := range n.Zones {
		d.zone(i, zone.Value, columns, bottom)
	}
	y := pools
	for _, p := range inVPC(d.plan) {
		d.pool(p, y)
		y += poolHeight(p) + gap
	}
	return bottom + 2*gap
}

func (d *drawing) column(i int) int { return margin + gap + i*(columnWidth+gap) }

func (d *drawing) zone(i int, zone string, y, bottom int) {
	x, n := d.column(i), d.plan.Blueprint.Network
	d.c.text(x, y+18, 13, ink, "600", "%s", zone)
	y += zoneHeight
	d.c.rect(x, y, columnWidth, publicHeight, publicFill, vpcLine)
	d.c.text(x+10, y+20, 12, ink, "400", "public  %s", d.layout.Public[i])
	if nat := n.NAT.Value; nat == "per_zone" || nat == "single" && i == 0 {
		d.c.text(x+10, y+40, 12, faint, "400", "NAT gateway")
	}
	y += publicHeight + gap
	d.c.rect(x, y, columnWidth, bottom-y+gap/2, privateFill, vpcLine)
	d.c.text(x+10, y+20, 12, ink, "400", "private  %s", d.layout.Private[i])
}

// pool draws a pool as a band over the columns from its first zone to its last.
func (d *drawing) pool(p stacks.PoolPlan, y int) {
	first, last := d.span(p)
	x, w := d.column(first)+8, (last-first+1)*(columnWidth+gap)-gap-16
	d.c.titled("node_pool %q: %s", p.Pool.Name.Value, p.Interfaces)
	d.c.rect(x, y, w, poolHeight(p), poolFill, poolLine)
	size := p.Pool.Size
	d.c.text(x+10, y+20, 14, ink, "600", "%s", p.Pool.Name.Value)
	d.c.text(x+10, y+38, 12, ink, "400", "%s nodes (%d to %d) of %s", p.Nodes(), size.Min.Value, size.Max.Value, strings.Join(p.TypeNames(), " or "))
	d.c.text(x+10, y+54, 12, faint, "400", "%s, %d pods a node%s", strings.ReplaceAll(p.Pool.Capacity.Kind.Value, "_", " "), p.MaxPods, price(p))
	d.chips(p, x+10, y+poolHead)
	d.cards(p, x+10, y+poolHead+chipRows(p))
	d.c.end()
}

// span is the first and the last column of a pool.
func (d *drawing) span(p stacks.PoolPlan) (first, last int) {
	first = len(d.plan.Blueprint.Network.Zones)
	for i, zone := range d.plan.Blueprint.Network.Zones {
		if slices.Contains(p.Zones, zone.Value) {
			first, last = min(first, i), i
		}
	}
	return first, max(first, last)
}

// chips draws the accelerators of one node.
func (d *drawing) chips(p stacks.PoolPlan, x, y int) {
	acc := p.Node().Accelerator
	if acc == nil {
		return
	}
	for i := range max(1, acc.Count) {
		d.c.rect(x+i*(chip+chipGap), y, chip, chip, chipFill, chipFill)
	}
	d.c.text(x+max(1, acc.Count)*(chip+chipGap)+6, y+13, 12, ink, "400", "%s", acc.Name)
}

// cards draws the network cards of one node and what sits on each.
func (d *drawing) cards(p stacks.PoolPlan, x, y int) {
	for _, c := range p.Node().Cards {
		cx, cy := x+c.Index%cardsInRow*(card+cardGap), y+c.Index/cardsInRow*(card+cardGap)
		d.c.rect(cx, cy, card, card, cardFill, vpcLine)
		for _, i := range p.Interfaces {
			switch {
			case i.Card != c.Index:
			case i.Kind == catalog.KindENA:
				d.c.circle(cx+5, cy+5, 4, enaFill)
			default:
				d.c.circle(cx+card-5, cy+card-5, 4, efaFill)
			}
		}
	}
}

func (d *drawing) legend(y int) {
	x := margin
	item := func(draw func(), width int, label string) {
		draw()
		d.c.text(x+22, y+13, 12, faint, "400", "%s", label)
		x += width
	}
	item(func() { d.c.rect(x, y, chip, chip, chipFill, chipFill) }, 170, "accelerator of a node")
	item(func() { d.c.rect(x, y, card, card, cardFill, vpcLine) }, 180, "network card of a node")
	item(func() { d.c.circle(x+8, y+8, 4, enaFill) }, 190, "ENA: carries IP traffic")
	item(func() { d.c.circle(x+8, y+8, 4, efaFill) }, 190, "EFA: carries RDMA only")
}

func poolHeight(p stacks.PoolPlan) int {
	rows := (len(p.Node().Cards) + cardsInRow - 1) / cardsInRow
	return poolHead + chipRows(p) + rows*(card+cardGap) + 8
}

func chipRows(p stacks.PoolPlan) int {
	if p.Node().Accelerator == nil {
		return 0
	}
	return chip + 8
}

func price(p stacks.PoolPlan) string {
	if !p.Priced {
		return ""
	}
	return fmt.Sprintf(", %.2f %s an hour each", p.Price.PerHour, p.Price.Currency)
}
