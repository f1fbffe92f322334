package pack

import (
	"slices"

	"github.com/gpuyard/gpuyard/catalog"
)

// pool is a set of alike nodes: a node group and its launch template, or a launch template that states a type itself.
type pool struct {
	group    *Resource // nil for a template that stands alone
	template *Resource // nil for a group without one, or where it cannot be told which
	types    []*catalog.InstanceType
}

// efas returns the EFA interfaces of the pool's nodes.
func (p pool) efas() []nic {
	if p.template == nil {
		return nil
	}
	return efas(p.template)
}

// has says whether some type of the pool has an accelerator of a maker; "" asks for any.
func (p pool) has(maker catalog.Maker) bool {
	return slices.ContainsFunc(p.types, func(t *catalog.InstanceType) bool {
		return t.Accelerator != nil && (maker == "" || t.Accelerator.Maker == maker)
	})
}

// reserved says whether the nodes come out of a capacity reservation or block.
func (p pool) reserved() bool {
	if p.group != nil {
		if kind, _ := p.group.Get("capacityType").Text(); kind == "CAPACITY_BLOCK" {
			return true
		}
	}
	return p.template != nil && reservedTemplate(p.template)
}

func reservedTemplate(template *Resource) bool {
	market, _ := template.Get("instanceMarketOptions", "marketType").Text()
	target := template.Get("capacityReservationSpecification", "capacityReservationTarget")
	return market == "capacity-block" || !target.Absent()
}

// findPools puts node groups and launch templates together.
func findPools(s *Stack) []pool {
	var pools []pool
	taken := map[*Resource]bool{}
	for _, g := range s.Of(tokenNodeGroup) {
		p := pool{group: g, types: typesOf(g)}
		spec := g.Get("launchTemplate")
		for _, name := range []string{"id", "name"} {
			if v := spec.Get(name); p.template == nil && !v.Absent() {
				p.template = s.Meant(g, "launchTemplate", v, tokenLaunchTemplate)
			}
		}
		if p.template != nil {
			taken[p.template] = true
			p.types = append(p.types, typeOf(p.template)...)
		}
		pools = append(pools, p)
	}
	for _, t := range s.Of(tokenLaunchTemplate) {
		if !taken[t] {
			pools = append(pools, pool{template: t, types: typeOf(t)})
		}
	}
	return pools
}

// typeOf is the instance type that a launch template or an instance states.
func typeOf(r *Resource) []*catalog.InstanceType { return lookUp(r, r.Get("instanceType")) }

// typesOf are the instance types that a node group lists.
func typesOf(r *Resource) []*catalog.InstanceType {
	list, _ := r.Get("instanceTypes").List()
	return lookUp(r, list...)
}

// lookUp passes over names that are not known, to the plan or to the catalogue, and those that are secret, since
// messages name types.
func lookUp(r *Resource, names ...Value) []*catalog.InstanceType {
	var types []*catalog.InstanceType
	for _, v := range names {
		name, ok := v.Text()
		if !ok || v.Secret() {
			continue
		}
		if t, ok := r.catalog().Find(name); ok {
			types = append(types, t)
		}
	}
	return types
}

// typesAt returns the types that a resource states, in either of the two places: instanceTypes or instanceType.
func typesAt(r *Resource) []*catalog.InstanceType { return append(typesOf(r), typeOf(r)...) }

// accelerated returns the first type with an accelerator.
func accelerated(types []*catalog.InstanceType) *catalog.InstanceType {
	for _, t := range types {
		if t.Accelerator != nil {
			return t
		}
	}
	return nil
}
