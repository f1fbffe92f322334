package aws

import (
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const subnetToken = "aws:ec2/subnet:Subnet"

func subnet(a Account) *engine.Resource {
	return &engine.Resource{
		Token: subnetToken, Args: ec2.SubnetArgs{}, State: ec2.Subnet{},
		Replace: []string{"vpcId", "cidrBlock", "availabilityZone", "availabilityZoneId", "ipv6Native", "outpostArn"},
		Refs:    []engine.Ref{{Path: "vpcId", To: vpcToken, By: byID, Code: "InvalidVpcID.NotFound", Holds: true}},
		Plan: []engine.Rule{
			subnetCIDR,
			oneZone,
			oneOf("privateDnsHostnameTypeOnLaunch", "EC2 API, ModifySubnetAttribute", "ip-name", "resource-name"),
		},
		Apply: []engine.Rule{
			zoneInRegion,
			subnetInVPC,
			subnetFree,
			a.perVPC("subnets", subnetToken, "SubnetLimitExceeded"),
		},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			id, err := c.NewID("subnet-")
			z := chosenZone(c)
			out := engine.Outputs{
				"arn": arn(c, "ec2", "subnet/"+id), "ownerId": engine.Account,
				"availabilityZone": z.name, "availabilityZoneId": z.id,
			}
			setDefault(c, out, "privateDnsHostnameTypeOnLaunch", "ip-name")
			return id, out, err
		},
	}
}

// byID is how most resources are referred to.
var byID = []string{"id"}

var subnetCIDR = engine.Rule{
	Name: "subnet-cidr", Says: "`cidrBlock` is an IPv4 network between /16 and /28", Source: "VPC User Guide, \"Subnet CIDR blocks\"",
	Judge: func(c *engine.Call) error { return sizedCIDR(c, "InvalidSubnet.Range") },
}

var oneZone = engine.Rule{
	Name: "one-zone", Says: "not both of `availabilityZone` and `availabilityZoneId`", Source: "EC2 API, CreateSubnet",
	Judge: func(c *engine.Call) error {
		if c.In.Has("availabilityZone") && c.In.Has("availabilityZoneId") {
			return engine.Invalid("availabilityZone", "conflicts with availabilityZoneId: give one of them")
		}
		return nil
	},
}

// chosenZone is where a subnet lands; AWS picks a zone if the program names none.
func chosenZone(c *engine.Call) zone {
	if z, ok := zoneNamed(c, c.In.Str("availabilityZone")); ok {
		return z
	}
	if z, ok := zoneWithID(c, c.In.Str("availabilityZoneId")); ok {
		return z
	}
	return zonesOf(c.Catalog(), c.Region)[0]
}

var zoneInRegion = engine.Rule{
	Name: "zone-in-region", Says: "the zone belongs to the region; a name is no id", Source: "EC2 API, CreateSubnet",
	Judge: func(c *engine.Call) error {
		var names, ids []string
		for _, z := range zonesOf(c.Catalog(), c.Region) {
			names, ids = append(names, z.name), append(ids, z.id)
		}
		if name := c.In.Str("availabilityZone"); name != "" {
			if _, ok := zoneNamed(c, name); !ok {
				return engine.Refuse("InvalidParameterValue", "Value (%s) for parameter availabilityZone is invalid. Subnets can currently only be created in the following availability zones: %s", name, list(names))
			}
		}
		if id := c.In.Str("availabilityZoneId"); id != "" {
			if _, ok := zoneWithID(c, id); !ok {
				return engine.Refuse("InvalidParameterValue", "Value (%s) for parameter availabilityZoneId is invalid. Subnets can currently only be created in the following availability zones: %s", id, list(ids))
			}
		}
		return nil
	},
}

var subnetInVPC = engine.Rule{
	Name: "subnet-in-vpc", Says: "the subnet's block lies inside its VPC's", Source: "EC2 API, CreateSubnet (InvalidSubnet.Range)",
	Judge: func(c *engine.Call) error {
		vpc, _ := c.Resolve("vpcId")
		block, inner := vpc.Out.Str("cidrBlock"), c.In.Str("cidrBlock")
		outerNet, _ := network(block)
		innerNet, _ := network(inner)
		if outerNet.Bits() <= innerNet.Bits() && outerNet.Contains(innerNet.Addr()) {
			return nil
		}
		return engine.Refuse("InvalidSubnet.Range", "The CIDR '%s' is invalid: it lies outside the VPC %s, which has %s", inner, vpc.ID, block)
	},
}

var subnetFree = engine.Rule{
	Name: "subnet-free", Says: "no two subnets of a VPC overlap", Source: "EC2 API, CreateSubnet (InvalidSubnet.Conflict)",
	Judge: func(c *engine.Call) error {
		mine, _ := network(c.In.Str("cidrBlock"))
		for _, other := range c.Others(subnetToken) {
			theirs, _ := network(other.In.Str("cidrBlock"))
			if other.In.Str("vpcId") == c.In.Str("vpcId") && mine.Overlaps(theirs) {
				return engine.Refuse("InvalidSubnet.Conflict", "The CIDR '%s' conflicts with another subnet: %s has %s", mine, other.ID, theirs)
			}
		}
		return nil
	},
}
