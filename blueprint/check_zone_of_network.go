package blueprint

import "github.com/hashicorp/hcl/v2"

// checkZoneOfNetwork refuses a zone that is not one of the network's, as it is written there: gpuyard cannot tell which
// name belongs to which id.
func checkZoneOfNetwork(b *Blueprint, _ known) hcl.Diagnostics {
	n := b.Network
	if n == nil || len(n.Zones) == 0 {
		return nil
	}
	var diags hcl.Diagnostics
	has := map[string]bool{}
	var zones []string
	for _, z := range n.Zones {
		has[z.Value] = true
		zones = append(zones, z.Value)
	}
	judge := func(z Value[string]) {
		if z.IsSet() && !has[z.Value] {
			diags = append(diags, errorf(z.Range, "Zone not in network",
				"%s is not in the zones of the network. Write one of %s, as it stands there.", z, list(zones)))
		}
	}
	for _, p := range b.NodePools {
		judge(p.Zone)
	}
	for _, s := range b.Storage {
		if s.FSxLustre != nil {
			judge(s.FSxLustre.Zone)
		}
	}
	if b.Platform != nil && b.Platform.Recovery != nil {
		for _, z := range b.Platform.Recovery.Zones {
			judge(z)
		}
	}
	return diags
}
