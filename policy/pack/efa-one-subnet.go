package pack

var efaOneSubnet = Policy{
	Name: "efa-one-subnet", Level: Mandatory, Area: Fabric,
	Summary: "A pool with EFA or with reserved capacity is in one subnet.",
	Why: "EFA traffic does not leave a subnet's zone, and a reservation is in one zone. With several subnets EKS spreads the nodes " +
		"over the zones: some reach each other and some do not, or half of the launches find no capacity.",
	Fix:   "Give the node group the one subnet in the zone of its placement group or reservation.",
	Stack: judgeEFAOneSubnet,
}

func judgeEFAOneSubnet(s *Stack, _ Config) []Finding {
	var findings []Finding
	for _, p := range s.pools {
		if p.group == nil {
			continue
		}
		subnets, ok := p.group.Get("subnetIds").List()
		if !ok || len(subnets) < 2 {
			continue
		}
		switch {
		case len(p.efas()) > 0:
			findings = append(findings, at(p.group, "The group has EFA and is in %d subnets: EFA works within one.", len(subnets)))
		case p.reserved():
			findings = append(findings, at(p.group, "The group takes reserved capacity and is in %d subnets: a reservation is in one zone.", len(subnets)))
		}
	}
	return findings
}
