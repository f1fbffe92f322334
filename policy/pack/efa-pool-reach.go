package pack

import (
	"slices"
)

var efaPoolReach = Policy{
	Name: "efa-pool-reach", Level: Mandatory, Area: Fabric,
	Summary: "Every node of an EFA pool can reach every other one.",
	Why: "A collective runs over all nodes of a pool. If no security group that their EFA interfaces share is open to itself, no " +
		"node reaches another and the job hangs in its first all-reduce.",
	Fix:   "Attach one security group to all EFA interfaces of the pool, and open that group to itself in both directions.",
	Stack: judgeEFAPoolReach,
}

// judgeEFAPoolReach looks at pools all of whose groups are in the stack, with their rules: a group from elsewhere, such as
// the cluster's own, may be open to itself.
func judgeEFAPoolReach(s *Stack, _ Config) []Finding {
	var findings []Finding
	for _, p := range s.pools {
		nics := p.efas()
		if len(nics) == 0 || !groupsOfStack(s, p.template, nics) {
			continue
		}
		open := false
		var names []string
		for _, g := range attachedGroups(s, p.template) {
			in, out, decided := selfRules(s, g)
			open = open || in || out || !decided // one direction alone is efa-self-rules' finding
			names = append(names, g.Name)
		}
		if !open {
			findings = append(findings, at(p.template, "The EFA interfaces use the security group %s, and none is open to itself: "+
				"add rules of protocol -1 from and to the group itself.", join(names)))
		}
	}
	return findings
}

// groupsOfStack says whether all security groups of some interfaces are known and in the stack.
func groupsOfStack(s *Stack, template *Resource, nics []nic) bool {
	behind := s.Behind(template, "networkInterfaces", tokenSecurityGroup)
	named := 0
	for _, n := range nics {
		list, ok := n.groups.List()
		if !ok || len(list) == 0 {
			return false
		}
		for _, v := range list {
			_, ok := v.Text()
			if ok && s.Named(v, tokenSecurityGroup) == nil || !ok && len(list) > len(behind) {
				return false
			}
			named++
		}
	}
	return named > 0 && !slices.ContainsFunc(template.PropertyDependencies["networkInterfaces"], func(urn string) bool {
		r := s.byURN[urn]
		return r == nil || r.Type == tokenCluster
	})
}
