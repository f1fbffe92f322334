package blueprint

import (
	"slices"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// checkZoneOffersType refuses a pool none of whose zones offers its type, and warns where only some do: the pool then
// keeps trying in the others.
//
// Zone names are private to an account, so only zone ids are judged here. A region that offers a type nowhere is an
// error whatever its zones are called.
// Source: EC2 API, DescribeInstanceTypeOfferings (location type availability-zone-id).
func checkZoneOffersType(b *Blueprint, k known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	region := b.Environment.Region
	if len(k.catalog.Zones(region.Value)) == 0 {
		return nil
	}
	offers := map[string][]string{} // by type: asked once for all pools
	for _, p := range b.NodePools {
		zones := p.Zones(b.Network)
		for _, name := range p.InstanceTypes {
			t := lookupType(p, name.Value)
			if t == nil {
				continue
			}
			if _, asked := offers[t.Name]; !asked {
				offers[t.Name] = k.catalog.ZonesOf(t.Name, region.Value)
			}
			if d := judgeOffer(name, zones, offers[t.Name], region, k); d != nil {
				diags = append(diags, d)
			}
		}
	}
	return diags
}

// lookupType finds a type among those of a pool that the catalog knows.
func lookupType(p *NodePool, name string) *catalog.InstanceType {
	i := slices.IndexFunc(p.Types, func(t *catalog.InstanceType) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return p.Types[i]
}

func judgeOffer(typ Value[string], zones, offered []string, region Value[string], k known) *hcl.Diagnostic {
	if len(offered) == 0 {
		return errorf(typ.Range, "Instance type not offered in region", "%s is not offered in %s.%s", typ, region, Elsewhere(k.catalog, typ.Value, region.Value))
	}
	var without []string
	for _, z := range zones {
		if isZoneID(z) && slices.Contains(k.catalog.Zones(region.Value), z) && !slices.Contains(offered, z) {
			without = append(without, z)
		}
	}
	switch {
	case len(without) == 0:
		return nil
	case len(without) == len(zones):
		return errorf(typ.Range, "Instance type not offered in zone", "%s is not offered in %s. In %s it is offered in %s.",
			typ, list(without), region, list(offered))
	}
	return warnf(typ.Range, "Instance type not offered in every zone",
		"%s is not offered in %s, where the pool will try in vain. Give the pool a zone: in %s the type is offered in %s.",
		typ, list(without), region, list(offered))
}
