package aws

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const vpcEndpointToken = "aws:ec2/vpcEndpoint:VpcEndpoint"

// gatewayServices are the services that gateway endpoints reach; S3 and DynamoDB have interface endpoints too.
// Source: AWS PrivateLink Guide, "Gateway endpoints"; S3 User Guide, "Networking for S3 Express One Zone".
var gatewayServices = []string{"s3", "s3express", "dynamodb"}

// interfaceServices are the services with interface endpoints that a training cluster may want.
// Source: VPC User Guide, "AWS services that integrate with AWS PrivateLink".
var interfaceServices = []string{
	"autoscaling", "dynamodb", "ec2", "ec2messages", "ecr.api", "ecr.dkr", "eks", "eks-auth", "elasticfilesystem", "elasticloadbalancing",
	"fsx", "guardduty-data", "kms", "lambda", "logs", "monitoring", "s3", "secretsmanager", "sqs", "ssm", "ssmmessages", "sts", "xray",
}

func vpcEndpoint(a Account) *engine.Resource {
	const source = "EC2 API, CreateVpcEndpoint"
	return &engine.Resource{
		Token: vpcEndpointToken, Args: ec2.VpcEndpointArgs{}, State: ec2.VpcEndpoint{},
		Replace: []string{"vpcId", "serviceName", "vpcEndpointType", "serviceRegion"},
		Refs: []engine.Ref{
			{Path: "vpcId", To: vpcToken, By: byID, Code: "InvalidVpcId.NotFound", Holds: true},
			{Path: "subnetIds[*]", To: subnetToken, By: byID, Code: "InvalidSubnetId.NotFound", Holds: true},
			{Path: "routeTableIds[*]", To: routeTableToken, By: byID, Code: "InvalidRouteTableId.NotFound"},
			{Path: "securityGroupIds[*]", To: securityGroupToken, By: byID, Code: "InvalidSecurityGroupId.NotFound", Holds: true},
		},
		Plan: []engine.Rule{
			oneOf("vpcEndpointType", source, "Gateway", "Interface"),
			endpointParts,
			policyDocument("policy", resourcePolicy),
		},
		Apply: []engine.Rule{endpointService, endpointInVPC, endpointOnce, endpointNames, endpointZones, a.endpointQuota()},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			id, err := c.NewID("vpce-")
			out := engine.Outputs{
				"arn": arn(c, "ec2", "vpc-endpoint/"+id), "ownerId": engine.Account, "state": "available", "serviceRegion": c.Region,
				"ipAddressType": "ipv4", "requesterManaged": false,
			}
			setDefault(c, out, "vpcEndpointType", "Gateway")
			setDefault(c, out, "policy", `{"Statement":[{"Action":"*","Effect":"Allow","Principal":"*","Resource":"*"}],"Version":"2008-10-17"}`)
			if isGateway(c) {
				out["prefixListId"] = "pl-" + strings.TrimPrefix(id, "vpce-0")[:8]
			}
			return id, out, err
		},
	}
}

func isGateway(c *engine.Call) bool {
	return !c.In.Has("vpcEndpointType") || c.In.Str("vpcEndpointType") == "Gateway"
}

var endpointParts = engine.Rule{
	Name: "endpoint-parts", Says: "a gateway endpoint takes route tables, an interface endpoint subnets, security groups and private DNS", Source: "EC2 API, CreateVpcEndpoint",
	Judge: func(c *engine.Call) error {
		if c.In.Unknown("vpcEndpointType") {
			return nil
		}
		if !c.In.Has("serviceName") {
			return engine.Invalid("serviceName", "missing: the embedded cloud knows endpoints by service name only")
		}
		wrong, kind := []string{"subnetIds", "securityGroupIds", "privateDnsEnabled"}, "a gateway"
		if !isGateway(c) {
			wrong, kind = []string{"routeTableIds"}, "an interface"
		}
		for _, path := range wrong {
			if given := c.In.Leaves(path); len(given) > 0 && !isFalse(given[0]) {
				return engine.Invalid(path, "%s endpoint takes no %s; set vpcEndpointType, or leave it out", kind, path)
			}
		}
		return nil
	},
}

func isFalse(l engine.Leaf) bool { return l.Value.IsBool() && !l.Value.BoolValue() }

var endpointService = engine.Rule{
	Name: "endpoint-service", Says: "the service is known, of this region, and has endpoints of that type", Source: "EC2 API, CreateVpcEndpoint (InvalidServiceName)",
	Judge: func(c *engine.Call) error {
		known := interfaceServices
		if isGateway(c) {
			known = gatewayServices
		}
		var names []string
		for _, s := range known {
			names = append(names, partition(c.Region).reverseDNS+"."+c.Region+"."+s)
		}
		if name := c.In.Str("serviceName"); !slices.Contains(names, name) {
			return engine.Refuse("InvalidServiceName", "The Vpc Endpoint Service '%s' does not exist; there are %s", name, nearOrAll(name, names))
		}
		return nil
	},
}

var endpointInVPC = engine.Rule{
	Name: "endpoint-in-vpc", Says: "subnets, route tables and security groups belong to the endpoint's VPC", Source: "EC2 API, CreateVpcEndpoint",
	Judge: func(c *engine.Call) error {
		for path, token := range map[string]string{"subnetIds[*]": subnetToken, "routeTableIds[*]": routeTableToken, "securityGroupIds[*]": securityGroupToken} {
			for _, id := range c.In.Strs(path) {
				if i, _ := c.Get(token, id); i.In.Str("vpcId") != c.In.Str("vpcId") {
					return engine.Refuse("InvalidParameter", "%s does not belong to %s", id, c.In.Str("vpcId"))
				}
			}
		}
		return nil
	},
}

var endpointOnce = engine.Rule{
	Name: "endpoint-once", Says: "one gateway endpoint a service and route table, one interface endpoint with private DNS a service and VPC", Source: "EC2 API, CreateVpcEndpoint",
	Judge: func(c *engine.Call) error {
		for _, other := range c.Others(vpcEndpointToken) {
			if other.In.Str("vpcId") != c.In.Str("vpcId") || other.In.Str("serviceName") != c.In.Str("serviceName") {
				continue
			}
			if c.In.Bool("privateDnsEnabled") && other.In.Bool("privateDnsEnabled") {
				return engine.Refuse("InvalidParameter", "private-dns-enabled cannot be set because there is already a conflicting DNS domain for %s in the VPC %s: %s", c.In.Str("serviceName"), c.In.Str("vpcId"), other.ID)
			}
			for _, table := range c.In.Strs("routeTableIds[*]") {
				if slices.Contains(other.In.Strs("routeTableIds[*]"), table) {
					return engine.Refuse("RouteAlreadyExists", "route table %s already has a route with destination-prefix-list-id %s, by %s", table, other.Out.Str("prefixListId"), other.ID)
				}
			}
		}
		return nil
	},
}

var endpointNames = engine.Rule{
	Name: "endpoint-names", Says: "private DNS wants DNS support and DNS hostnames in the VPC", Source: "VPC User Guide, \"Manage DNS names for VPC endpoint services\"",
	Judge: func(c *engine.Call) error {
		vpc, _ := c.Resolve("vpcId")
		if c.In.Bool("privateDnsEnabled") && !(vpc.Out.Bool("enableDnsSupport") && vpc.Out.Bool("enableDnsHostnames")) {
			return engine.Refuse("InvalidParameter", "Enabling private DNS requires both enableDnsSupport and enableDnsHostnames VPC attributes set to true for %s", vpc.ID)
		}
		return nil
	},
}

var endpointZones = engine.Rule{
	Name: "endpoint-zones", Says: "an interface endpoint has at most one subnet a zone", Source: "EC2 API, CreateVpcEndpoint (DuplicateSubnetsInSameZone)",
	Judge: func(c *engine.Call) error {
		seen := map[string]string{}
		for _, id := range c.In.Strs("subnetIds[*]") {
			s, _ := c.Get(subnetToken, id)
			z := s.Out.Str("availabilityZone")
			if other := seen[z]; other != "" {
				return engine.Refuse("DuplicateSubnetsInSameZone", "Found another VPC endpoint subnet in the availability zone of %s: %s", id, other)
			}
			seen[z] = id
		}
		return nil
	},
}

// endpointQuota is the rule on how many endpoints there are: interface ones in a VPC, gateway ones in a region.
func (a Account) endpointQuota() engine.Rule {
	interfaces, gateways := a.limit("interface-endpoints"), a.limit("gateway-endpoints")
	return engine.Rule{
		Name: "quota", Says: fmt.Sprintf("at most %d interface endpoints in a VPC, and %d gateway endpoints in a region", interfaces, gateways), Source: linkQuotas,
		Judge: func(c *engine.Call) error {
			limit, n := interfaces, 0
			if isGateway(c) {
				limit = gateways
			}
			for _, other := range c.Others(vpcEndpointToken) {
				gateway := other.Out.Str("vpcEndpointType") == "Gateway"
				if gateway == isGateway(c) && (gateway || other.In.Str("vpcId") == c.In.Str("vpcId")) {
					n++
				}
			}
			if n >= limit {
				return engine.Refuse("VpcEndpointLimitExceeded", "There are %d of at most %d endpoints of that type; delete one, or ask AWS for a higher quota", n, limit)
			}
			return nil
		},
	}
}
