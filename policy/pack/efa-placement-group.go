package pack

var efaPlacementGroup = Policy{
	Name: "efa-placement-group", Level: Advisory, Area: Fabric,
	Summary: "A pool with EFA is in a cluster placement group, unless its capacity is reserved.",
	Why: "A cluster placement group puts the nodes on one network spine. Without one they work, with more hops, and a collective goes " +
		"at the pace of the farthest pair. Reserved capacity brings its own placement.",
	Fix:   "Make an `aws.ec2.PlacementGroup` of strategy `cluster` and name it in the launch template's `placement.groupName`.",
	Stack: judgeEFAPlacementGroup,
}

func judgeEFAPlacementGroup(s *Stack, _ Config) []Finding {
	var findings []Finding
	for _, p := range s.pools {
		if len(p.efas()) == 0 || p.reserved() {
			continue
		}
		name := p.template.Get("placement", "groupName")
		if text, ok := name.TextOr(""); ok && text == "" && p.template.Get("placement", "groupId").Absent() {
			findings = append(findings, at(p.template, "The pool has EFA and no placement group."))
			continue
		}
		group := s.Meant(p.template, "placement", name, tokenPlacementGroup)
		if group == nil {
			continue
		}
		if strategy, ok := group.Get("strategy").Text(); ok && strategy != "cluster" {
			findings = append(findings, at(group, "The strategy is %q, which puts nodes apart: a pool with EFA wants \"cluster\".", strategy))
		}
	}
	return findings
}
