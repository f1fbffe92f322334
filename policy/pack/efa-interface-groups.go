package pack

var efaInterfaceGroups = Policy{
	Name: "efa-interface-groups", Level: Mandatory, Area: Fabric,
	Summary: "Every EFA interface has a security group.",
	Why: "An interface that states no group gets the default group of the VPC. That one is closed to itself or not, by accident, and " +
		"NCCL picks one of its rails to hang on.",
	Fix:      "State `securityGroups` on every EFA interface of the launch template, not only on the first.",
	Tokens:   []string{tokenLaunchTemplate},
	Resource: judgeEFAInterfaceGroups,
}

func judgeEFAInterfaceGroups(r *Resource, _ Config) []Finding {
	var bare []string
	all := efas(r)
	for _, n := range all {
		if groups, ok := n.groups.List(); ok && len(groups) == 0 {
			bare = append(bare, n.String())
		}
	}
	if len(bare) == 0 {
		return nil
	}
	if len(bare) == len(all) && len(all) > 1 {
		return one("None of the %d EFA interfaces has a security group: state securityGroups on each.", len(all))
	}
	return one("No security group on EFA %s: state securityGroups there too.", join(bare))
}
