package pack

var interfaceIndexLimits = Policy{
	Name: "interface-index-limits", Level: Mandatory, Area: Fabric,
	Summary: "Network interfaces sit on cards and at device indexes that the instance type has.",
	Why: "Each type has a number of network cards, and each card takes a number of interfaces. A plan made for another type fails at " +
		"launch with \"device index exceeds maximum\", after the node group has been made.",
	Fix:   "Take the plan that `gpuyard catalog show TYPE` prints. Interfaces on cards above 0 are at device 0 (`efa-only`) or 1 (`interface`).",
	Stack: judgeInterfaceIndexLimits,
}

func judgeInterfaceIndexLimits(s *Stack, _ Config) []Finding {
	var findings []Finding
	for _, p := range s.pools {
		if p.template == nil {
			continue
		}
		for _, t := range p.types {
			for _, n := range interfaces(p.template) {
				if !n.placed {
					continue
				}
				if n.card < 0 || n.card >= len(t.Cards) {
					findings = append(findings, at(p.template, "%s is on network card %d, and %s has cards 0 to %d.",
						upperFirst(n.String()), n.card, t.Name, len(t.Cards)-1))
				} else if limit := t.Cards[n.card].MaxInterfaces; n.device < 0 || n.device >= limit {
					findings = append(findings, at(p.template, "%s has device index %d, and card %d of %s takes indexes 0 to %d.",
						upperFirst(n.String()), n.device, n.card, t.Name, limit-1))
				}
			}
		}
	}
	return findings
}
