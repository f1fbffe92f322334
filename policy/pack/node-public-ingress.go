package pack

import (
	"slices"
)

var nodePublicIngress = Policy{
	Name: "node-public-ingress", Level: Mandatory, Area: Nodes,
	Summary: "The world reaches nodes on no port at all.",
	Why: "Ports 80 and 443 may be open to the world where a load balancer listens. On a node, they are whatever some pod or proxy happens " +
		"to serve there, without the load balancer's certificate, rules and logs in front of it.",
	Fix:   "Open the port on a security group of the load balancer, and let the nodes' group in from that group only.",
	Stack: judgeNodePublicIngress,
}

// judgeNodePublicIngress looks at what public-ssh and public-ingress let pass: the ports of a load balancer.
func judgeNodePublicIngress(s *Stack, _ Config) []Finding {
	var findings []Finding
	var judged []*Resource
	for _, node := range s.Of(tokenLaunchTemplate, tokenInstance) {
		for _, g := range nodeGroupsOf(s, node) {
			if slices.Contains(judged, g) {
				continue
			}
			judged = append(judged, g)
			for _, o := range allOpenings(s, g) {
				if o.low == o.high && (o.low == 80 || o.low == 443) {
					findings = append(findings, at(g, "%s may connect to %s of the nodes of %s.", o.from, o.span, node.Name))
				}
			}
		}
	}
	return findings
}

// nodeGroupsOf returns the security groups of the stack that an instance or the instances of a template have.
func nodeGroupsOf(s *Stack, node *Resource) []*Resource {
	groups := attachedGroups(s, node)
	own := s.Behind(node, "vpcSecurityGroupIds", tokenSecurityGroup)
	ids, _ := node.Get("vpcSecurityGroupIds").List()
	for _, id := range ids {
		if g := s.Named(id, tokenSecurityGroup); g != nil {
			own = append(own, g)
		}
	}
	for _, g := range own {
		if !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	return groups
}

// allOpenings returns the openings of a security group, those of rules that are resources of their own included.
func allOpenings(s *Stack, g *Resource) []opening {
	all := openings(g)
	for _, rule := range s.Of(tokenIngressRule, tokenGroupRule) {
		if s.Meant(rule, "securityGroupId", rule.Get("securityGroupId"), tokenSecurityGroup) == g {
			all = append(all, openings(rule)...)
		}
	}
	return all
}
