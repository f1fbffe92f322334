package aws

import (
	"errors"
	"fmt"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	routeTableToken            = "aws:ec2/routeTable:RouteTable"
	routeToken                 = "aws:ec2/route:Route"
	routeTableAssociationToken = "aws:ec2/routeTableAssociation:RouteTableAssociation"
)

// targets are the arguments of a route that say where it leads.
var targets = []string{
	"carrierGatewayId", "coreNetworkArn", "egressOnlyGatewayId", "gatewayId", "localGatewayId", "natGatewayId",
	"networkInterfaceId", "transitGatewayId", "vpcEndpointId", "vpcPeeringConnectionId",
}

// targetRefs are the references a route makes; under is "routes[*]." for routes inside a table. What the embedded
// cloud has no resource type for cannot exist in it, and is refused as AWS refuses an identifier nobody has.
func targetRefs(under string) []engine.Ref {
	ref := func(path, to, code string) engine.Ref {
		return engine.Ref{Path: under + path, To: to, By: byID, Code: code}
	}
	return []engine.Ref{
		ref("gatewayId", internetGatewayToken, "InvalidGatewayID.NotFound"),
		ref("natGatewayId", natGatewayToken, "InvalidNatGatewayID.NotFound"),
		ref("vpcEndpointId", vpcEndpointToken, "InvalidVpcEndpointId.NotFound"),
		ref("carrierGatewayId", "aws:ec2/carrierGateway:CarrierGateway", "InvalidCarrierGatewayID.NotFound"),
		ref("egressOnlyGatewayId", "aws:ec2/egressOnlyInternetGateway:EgressOnlyInternetGateway", "InvalidGatewayID.NotFound"),
		ref("networkInterfaceId", "aws:ec2/networkInterface:NetworkInterface", "InvalidNetworkInterfaceID.NotFound"),
		ref("transitGatewayId", "aws:ec2transitgateway/transitGateway:TransitGateway", "InvalidTransitGatewayID.NotFound"),
		ref("vpcPeeringConnectionId", "aws:ec2/vpcPeeringConnection:VpcPeeringConnection", "InvalidVpcPeeringConnectionID.NotFound"),
	}
}

func routeTable(a Account) *engine.Resource {
	return &engine.Resource{
		Token: routeTableToken, Args: ec2.RouteTableArgs{}, State: ec2.RouteTable{},
		Replace: []string{"vpcId"},
		Refs: append([]engine.Ref{{Path: "vpcId", To: vpcToken, By: byID, Code: "InvalidVpcID.NotFound", Holds: true}},
			targetRefs("routes[*].")...),
		Plan: []engine.Rule{inlineRoutes, cidrs("routes[*].cidrBlock")},
		Apply: []engine.Rule{
			a.perVPC("route-tables", routeTableToken, "RouteTableLimitExceeded"),
		},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			id, err := c.NewID("rtb-")
			return id, engine.Outputs{"arn": arn(c, "ec2", "route-table/"+id), "ownerId": engine.Account}, err
		},
	}
}

var inlineRoutes = engine.Rule{
	Name: "inline-routes", Says: "each of `routes` has a destination and one target, no destination twice", Source: "EC2 API, CreateRoute",
	Judge: func(c *engine.Call) error {
		var errs []error
		seen := map[string]bool{}
		for i, r := range c.In.Blocks("routes[*]") {
			at := fmt.Sprintf("routes[%d]", i)
			if n := count(r, targets); n != 1 {
				errs = append(errs, engine.Invalid(at, "has %d targets; give exactly one of %s", n, list(targets)))
			}
			if n := count(r, []string{"cidrBlock", "ipv6CidrBlock", "destinationPrefixListId"}); n != 1 {
				errs = append(errs, engine.Invalid(at, "has %d destinations; give exactly one", n))
			}
			if block := r.Str("cidrBlock"); block != "" && seen[block] {
				errs = append(errs, engine.Invalid(at, "%s has a route already", block))
			}
			seen[r.Str("cidrBlock")] = true
		}
		return errors.Join(errs...)
	},
}

func count(p engine.Props, paths []string) int {
	n := 0
	for _, path := range paths {
		if p.Has(path) {
			n++
		}
	}
	return n
}

func route(a Account) *engine.Resource {
	return &engine.Resource{
		Token: routeToken, Args: ec2.RouteArgs{}, State: ec2.Route{},
		Replace: []string{"routeTableId", "destinationCidrBlock", "destinationIpv6CidrBlock", "destinationPrefixListId"},
		Refs: append([]engine.Ref{{Path: "routeTableId", To: routeTableToken, By: byID, Code: "InvalidRouteTableID.NotFound"}},
			targetRefs("")...),
		Plan: []engine.Rule{
			exactlyOne("one-destination", "EC2 API, CreateRoute", "destinationCidrBlock", "destinationIpv6CidrBlock", "destinationPrefixListId"),
			exactlyOne("one-target", "EC2 API, CreateRoute", targets...),
			cidrs("destinationCidrBlock", "destinationIpv6CidrBlock"),
		},
		Apply: []engine.Rule{destinationFree, targetInSameVPC, noNATLoop, a.routeQuota()},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			c.ComeWith(routeTableToken, c.In.Str("routeTableId"))
			sum, err := c.NewHex("route")
			return "r-" + c.In.Str("routeTableId") + sum[:10], engine.Outputs{"origin": "CreateRoute", "state": "active"}, err
		},
	}
}

// routesOf returns the routes of a table: those made as resources and those inside the table.
func routesOf(c *engine.Call, table string) []engine.Props {
	var all []engine.Props
	for _, r := range c.Others(routeToken) {
		if r.In.Str("routeTableId") == table {
			all = append(all, r.In)
		}
	}
	t, _ := c.Get(routeTableToken, table)
	for _, r := range t.In.Blocks("routes[*]") {
		if cidr, ok := r["cidrBlock"]; ok {
			r["destinationCidrBlock"] = cidr
		}
		all = append(all, r)
	}
	return all
}

var destinationFree = engine.Rule{
	Name: "destination-free", Says: "a route table has one route a destination, and none to its own VPC's block", Source: "EC2 API, CreateRoute (RouteAlreadyExists)",
	Judge: func(c *engine.Call) error {
		mine, table := c.In.Str("destinationCidrBlock"), c.In.Str("routeTableId")
		if mine == "" {
			return nil
		}
		for _, r := range routesOf(c, table) {
			if r.Str("destinationCidrBlock") == mine {
				return engine.Refuse("RouteAlreadyExists", "The route identified by %s already exists in %s; change that one, or choose another destination", mine, table)
			}
		}
		t, _ := c.Resolve("routeTableId")
		if vpc, ok := c.Get(vpcToken, t.In.Str("vpcId")); ok && vpc.In.Str("cidrBlock") == mine {
			return engine.Refuse("RouteAlreadyExists", "The route identified by %s already exists: it is the local route of %s", mine, vpc.ID)
		}
		return nil
	},
}

var targetInSameVPC = engine.Rule{
	Name: "target-in-same-vpc", Says: "a route's gateway belongs to the route table's VPC", Source: "EC2 API, CreateRoute",
	Judge: func(c *engine.Call) error {
		t, _ := c.Resolve("routeTableId")
		for _, path := range []string{"gatewayId", "natGatewayId", "vpcEndpointId"} {
			target, ok := c.Resolve(path)
			if !ok {
				continue
			}
			vpc := target.In.Str("vpcId")
			if s, ok := c.Get(subnetToken, target.In.Str("subnetId")); ok {
				vpc = s.In.Str("vpcId")
			}
			if vpc != t.In.Str("vpcId") {
				return engine.Refuse("InvalidParameterValue", "route table %s and network gateway %s belong to different networks", t.ID, target.ID)
			}
		}
		return nil
	},
}

var noNATLoop = engine.Rule{
	Name: "no-nat-loop", Says: "a NAT gateway's own subnet does not route to it", Source: "VPC User Guide, \"NAT gateway basics\"",
	Judge: func(c *engine.Call) error {
		nat, ok := c.Resolve("natGatewayId")
		if !ok {
			return nil
		}
		if table, ok := tableOf(c, nat.In.Str("subnetId")); ok && table == c.In.Str("routeTableId") {
			return engine.Refuse("InvalidParameterValue", "The NAT gateway %s lies in a subnet of route table %s itself; route private subnets to it, and its own subnet to the internet gateway", nat.ID, table)
		}
		return nil
	},
}

func (a Account) routeQuota() engine.Rule {
	limit := a.limit("routes")
	return engine.Rule{
		Name: "route-quota", Says: fmt.Sprintf("at most %d routes in a route table", limit), Source: vpcQuotas,
		Judge: func(c *engine.Call) error {
			if n := len(routesOf(c, c.In.Str("routeTableId"))); n >= limit {
				return engine.Refuse("RouteLimitExceeded", "The route table %s has %d of at most %d routes", c.In.Str("routeTableId"), n, limit)
			}
			return nil
		},
	}
}

// tableOf returns the route table that a subnet is associated with.
func tableOf(c *engine.Call, subnet string) (string, bool) {
	for _, a := range c.All(routeTableAssociationToken) {
		if a.In.Str("subnetId") == subnet {
			return a.In.Str("routeTableId"), true
		}
	}
	return "", false
}

// defaultRoute returns the route of a subnet to everywhere, where it has one already.
func defaultRoute(c *engine.Call, subnet engine.Item) (engine.Props, bool) {
	table, ok := tableOf(c, subnet.ID)
	if !ok {
		return nil, false
	}
	for _, r := range routesOf(c, table) {
		if r.Str("destinationCidrBlock") == "0.0.0.0/0" {
			return r, true
		}
	}
	return nil, false
}

func isInternet(route engine.Props) bool { return route.Has("gatewayId") }

func routeTarget(route engine.Props) string {
	for _, t := range targets {
		if id := route.Str(t); id != "" {
			return id
		}
	}
	return "nowhere"
}

func routeTableAssociation() *engine.Resource {
	return &engine.Resource{
		Token: routeTableAssociationToken, Args: ec2.RouteTableAssociationArgs{}, State: ec2.RouteTableAssociation{},
		Replace: []string{"subnetId", "gatewayId"},
		Refs: []engine.Ref{
			{Path: "routeTableId", To: routeTableToken, By: byID, Code: "InvalidRouteTableID.NotFound", Holds: true},
			{Path: "subnetId", To: subnetToken, By: byID, Code: "InvalidSubnetID.NotFound"},
			{Path: "gatewayId", To: internetGatewayToken, By: byID, Code: "InvalidGatewayID.NotFound"},
		},
		Plan:  []engine.Rule{exactlyOne("one-associate", "EC2 API, AssociateRouteTable", "subnetId", "gatewayId")},
		Apply: []engine.Rule{associatedOnce, associatedInVPC},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			if id := c.In.Str("subnetId"); id != "" {
				c.ComeWith(subnetToken, id)
			}
			id, err := c.NewID("rtbassoc-")
			return id, nil, err
		},
	}
}

var associatedOnce = engine.Rule{
	Name: "associated-once", Says: "a subnet or gateway has one route table", Source: "EC2 API, AssociateRouteTable (Resource.AlreadyAssociated)",
	Judge: func(c *engine.Call) error {
		for _, other := range c.Others(routeTableAssociationToken) {
			for _, path := range []string{"subnetId", "gatewayId"} {
				if id := c.In.Str(path); id != "" && other.In.Str(path) == id {
					return engine.Refuse("Resource.AlreadyAssociated", "the specified association for route table %s conflicts with an existing association: %s has %s", c.In.Str("routeTableId"), id, other.In.Str("routeTableId"))
				}
			}
		}
		return nil
	},
}

var associatedInVPC = engine.Rule{
	Name: "associated-in-vpc", Says: "a route table serves subnets of its own VPC", Source: "EC2 API, AssociateRouteTable",
	Judge: func(c *engine.Call) error {
		t, _ := c.Resolve("routeTableId")
		for _, path := range []string{"subnetId", "gatewayId"} {
			if other, ok := c.Resolve(path); ok && other.In.Str("vpcId") != t.In.Str("vpcId") {
				return engine.Refuse("InvalidParameterValue", "route table %s and %s belong to different networks", t.ID, other.ID)
			}
		}
		return nil
	},
}
