package pack

import (
	"slices"
)

var efaSelfRules = Policy{
	Name: "efa-self-rules", Level: Mandatory, Area: Fabric,
	Summary: "A security group of EFA interfaces allows all traffic to itself and from itself.",
	Why: "EFA traffic bypasses the kernel and is matched by security groups alone. EC2 lets it through only where a rule names the " +
		"group itself, in both directions; a rule with an address range does not match it. With one direction missing everything " +
		"starts, and NCCL then hangs or falls back to TCP, at a tenth of the speed.",
	Fix: "Give the group an ingress and an egress rule of protocol `-1` that both refer to the group itself " +
		"(`self: true` inline, or `referencedSecurityGroupId` with the group's own id).",
	Stack: judgeEFASelfRules,
}

// judgeEFASelfRules looks at groups whose rules are in the stack: one that is open in one direction was meant for EFA
// and is not right. A group without a rule to itself may be there for another reason; see efa-pool-reach.
// Source: EC2 User Guide, "Get started with EFA and MPI", step 1.
func judgeEFASelfRules(s *Stack, _ Config) []Finding {
	var findings []Finding
	for _, g := range efaGroups(s) {
		in, out, decided := selfRules(s, g)
		switch {
		case !decided || in == out:
		case in:
			findings = append(findings, at(g, "Traffic from the group itself is allowed, and to it is not: add an egress rule of protocol -1 "+
				"to the group itself. A rule to 0.0.0.0/0 does not match EFA traffic."))
		default:
			findings = append(findings, at(g, "Traffic to the group itself is allowed, and from it is not: add an ingress rule of protocol -1 "+
				"from the group itself."))
		}
	}
	return findings
}

// efaGroups returns the security groups of the stack that are attached to an EFA interface.
func efaGroups(s *Stack) []*Resource {
	var groups []*Resource
	for _, p := range s.pools {
		if len(p.efas()) == 0 {
			continue
		}
		for _, g := range attachedGroups(s, p.template) {
			if !slices.Contains(groups, g) {
				groups = append(groups, g)
			}
		}
	}
	return groups
}

// attachedGroups returns the security groups of the stack that a template's interfaces use.
func attachedGroups(s *Stack, template *Resource) []*Resource {
	groups := s.Behind(template, "networkInterfaces", tokenSecurityGroup)
	for _, n := range interfaces(template) {
		list, _ := n.groups.List()
		for _, v := range list {
			if g := s.Named(v, tokenSecurityGroup); g != nil && !slices.Contains(groups, g) {
				groups = append(groups, g)
			}
		}
	}
	return groups
}

// selfRules says whether a group allows all traffic from itself and to itself. It is not decided where a rule that could
// be the one is not known.
func selfRules(s *Stack, g *Resource) (in, out, decided bool) {
	in, okIn := inlineSelf(g.Get("ingress"))
	out, okOut := inlineSelf(g.Get("egress"))
	decided = okIn && okOut
	for _, rule := range s.Of(tokenIngressRule, tokenEgressRule, tokenGroupRule) {
		if s.Meant(rule, "securityGroupId", rule.Get("securityGroupId"), tokenSecurityGroup) != g {
			continue
		}
		ingress := rule.Type == tokenIngressRule
		if rule.Type == tokenGroupRule {
			kind, ok := rule.Get("type").Text()
			ingress, decided = kind == "ingress", decided && ok
		}
		self, ok := selfRule(s, rule, g)
		decided = decided && ok
		in, out = in || ingress && self, out || !ingress && self
	}
	return in, out, decided
}

// inlineSelf looks for a rule to itself among the rules of a security group.
func inlineSelf(rules Value) (found, decided bool) {
	list, decided := rules.List()
	for _, r := range list {
		self, ok := r.Get("self").FlagOr(false)
		all, okAll := allTraffic(r.Get("protocol"))
		found, decided = found || self && all, decided && ok && okAll
	}
	return found, decided
}

// selfRule says whether a rule of its own resource opens a group to itself.
func selfRule(s *Stack, rule, g *Resource) (self, decided bool) {
	protocol, peer, name := rule.Get("ipProtocol"), rule.Get("referencedSecurityGroupId"), "referencedSecurityGroupId"
	if rule.Type == tokenGroupRule {
		protocol, peer, name = rule.Get("protocol"), rule.Get("sourceSecurityGroupId"), "sourceSecurityGroupId"
	}
	all, decided := allTraffic(protocol)
	flag, _ := rule.Get("self").FlagOr(false)
	return all && (flag || !peer.Absent() && s.Meant(rule, name, peer, tokenSecurityGroup) == g), decided
}

// allTraffic says whether a protocol is "every": "-1" or "all".
func allTraffic(protocol Value) (all, decided bool) {
	text, ok := protocol.Text()
	if n, isNumber := protocol.Number(); isNumber {
		return n == -1, true
	}
	return text == "all", ok
}
