package aws

import (
	"fmt"
	"net/netip"
	"strconv"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	internetGatewayToken = "aws:ec2/internetGateway:InternetGateway"
	natGatewayToken      = "aws:ec2/natGateway:NatGateway"
	eipToken             = "aws:ec2/eip:Eip"
)

func itoa(n int) string { return strconv.Itoa(n) }

func internetGateway(a Account) *engine.Resource {
	return &engine.Resource{
		Token: internetGatewayToken, Args: ec2.InternetGatewayArgs{}, State: ec2.InternetGateway{},
		Refs: []engine.Ref{{Path: "vpcId", To: vpcToken, By: byID, Code: "InvalidVpcID.NotFound", Holds: true}},
		Apply: []engine.Rule{
			onePerVPC,
			a.perRegion("internet-gateways", internetGatewayToken, "InternetGatewayLimitExceeded"),
		},
		Keep: []engine.Rule{noPublicAddresses},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			id, err := c.NewID("igw-")
			return id, engine.Outputs{"arn": arn(c, "ec2", "internet-gateway/"+id), "ownerId": engine.Account}, err
		},
	}
}

var onePerVPC = engine.Rule{
	Name: "one-per-vpc", Says: "a VPC has one internet gateway", Source: "EC2 API, AttachInternetGateway",
	Judge: func(c *engine.Call) error {
		vpc := c.In.Str("vpcId")
		for _, other := range c.Others(internetGatewayToken) {
			if vpc != "" && other.In.Str("vpcId") == vpc {
				return engine.Refuse("Resource.AlreadyAssociated", "The VPC %s has the internet gateway %s already; use that one", vpc, other.ID)
			}
		}
		return nil
	},
}

var noPublicAddresses = engine.Rule{
	Name: "no-public-addresses", Says: "an internet gateway stays while its VPC has public NAT gateways", Source: "EC2 API, DetachInternetGateway",
	Judge: func(c *engine.Call) error {
		for _, nat := range c.All(natGatewayToken) {
			if s, ok := c.Get(subnetToken, nat.In.Str("subnetId")); ok && s.In.Str("vpcId") == c.In.Str("vpcId") && nat.In.Has("allocationId") {
				return engine.Refuse("DependencyViolation", "Network %s has some mapped public address(es): delete the NAT gateway %s first, or make it depend on this gateway", c.In.Str("vpcId"), nat.ID)
			}
		}
		return nil
	},
}

func eip(a Account) *engine.Resource {
	return &engine.Resource{
		Token: eipToken, Args: ec2.EipArgs{}, State: ec2.Eip{},
		Replace: []string{"address", "domain", "networkBorderGroup", "publicIpv4Pool", "ipamPoolId"},
		Refs: []engine.Ref{
			{Path: "instance", To: "aws:ec2/instance:Instance", By: byID, Code: "InvalidInstanceID.NotFound"},
			{Path: "networkInterface", To: "aws:ec2/networkInterface:NetworkInterface", By: byID, Code: "InvalidNetworkInterfaceID.NotFound"},
		},
		Plan: []engine.Rule{oneOf("domain", "EC2 API, AllocateAddress", "vpc")},
		Apply: []engine.Rule{
			a.perRegion("elastic-ips", eipToken, "AddressLimitExceeded"),
		},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			id, err := c.NewID("eipalloc-")
			if err != nil {
				return "", nil, err
			}
			address := freeAddress(c)
			out := engine.Outputs{
				"allocationId": id, "arn": arn(c, "ec2", "elastic-ip/"+id), "domain": "vpc", "vpc": true,
				"publicIp": address, "publicDns": "ec2-" + dashed(address) + "." + c.Region + ".compute.amazonaws.com",
				"networkBorderGroup": c.Region, "publicIpv4Pool": "amazon",
			}
			return id, out, nil
		},
	}
}

// freeAddress returns an address that no other Elastic IP has, from a network that is reserved for documentation and
// so belongs to nobody.
// Source: RFC 5737.
func freeAddress(c *engine.Call) string {
	taken := map[string]bool{}
	for _, other := range c.All(eipToken) {
		taken[other.Out.Str("publicIp")] = true
	}
	address := netip.MustParseAddr("198.51.100.1")
	for taken[address.String()] {
		address = address.Next()
	}
	return address.String()
}

func dashed(address string) string {
	b := netip.MustParseAddr(address).As4()
	return fmt.Sprintf("%d-%d-%d-%d", b[0], b[1], b[2], b[3])
}

func natGateway(a Account) *engine.Resource {
	return &engine.Resource{
		Token: natGatewayToken, Args: ec2.NatGatewayArgs{}, State: ec2.NatGateway{},
		Replace: []string{"allocationId", "connectivityType", "privateIp", "subnetId"},
		Refs: []engine.Ref{
			{Path: "allocationId", To: eipToken, By: byID, Code: "InvalidAllocationID.NotFound", Holds: true},
			{Path: "subnetId", To: subnetToken, By: byID, Code: "InvalidSubnetID.NotFound", Holds: true},
		},
		Plan: []engine.Rule{
			oneOf("connectivityType", "EC2 API, CreateNatGateway", "public", "private"),
			natAddress,
		},
		Apply: []engine.Rule{addressFree, natHasInternet, a.natQuota()},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			id, err := c.NewID("nat-")
			if err != nil {
				return "", nil, err
			}
			eni, err := c.NewID("eni-")
			if err != nil {
				return "", nil, err
			}
			s, _ := c.Resolve("subnetId")
			out := engine.Outputs{"networkInterfaceId": eni, "privateIp": addressIn(s)}
			setDefault(c, out, "connectivityType", "public")
			if address, ok := c.Resolve("allocationId"); ok {
				association, err := c.NewID("eipassoc-")
				if err != nil {
					return "", nil, err
				}
				out["publicIp"], out["associationId"] = address.Out.Str("publicIp"), association
			}
			return id, out, nil
		},
	}
}

// addressIn returns the first address of a subnet that AWS does not keep for itself.
// Source: VPC User Guide, "Subnet CIDR blocks": the first four addresses and the last are reserved.
func addressIn(subnet engine.Item) string {
	p, err := network(subnet.In.Str("cidrBlock"))
	if err != nil {
		panic(err) // the subnet was judged when it was made
	}
	address := p.Addr()
	for range 4 {
		address = address.Next()
	}
	return address.String()
}

var natAddress = engine.Rule{
	Name: "nat-address", Says: "a public NAT gateway has an `allocationId`, a private one has none", Source: "EC2 API, CreateNatGateway",
	Judge: func(c *engine.Call) error {
		private := c.In.Str("connectivityType") == "private"
		if private == c.In.Has("allocationId") && !c.In.Unknown("connectivityType") {
			return engine.Invalid("allocationId", "a public NAT gateway needs the allocationId of an Elastic IP, a private one takes none")
		}
		return nil
	},
}

var addressFree = engine.Rule{
	Name: "address-free", Says: "an Elastic IP serves one NAT gateway", Source: "EC2 API, CreateNatGateway",
	Judge: func(c *engine.Call) error {
		for _, other := range c.Others(natGatewayToken) {
			if id := c.In.Str("allocationId"); id != "" && other.In.Str("allocationId") == id {
				return engine.Refuse("Resource.AlreadyAssociated", "The address %s is in use by the NAT gateway %s; allocate another", id, other.ID)
			}
		}
		return nil
	},
}

var natHasInternet = engine.Rule{
	Name: "nat-has-internet", Says: "a public NAT gateway's VPC has an internet gateway, and its subnet does not route to a NAT gateway",
	Source: "VPC User Guide, \"Troubleshoot NAT gateways\" (Gateway.NotAttached)",
	Judge: func(c *engine.Call) error {
		if !c.In.Has("allocationId") {
			return nil
		}
		s, _ := c.Resolve("subnetId")
		vpc := s.In.Str("vpcId")
		if _, ok := internetGatewayOf(c, vpc); !ok {
			return engine.Refuse("Gateway.NotAttached", "Network %s has no Internet gateway attached; make the NAT gateway depend on one", vpc)
		}
		if r, ok := defaultRoute(c, s); ok && !isInternet(r) {
			return engine.Refuse("Gateway.NotAttached", "The subnet %s is not public: its default route leads to %s. Put the NAT gateway into a subnet that routes to the internet gateway", s.ID, routeTarget(r))
		}
		return nil
	},
}

func internetGatewayOf(c *engine.Call, vpc string) (engine.Item, bool) {
	for _, g := range c.All(internetGatewayToken) {
		if g.In.Str("vpcId") == vpc {
			return g, true
		}
	}
	return engine.Item{}, false
}

func (a Account) natQuota() engine.Rule {
	limit := a.limit("nat-gateways")
	return engine.Rule{
		Name: "nat-quota", Says: fmt.Sprintf("at most %d NAT gateways in a zone", limit), Source: vpcQuotas,
		Judge: func(c *engine.Call) error {
			s, _ := c.Resolve("subnetId")
			n := 0
			for _, other := range c.Others(natGatewayToken) {
				if theirs, ok := c.Get(subnetToken, other.In.Str("subnetId")); ok && theirs.Out.Str("availabilityZone") == s.Out.Str("availabilityZone") {
					n++
				}
			}
			if n >= limit {
				return engine.Refuse("NatGatewayLimitExceeded", "The zone %s has %d of at most %d NAT gateways", s.Out.Str("availabilityZone"), n, limit)
			}
			return nil
		},
	}
}
