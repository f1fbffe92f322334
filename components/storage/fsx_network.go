package storage

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/vpc"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// portRange is a range of TCP ports.
type portRange struct{ from, to int }

// lustrePorts are the ports that Lustre servers and clients reach each other by.
// Source: FSx for Lustre User Guide, "File system access control with Amazon VPC".
func lustrePorts() []portRange { return []portRange{{988, 988}, {1018, 1023}} }

// allProtocols is EC2's word for all traffic. EFA's own protocol is neither TCP nor UDP and has no ports.
const allProtocols = "-1"

// groupRule is one rule of a security group.
type groupRule struct {
	name   string
	egress bool
	group  pulumi.StringInput // that the rule is of
	peer   pulumi.StringInput // the group at the other end
	ports  *portRange         // nil for all traffic
	what   string
	self   bool // it is among the servers, and FSx looks for it as it makes the file system
}

// securityGroup registers the group of the file system's interfaces and returns the rules that have to be there before it.
func (b *lustreBuilder) securityGroup() ([]pulumi.Resource, error) {
	name := b.name + "-lustre"
	group, err := ec2.NewSecurityGroup(b.ctx, name, &ec2.SecurityGroupArgs{
		Description: pulumi.String("Servers of a Lustre file system"),
		VpcId:       b.args.VpcID,
		Tags:        tags.Merge(b.args.Tags, name),
	}, b.opts...)
	if err != nil {
		return nil, err
	}
	b.groupID = group.ID().ToStringOutput()
	var rules []pulumi.Resource
	for _, r := range b.rules(name) {
		rule, err := b.rule(r)
		if err != nil {
			return nil, err
		}
		if r.self {
			rules = append(rules, rule)
		}
	}
	return rules, nil
}

// rules are all rules of the file system: servers among themselves, and servers and clients in both directions, since a
// server calls its clients back. Over EFA all traffic is allowed between the servers, and between them and the groups of
// the pools' EFA interfaces: in both groups and in both directions, as a rule with an address range does not match EFA.
// Source: FSx for Lustre User Guide, "File system access control with Amazon VPC" and "Working with EFA-enabled file
// systems".
func (b *lustreBuilder) rules(name string) []groupRule {
	servers, clients := b.groupID, b.args.ClientGroupID
	var rules []groupRule
	for _, ports := range lustrePorts() {
		suffix := fmt.Sprintf("-%d", ports.from)
		rules = append(rules,
			groupRule{name: name + "-clients-in" + suffix, group: servers, peer: clients, ports: &ports, what: "Lustre from nodes"},
			groupRule{name: name + "-clients-out" + suffix, egress: true, group: servers, peer: clients, ports: &ports, what: "Lustre to nodes"},
			groupRule{name: name + "-servers-in" + suffix, group: clients, peer: servers, ports: &ports, what: "Lustre from its servers"},
		)
		if !b.args.EFA {
			rules = append(rules,
				groupRule{name: name + "-self-in" + suffix, group: servers, peer: servers, ports: &ports, what: "Lustre among servers", self: true},
				groupRule{name: name + "-self-out" + suffix, egress: true, group: servers, peer: servers, ports: &ports, what: "Lustre among servers", self: true},
			)
		}
	}
	if !b.args.EFA {
		return rules
	}
	for _, r := range both(name+"-self", servers, servers, "EFA among servers") {
		r.self = true
		rules = append(rules, r)
	}
	for _, pool := range slices.Sorted(maps.Keys(b.args.Fabrics)) {
		fabric := b.args.Fabrics[pool]
		rules = append(rules, both(name+"-"+pool, servers, fabric, "EFA of a pool")...)
		rules = append(rules, both(name+"-"+pool+"-pool", fabric, servers, "EFA of a file system")...)
	}
	return rules
}

// both are the rules that let all traffic in from a peer and out to it.
func both(name string, group, peer pulumi.StringInput, what string) []groupRule {
	return []groupRule{
		{name: name + "-in", group: group, peer: peer, what: what},
		{name: name + "-out", egress: true, group: group, peer: peer, what: what},
	}
}

func (b *lustreBuilder) rule(r groupRule) (pulumi.Resource, error) {
	protocol, from, to := pulumi.String(allProtocols), pulumi.IntPtrInput(nil), pulumi.IntPtrInput(nil)
	if r.ports != nil {
		protocol, from, to = "tcp", pulumi.Int(r.ports.from), pulumi.Int(r.ports.to)
	}
	if r.egress {
		return vpc.NewSecurityGroupEgressRule(b.ctx, r.name, &vpc.SecurityGroupEgressRuleArgs{
			SecurityGroupId: r.group, ReferencedSecurityGroupId: r.peer.ToStringOutput().ToStringPtrOutput(),
			IpProtocol: protocol, FromPort: from, ToPort: to,
			Description: pulumi.String(r.what), Tags: tags.Merge(b.args.Tags, r.name),
		}, b.opts...)
	}
	return vpc.NewSecurityGroupIngressRule(b.ctx, r.name, &vpc.SecurityGroupIngressRuleArgs{
		SecurityGroupId: r.group, ReferencedSecurityGroupId: r.peer.ToStringOutput().ToStringPtrOutput(),
		IpProtocol: protocol, FromPort: from, ToPort: to,
		Description: pulumi.String(r.what), Tags: tags.Merge(b.args.Tags, r.name),
	}, b.opts...)
}
