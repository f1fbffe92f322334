package aws

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	securityGroupToken        = "aws:ec2/securityGroup:SecurityGroup"
	defaultSecurityGroupToken = "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup"
)

func securityGroup(a Account) *engine.Resource {
	return &engine.Resource{
		Token: securityGroupToken, Args: ec2.SecurityGroupArgs{}, State: ec2.SecurityGroup{},
		Replace:  []string{"name", "namePrefix", "description", "vpcId"},
		AutoName: &engine.AutoName{Property: "name", Prefix: "namePrefix", Max: 255},
		Refs: append([]engine.Ref{{Path: "vpcId", To: vpcToken, By: byID, Code: "InvalidVpcID.NotFound", Holds: true}},
			inlineRefs()...),
		Plan: []engine.Rule{groupText, inlineRules("ingress"), inlineRules("egress")},
		Apply: []engine.Rule{
			hasVPC, groupNameFree, a.inlineQuota(),
			a.perRegion("security-groups", securityGroupToken, "SecurityGroupLimitExceeded"),
		},
		Keep: []engine.Rule{groupUnused},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			id, err := c.NewID("sg-")
			if err != nil {
				return "", nil, err
			}
			name, err := nameOf(c, "name", "namePrefix")
			out := engine.Outputs{"arn": arn(c, "ec2", "security-group/"+id), "ownerId": engine.Account, "name": name}
			setDefault(c, out, "description", "Managed by Pulumi")
			return id, out, err
		},
	}
}

// inlineRefs are the groups that rules inside a group name.
func inlineRefs() []engine.Ref {
	var refs []engine.Ref
	for _, path := range []string{"ingress[*].securityGroups[*]", "egress[*].securityGroups[*]"} {
		refs = append(refs, engine.Ref{Path: path, To: securityGroupToken, By: byID, Code: "InvalidGroup.NotFound", Holds: true})
	}
	return refs
}

var groupLetters = regexp.MustCompile(`^[a-zA-Z0-9 ._\-:/()#,@\[\]+=&;{}!$*]*$`)

var groupText = engine.Rule{
	Name: "group-text", Says: "name and description have up to 255 plain characters; the name is not `default` and does not begin with `sg-`",
	Source: "EC2 API, CreateSecurityGroup",
	Judge: func(c *engine.Call) error {
		var errs []error
		for _, path := range []string{"name", "namePrefix", "description"} {
			if text := c.In.Str(path); len(text) > 255 || !groupLetters.MatchString(text) {
				errs = append(errs, engine.Invalid(path, "got %q: at most 255 letters, digits, spaces and ._-:/()#,@[]+=&;{}!$* are allowed", text))
			}
		}
		if name := c.In.Str("name"); strings.HasPrefix(name, "sg-") || strings.EqualFold(name, "default") {
			errs = append(errs, engine.Invalid("name", "got %q, which is reserved: choose another name", name))
		}
		return errors.Join(errs...)
	},
}

// inlineRules is the rule on rules written inside a group.
func inlineRules(direction string) engine.Rule {
	return engine.Rule{
		Name: "inline-" + direction, Says: "each of `" + direction + "` has a protocol with its ports and at least one peer", Source: "EC2 API, IpPermission",
		Judge: func(c *engine.Call) error {
			var errs []error
			for i, r := range c.In.Blocks(direction + "[*]") {
				at := fmt.Sprintf("%s[%d]", direction, i)
				peers := count(r, []string{"cidrBlocks", "ipv6CidrBlocks", "prefixListIds", "securityGroups"})
				if peers == 0 && !r.Bool("self") {
					errs = append(errs, engine.Invalid(at, "names no peer; give cidrBlocks, ipv6CidrBlocks, prefixListIds, securityGroups or self"))
				}
				for _, block := range r.Strs("cidrBlocks[*]") {
					if _, err := network(block); err != nil {
						errs = append(errs, engine.Invalid(at+".cidrBlocks", "%v", err))
					}
				}
				if err := ports(at, r.Str("protocol"), r); err != nil {
					errs = append(errs, err)
				}
			}
			return errors.Join(errs...)
		},
	}
}

// ports judges a rule's protocol and ports.
// Source: EC2 API, IpPermission.
func ports(at, protocol string, r engine.Props) error {
	from, hasFrom := r.Int("fromPort")
	to, hasTo := r.Int("toPort")
	where := func(name string) string { return strings.TrimPrefix(at+"."+name, ".") }
	switch strings.ToLower(protocol) {
	case "":
		return nil // not known yet
	case "-1", "all":
		if from > 0 || to > 0 {
			return engine.Invalid(where("fromPort"), "got %d to %d: protocol %s means all ports, so leave the ports out", from, to, protocol)
		}
	case "tcp", "udp", "6", "17":
		switch {
		case r.Unknown("fromPort") || r.Unknown("toPort"):
		case !hasFrom || !hasTo:
			return engine.Invalid(where("fromPort"), "protocol %s needs fromPort and toPort", protocol)
		case from < 0 || to > 65535 || from > to:
			return engine.Invalid(where("fromPort"), "got %d to %d, wanted a range within 0 to 65535", from, to)
		}
	case "icmp", "icmpv6", "1", "58":
		if from < -1 || from > 255 || to < -1 || to > 255 {
			return engine.Invalid(where("fromPort"), "got %d and %d: for ICMP these are a type and a code, -1 to 255", from, to)
		}
	default:
		if !number.MatchString(protocol) {
			return engine.Invalid(where("protocol"), "got %q, wanted tcp, udp, icmp, icmpv6, -1 or a protocol number", protocol)
		}
	}
	return nil
}

var number = regexp.MustCompile(`^\d{1,3}$`)

var hasVPC = engine.Rule{
	Name: "has-vpc", Says: "a security group names its VPC, since the account has no default VPC", Source: "EC2 API, CreateSecurityGroup (VPCIdNotSpecified)",
	Judge: func(c *engine.Call) error {
		if c.In.Has("vpcId") {
			return nil
		}
		return engine.Refuse("VPCIdNotSpecified", "No default VPC for this user; give vpcId")
	},
}

var groupNameFree = engine.Rule{
	Name: "group-name-free", Says: "a group's name is unique in its VPC", Source: "EC2 API, CreateSecurityGroup (InvalidGroup.Duplicate)",
	Judge: func(c *engine.Call) error {
		for _, other := range c.Others(securityGroupToken) {
			if name := c.In.Str("name"); name != "" && other.Out.Str("name") == name && other.Out.Str("vpcId") == c.In.Str("vpcId") {
				return engine.Refuse("InvalidGroup.Duplicate", "The security group '%s' already exists for VPC '%s': %s", name, c.In.Str("vpcId"), other.ID)
			}
		}
		return nil
	},
}

func (a Account) inlineQuota() engine.Rule {
	limit := a.limit("security-group-rules")
	return engine.Rule{
		Name: "inline-quota", Says: fmt.Sprintf("at most %d rules inside a group in each direction; every peer of a rule counts", limit), Source: vpcQuotas,
		Judge: func(c *engine.Call) error {
			for _, direction := range []string{"ingress", "egress"} {
				n := 0
				for _, r := range c.In.Blocks(direction + "[*]") {
					n += len(r.Leaves("cidrBlocks[*]")) + len(r.Leaves("ipv6CidrBlocks[*]")) + len(r.Leaves("securityGroups[*]"))
					if r.Bool("self") {
						n++
					}
				}
				if n > limit {
					return engine.Refuse("RulesPerSecurityGroupLimitExceeded", "The group has %d %s rules of at most %d", n, direction, limit)
				}
			}
			return nil
		},
	}
}

var groupUnused = engine.Rule{
	Name: "group-unused", Says: "a security group stays while interfaces of running nodes carry it", Source: "EC2 API, DeleteSecurityGroup (DependencyViolation)",
	Judge: func(c *engine.Call) error {
		for _, group := range c.All(nodeGroupToken) {
			template, ok := templateOf(c, group.In)
			if ok && slices.Contains(template.In.Strs("networkInterfaces[*].securityGroups[*]"), c.ID) ||
				ok && slices.Contains(template.In.Strs("vpcSecurityGroupIds[*]"), c.ID) {
				return engine.Refuse("DependencyViolation", "resource %s has a dependent object: the nodes of %s carry it; delete that node group first", c.ID, group.ID)
			}
		}
		return nil
	},
}

// groupMade is a security group that AWS makes by itself.
type groupMade struct{ id, owner, vpc, name, description string }

// makeGroup makes a group as AWS makes default and cluster groups: all traffic among its members, and all outward.
func makeGroup(c *engine.Call, g groupMade) error {
	in := engine.Outputs{
		"vpcId": g.vpc, "name": g.name, "description": g.description,
		"ingress": []any{map[string]any{"protocol": "-1", "fromPort": 0, "toPort": 0, "self": true}},
		"egress":  []any{map[string]any{"protocol": "-1", "fromPort": 0, "toPort": 0, "self": true, "cidrBlocks": []any{"0.0.0.0/0"}}},
	}
	out := engine.Outputs{"arn": arn(c, "ec2", "security-group/"+g.id), "ownerId": engine.Account}
	for k, v := range in {
		out[k] = v
	}
	return c.Make(securityGroupToken, g.id, g.owner, in, out)
}

// defaultSecurityGroup adopts the group that came with a VPC and gives it the rules the program states: none, mostly.
func defaultSecurityGroup() *engine.Resource {
	return &engine.Resource{
		Token: defaultSecurityGroupToken, Args: ec2.DefaultSecurityGroupArgs{}, State: ec2.DefaultSecurityGroup{},
		Replace: []string{"vpcId"},
		Refs: append([]engine.Ref{{Path: "vpcId", To: vpcToken, By: byID, Code: "InvalidVpcID.NotFound"}},
			inlineRefs()...),
		Plan:  []engine.Rule{inlineRules("ingress"), inlineRules("egress")},
		Apply: []engine.Rule{hasVPC},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			vpc, _ := c.Resolve("vpcId")
			c.ComeWith(vpcToken, vpc.ID)
			id := vpc.Out.Str("defaultSecurityGroupId")
			out := engine.Outputs{
				"arn": arn(c, "ec2", "security-group/"+id), "ownerId": engine.Account,
				"name": "default", "description": "default VPC security group",
			}
			return id, out, c.Adopt(securityGroupToken, id, "ingress", "egress")
		},
		Update: func(c *engine.Call) (engine.Outputs, error) {
			return nil, c.Adopt(securityGroupToken, c.ID, "ingress", "egress")
		},
	}
}
