package stacks

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/internal/cidr"
)

// Section is a part of an explanation: the environment, the network, a pool.
type Section struct {
	Title string `json:"title"`
	Facts []Fact `json:"facts"`
	// Moves are where serverless work has more room.
	Moves []Move `json:"moves,omitempty"`
}

// Brief is the first facts of a section, in a line.
func (s Section) Brief(facts int) string {
	var what []string
	for _, f := range s.Facts[:min(facts, len(s.Facts))] {
		what = append(what, f.Name+": "+f.Value)
	}
	return strings.Join(what, "; ")
}

// Fact is one resolved value and why it is what it is.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Why   string `json:"why"`
}

// Explain lists every value that the plan resolved, with its reason.
func (p *Plan) Explain() []Section {
	sections := []Section{p.explainEnvironment()}
	if p.Blueprint.Network != nil {
		sections = append(sections, p.explainNetwork())
	}
	for _, pool := range p.Pools {
		if pool.Pool.Hosts != nil {
			sections = append(sections, explainHosts(pool))
			continue
		}
		sections = append(sections, explainPool(pool, p.Blueprint.Environment.Region.Value))
	}
	return slices.Concat(sections, p.ExplainStorage(), p.explainServerless())
}

func (p *Plan) explainEnvironment() Section {
	env := p.Blueprint.Environment
	s := Section{Title: "environment " + env.Name.Value}
	s.add("region", env.Region.Value, stated(env.Region))
	if p.Blueprint.Network != nil {
		s.add("kubernetes_version", env.KubernetesVersion.Value, stated(env.KubernetesVersion))
	}
	s.add("protect", fmt.Sprint(env.Protect.Value), stated(env.Protect))
	if origin := p.catalog.Origin(); origin != "" {
		s.add("catalogue", CatalogFile, "it overrides the embedded data: "+origin)
	}
	if p.Blueprint.Network != nil {
		s.add("cost", p.Cost.String(), "the sum over the pools")
	}
	if env.BudgetPerHour.IsSet() {
		s.add("budget_per_hour", fmt.Sprintf("%.2f", env.BudgetPerHour.Value), stated(env.BudgetPerHour))
	}
	return s
}

func (p *Plan) explainNetwork() Section {
	n := p.Blueprint.Network
	s := Section{Title: "network"}
	s.add("cidr", n.CIDR.Value, stated(n.CIDR))
	s.add("nat", n.NAT.Value, stated(n.NAT))
	layout, err := cidr.Plan(netip.MustParsePrefix(n.CIDR.Value), len(n.Zones))
	if err != nil {
		panic(fmt.Sprintf("a checked blueprint has a network that cannot be laid out: %v", err))
	}
	for i, zone := range n.Zones {
		why := "a zone id: the same place in every account"
		if !blueprint.IsZoneID(zone.Value) {
			why = "a zone name: which place it is differs by account, and is asked there"
		}
		s.add("zone "+zone.Value, fmt.Sprintf("private %s, public %s", layout.Private[i], layout.Public[i]), why)
	}
	endpoint, why := "private only", "nothing outside the VPC needs to reach the API unless the blueprint says so"
	if n.ClusterEndpoint.Public.Value {
		endpoint, why = "public for "+strings.Join(values(n.ClusterEndpoint.AllowedCIDRs), ", "), stated(n.ClusterEndpoint.Public)
	}
	s.add("cluster endpoint", endpoint, why)
	return s
}

func explainPool(p PoolPlan, region string) Section {
	s := Section{Title: "node_pool " + p.Pool.Name.Value}
	for i, t := range p.Pool.Types {
		s.add("instance type", t.Name+": "+hardware(t), stated(p.Pool.InstanceTypes[i]))
	}
	size := p.Pool.Size
	s.add("nodes", fmt.Sprintf("%s, between %d and %d", p.Nodes(), size.Min.Value, size.Max.Value), stated(size.Desired))
	for _, at := range p.Pool.Schedules {
		s.add("schedule "+at.Name.Value, fmt.Sprintf("desired %d at %s, %s", at.Desired.Value, at.Cron.Value, at.Timezone.Value), stated(at.Cron))
	}
	zoneWhy := "every zone of the network, since the pool names none"
	if p.Pool.Zone.IsSet() {
		zoneWhy = stated(p.Pool.Zone)
	}
	s.add("zones", strings.Join(p.Zones, ", "), zoneWhy)
	s.add("capacity", p.Pool.Capacity.Kind.Value, stated(p.Pool.Capacity.Kind))
	s.addFabric(p)
	s.add("max pods", fmt.Sprint(p.MaxPods), maxPodsWhy(p))
	s.add("image", p.AMIType, "EKS builds one image for this accelerator and architecture")
	release, why := "the newest at creation", "a running pool keeps its image until image_release names another"
	if p.Pool.ImageRelease.IsSet() {
		release, why = p.Pool.ImageRelease.Value, stated(p.Pool.ImageRelease)
	}
	s.add("image release", release, why)
	s.add("root volume", fmt.Sprintf("%d GiB gp3, encrypted", p.Pool.RootVolume.Value), stated(p.Pool.RootVolume))
	s.add("local storage", p.Pool.LocalStorage.Value, stated(p.Pool.LocalStorage))
	s.addProfile(p)
	s.add("price", priceText(p), priceWhy(p, region))
	return s
}

func (s *Section) addFabric(p PoolPlan) {
	why := stated(p.Pool.Fabric)
	if p.Pool.Fabric.Value == string(catalog.FabricEFA) {
		t := p.Pool.Types[0]
		why = fmt.Sprintf("%s has %d network cards and takes %d EFA interfaces, one a card", t.Name, len(t.Cards), t.MaxEFA)
	}
	s.add("interfaces", p.Interfaces.String(), why)
	if p.Hugepages2Mi > 0 {
		s.add("hugepages", fmt.Sprintf("%d of 2Mi", p.Hugepages2Mi), "reserved by the EFA software on the image")
		placement, why := "cluster placement group", "EFA traffic stays in one zone, and closer is faster"
		if !p.Placement {
			placement, why = "none", "a reservation brings its own placement"
		}
		s.add("placement", placement, why)
	}
}

func (s *Section) addProfile(p PoolPlan) {
	if p.Pool.Profile == nil {
		s.add("profile", "none", "the pool names none: the image stays as it is")
		return
	}
	why := "the profile " + p.Pool.Profile.Name.Value
	if parent := p.Pool.Profile.Extends.Value; parent != "" {
		why += ", which extends " + parent
	}
	for _, item := range profileItems(p.Pool) {
		if item.note != "" {
			s.add(item.name, item.value, item.note)
		} else {
			s.add(item.name, item.value, why)
		}
	}
}

func (s *Section) add(name, value, why string) {
	s.Facts = append(s.Facts, Fact{Name: name, Value: value, Why: why})
}

// stated says where a value comes from: a line of the blueprint, or the default.
func stated[T any](v blueprint.Value[T]) string {
	if !v.IsSet() {
		return "default"
	}
	return fmt.Sprintf("%s:%d", v.Range.Filename, v.Range.Start.Line)
}

func hardware(t *catalog.InstanceType) string {
	text := fmt.Sprintf("%d vCPUs, %d GiB, %s", t.VCPUs, t.MemoryMiB/1024, t.Arch)
	if acc := t.Accelerator; acc != nil && acc.Fraction < 1 {
		text += fmt.Sprintf(", %g of one %s", acc.Fraction, acc.Name)
	} else if acc != nil {
		text += fmt.Sprintf(", %d × %s of %d GiB", acc.Count, acc.Name, acc.MemoryMiB/1024)
	}
	return text
}

func maxPodsWhy(p PoolPlan) string {
	t := p.Pool.Types[0]
	formula := t.PodFormula(p.Interfaces)
	text := fmt.Sprintf("%s's interfaces on card 0 carry %d", t.Name, formula)
	if slices.ContainsFunc(p.Interfaces, func(i catalog.Interface) bool { return i.Card == 0 && i.Kind == catalog.KindEFAOnly }) {
		text += ", one interface fewer because of the EFA there"
	}
	if formula > p.MaxPods && len(p.Pool.Types) == 1 {
		text += fmt.Sprintf("; EKS stops at %d for %d vCPUs", p.MaxPods, t.VCPUs)
	}
	if len(p.Pool.Types) > 1 {
		text += "; the smallest of the pool's types counts"
	}
	return text
}

func priceText(p PoolPlan) string {
	if !p.Priced {
		return "not known"
	}
	_, most := p.Pool.Wanted()
	return fmt.Sprintf("%.4f %s an hour each, %.2f %s, %.2f at most", p.Price.PerHour, p.Price.Currency,
		p.Price.PerHour*float64(most), when(p.scheduled()), p.Price.PerHour*float64(p.Pool.Size.Max.Value))
}

func priceWhy(p PoolPlan, region string) string {
	switch {
	case !p.Priced:
		return "no list price is known for these types"
	case p.Price.Exact:
		return fmt.Sprintf("on-demand list price of %s on %s", region, p.Price.Date)
	default:
		return fmt.Sprintf("on-demand list price of %s on %s stands in: that of %s is not known", p.Price.Region, p.Price.Date, region)
	}
}
