package aws

import (
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const vpcToken = "aws:ec2/vpc:Vpc"

// vpc is a VPC. It brings its default security group and its main route table.
func vpc(a Account) *engine.Resource {
	return &engine.Resource{
		Token: vpcToken, Args: ec2.VpcArgs{}, State: ec2.Vpc{},
		Replace: []string{"cidrBlock", "instanceTenancy", "ipv4IpamPoolId", "ipv4NetmaskLength"},
		Plan: []engine.Rule{
			vpcCIDR,
			oneOf("instanceTenancy", "EC2 API, CreateVpc", "default", "dedicated"),
		},
		Apply: []engine.Rule{
			a.perRegion("vpcs", vpcToken, "VpcLimitExceeded"),
		},
		Create: createVPC,
	}
}

var vpcCIDR = engine.Rule{
	Name: "vpc-cidr", Says: "`cidrBlock` is an IPv4 network between /16 and /28", Source: "VPC User Guide, \"VPC CIDR blocks\"",
	Judge: func(c *engine.Call) error { return sizedCIDR(c, "InvalidVpc.Range") },
}

// sizedCIDR judges the cidrBlock of a VPC or subnet.
func sizedCIDR(c *engine.Call, code string) error {
	if c.In.Unknown("cidrBlock") {
		return nil
	}
	text := c.In.Str("cidrBlock")
	if text == "" {
		return engine.Invalid("cidrBlock", "missing: the embedded cloud has no address pools and no IPv6-only networks, so an IPv4 block is required")
	}
	p, err := network(text)
	if err != nil {
		return engine.Invalid("cidrBlock", "%v", err)
	}
	if !p.Addr().Is4() || p.Bits() < 16 || p.Bits() > 28 {
		return &engine.Error{Path: "cidrBlock", Code: code, Message: "The CIDR '" + text + "' is invalid: the block size must be between a /28 netmask and a /16 netmask"}
	}
	return nil
}

func createVPC(c *engine.Call) (string, engine.Outputs, error) {
	id, err := c.NewID("vpc-")
	if err != nil {
		return "", nil, err
	}
	group, err := c.NewID("sg-")
	if err != nil {
		return "", nil, err
	}
	table, err := c.NewID("rtb-")
	if err != nil {
		return "", nil, err
	}
	acl, err := c.NewID("acl-")
	if err != nil {
		return "", nil, err
	}
	dhcp, err := c.NewID("dopt-")
	if err != nil {
		return "", nil, err
	}
	if err := makeGroup(c, groupMade{id: group, owner: id, vpc: id, name: "default", description: "default VPC security group"}); err != nil {
		return "", nil, err
	}
	in := engine.Outputs{"vpcId": id}
	err = c.Make(routeTableToken, table, id, in, engine.Outputs{"vpcId": id, "ownerId": engine.Account, "arn": arn(c, "ec2", "route-table/"+table)})
	if err != nil {
		return "", nil, err
	}
	out := engine.Outputs{
		"arn": arn(c, "ec2", "vpc/"+id), "ownerId": engine.Account,
		"defaultSecurityGroupId": group, "defaultNetworkAclId": acl, "dhcpOptionsId": dhcp,
		"mainRouteTableId": table, "defaultRouteTableId": table,
	}
	setDefault(c, out, "enableDnsSupport", true)
	setDefault(c, out, "instanceTenancy", "default")
	return id, out, nil
}

// setDefault gives an output the value AWS takes when the program gives none.
func setDefault(c *engine.Call, out engine.Outputs, name string, value any) {
	if !c.In.Has(name) {
		out[name] = value
	}
}
