package pack

var interfaceSecurityGroups = Policy{
	Name: "interface-security-groups", Level: Mandatory, Area: Nodes,
	Summary: "A launch template has its security groups at the interfaces or at the instance, not at both.",
	Why:     "EC2 refuses to launch from a template that has network interfaces and security groups beside them.",
	Fix:     "Move the groups of `vpcSecurityGroupIds` into each interface's `securityGroups`.",
	Tokens:  []string{tokenLaunchTemplate},

	Resource: func(r *Resource, _ Config) []Finding {
		nics, _ := r.Get("networkInterfaces").List()
		for _, name := range []string{"vpcSecurityGroupIds", "securityGroupNames"} {
			if groups, _ := r.Get(name).List(); len(nics) > 0 && len(groups) > 0 {
				return one("The template has network interfaces and %s: move the groups into the interfaces.", name)
			}
		}
		return nil
	},
}
