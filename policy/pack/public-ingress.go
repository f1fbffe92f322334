package pack

import (
	"math"
)

var publicIngress = Policy{
	Name: "public-ingress", Level: Mandatory, Area: Nodes,
	Summary: "The world reaches no port but 80 and 443.",
	Why: "Training frameworks, notebooks, dashboards and object stores listen without authentication, and trust that nobody outside " +
		"reaches them. Only a load balancer serves the world, on its two ports.",
	Fix:      "Open the port to the security group or the address range that needs it.",
	Tokens:   []string{tokenSecurityGroup, tokenDefaultGroup, tokenGroupRule, tokenIngressRule},
	Resource: judgePublicIngress,
}

// judgePublicIngress leaves port 22 alone to public-ssh.
func judgePublicIngress(r *Resource, _ Config) []Finding {
	var findings []Finding
	for _, o := range openings(r) {
		single := o.low == o.high && (o.low == 22 || o.low == 80 || o.low == 443)
		switch {
		case !o.ports(math.Inf(-1), math.Inf(1)):
		case o.protocol == "-1" || o.protocol == "all":
			findings = append(findings, one("%s may connect to every port.", o.from)...)
		case !single:
			findings = append(findings, one("%s may connect to %s.", o.from, o.span)...)
		}
	}
	return findings
}
