package aws

import (
	"fmt"

	sdkvpc "github.com/pulumi/pulumi-aws/sdk/v6/go/aws/vpc"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	ingressRuleToken = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
	egressRuleToken  = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"
)

func securityGroupIngressRule(a Account) *engine.Resource {
	r := groupRule(a, ingressRuleToken)
	r.Args, r.State = sdkvpc.SecurityGroupIngressRuleArgs{}, sdkvpc.SecurityGroupIngressRule{}
	return r
}

func securityGroupEgressRule(a Account) *engine.Resource {
	r := groupRule(a, egressRuleToken)
	r.Args, r.State = sdkvpc.SecurityGroupEgressRuleArgs{}, sdkvpc.SecurityGroupEgressRule{}
	return r
}

// groupRule is what rules of both directions have in common.
func groupRule(a Account, token string) *engine.Resource {
	return &engine.Resource{
		Token:   token,
		Replace: []string{"securityGroupId"},
		Refs: []engine.Ref{
			{Path: "securityGroupId", To: securityGroupToken, By: byID, Code: "InvalidGroup.NotFound"},
			{Path: "referencedSecurityGroupId", To: securityGroupToken, By: byID, Code: "InvalidGroup.NotFound", Holds: true},
			{Path: "prefixListId", To: "aws:ec2/managedPrefixList:ManagedPrefixList", By: byID, Code: "InvalidPrefixListID.NotFound"},
		},
		Plan: []engine.Rule{
			exactlyOne("one-peer", "EC2 API, AuthorizeSecurityGroupIngress", peers...),
			cidrs("cidrIpv4", "cidrIpv6"),
			{
				Name: "protocol-and-ports", Says: "tcp and udp have a port range, protocol -1 has none", Source: "EC2 API, IpPermission",
				Judge: func(c *engine.Call) error { return ports("", c.In.Str("ipProtocol"), c.In) },
			},
		},
		Apply: []engine.Rule{peerInReach, notTwice(token), a.groupRuleQuota(token)},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			c.ComeWith(securityGroupToken, c.In.Str("securityGroupId"))
			id, err := c.NewID("sgr-")
			return id, engine.Outputs{"arn": arn(c, "ec2", "security-group-rule/"+id), "securityGroupRuleId": id}, err
		},
	}
}

var peers = []string{"cidrIpv4", "cidrIpv6", "prefixListId", "referencedSecurityGroupId"}

var peerInReach = engine.Rule{
	Name: "peer-in-vpc", Says: "a referenced group belongs to the same VPC", Source: "EC2 API, AuthorizeSecurityGroupIngress",
	Judge: func(c *engine.Call) error {
		group, _ := c.Resolve("securityGroupId")
		peer, ok := c.Resolve("referencedSecurityGroupId")
		if ok && group.Out.Str("vpcId") != peer.Out.Str("vpcId") {
			return engine.Refuse("InvalidGroup.NotFound", "You have specified two resources that belong to different networks: %s and %s", group.ID, peer.ID)
		}
		return nil
	},
}

// notTwice is the rule that a group has no rule twice.
func notTwice(token string) engine.Rule {
	return engine.Rule{
		Name: "rule-not-twice", Says: "a group has no rule twice; the description does not tell rules apart", Source: "EC2 API, AuthorizeSecurityGroupIngress (InvalidPermission.Duplicate)",
		Judge: func(c *engine.Call) error {
			for _, other := range c.Others(token) {
				if ruleKey(other.In) == ruleKey(c.In) {
					return engine.Refuse("InvalidPermission.Duplicate", "the specified rule %q already exists in %s, as %s", peerOf(c.In), c.In.Str("securityGroupId"), other.ID)
				}
			}
			return nil
		},
	}
}

func peerOf(in engine.Props) string {
	for _, p := range peers {
		if peer := in.Str(p); peer != "" {
			return fmt.Sprintf("peer: %s, %s", peer, in.Str("ipProtocol"))
		}
	}
	return ""
}

func ruleKey(in engine.Props) string {
	from, _ := in.Int("fromPort")
	to, _ := in.Int("toPort")
	return fmt.Sprintf("%s %s %d %d", in.Str("securityGroupId"), peerOf(in), from, to)
}

// groupRuleQuota is the rule that a group has only so many rules in a direction.
func (a Account) groupRuleQuota(token string) engine.Rule {
	limit := a.limit("security-group-rules")
	return engine.Rule{
		Name: "rule-quota", Says: fmt.Sprintf("at most %d rules in a group in each direction", limit), Source: vpcQuotas,
		Judge: func(c *engine.Call) error {
			n := 0
			for _, other := range c.Others(token) {
				if other.In.Str("securityGroupId") == c.In.Str("securityGroupId") {
					n++
				}
			}
			if n >= limit {
				return engine.Refuse("RulesPerSecurityGroupLimitExceeded", "The security group %s has %d of at most %d rules in this direction", c.In.Str("securityGroupId"), n, limit)
			}
			return nil
		},
	}
}
