package pack

var efaSupportedType = Policy{
	Name: "efa-supported-type", Level: Mandatory, Area: Fabric,
	Summary: "EFA interfaces are given to instance types that support EFA, on cards that carry it.",
	Why:     "EC2 refuses to launch other types with an EFA. Small sizes of a family often lack it: g6.8xlarge has one, g6.xlarge none.",
	Fix:     "Take a larger size of the family, or interfaces of type `interface`.",
	Stack:   judgeEFASupportedType,
}

func judgeEFASupportedType(s *Stack, _ Config) []Finding {
	var findings []Finding
	for _, p := range s.pools {
		nics := p.efas()
		if len(nics) == 0 {
			continue
		}
		for _, t := range p.types {
			if !t.HasEFA() {
				findings = append(findings, at(p.template, "%s has no EFA, and the template attaches %d.", t.Name, len(nics)))
				continue
			}
			for _, n := range nics {
				if n.placed && n.card >= 0 && n.card < len(t.Cards) && !t.Cards[n.card].EFA {
					findings = append(findings, at(p.template, "EFA %s is on card %d of %s, which carries no EFA.", n, n.card, t.Name))
				}
			}
		}
	}
	return findings
}
