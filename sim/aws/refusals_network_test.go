package aws_test

import (
	"fmt"
	"testing"

	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

func networkRefusals() []refusal {
	const (
		vpc         = "aws:ec2/vpc:Vpc"
		subnet      = "aws:ec2/subnet:Subnet"
		igw         = "aws:ec2/internetGateway:InternetGateway"
		nat         = "aws:ec2/natGateway:NatGateway"
		eip         = "aws:ec2/eip:Eip"
		table       = "aws:ec2/routeTable:RouteTable"
		route       = "aws:ec2/route:Route"
		association = "aws:ec2/routeTableAssociation:RouteTableAssociation"
		endpoint    = "aws:ec2/vpcEndpoint:VpcEndpoint"
		gateway     = "com.amazonaws.us-west-2.s3"
	)
	asGateway := func(changes m) m {
		return merge(m{"vpcEndpointType": "Gateway", "subnetIds": nil, "securityGroupIds": nil, "privateDnsEnabled": nil}, changes)
	}
	return []refusal{
		{token: vpc, rule: "vpc-cidr", in: m{"cidrBlock": "10.0.0.0/8"}, want: "InvalidVpc.Range"},
		{token: vpc, rule: "vpc-cidr", in: m{"cidrBlock": "10.0.1.0/16"}, want: "the network is 10.0.0.0/16"},
		{token: vpc, rule: "vpc-cidr", in: m{"cidrBlock": nil}, want: "missing"},
		{token: vpc, rule: "vpc-cidr", in: m{"cidrBlock": "ten"}, want: "not a CIDR block"},
		{token: vpc, rule: "legal-instance-tenancy", in: m{"instanceTenancy": "dedicate"}, want: "instanceTenancy: got \"dedicate\", wanted one of dedicated"},
		{token: vpc, rule: "quota", crowd: crowd{"vpc", 3}, want: "VpcLimitExceeded"},
		{token: subnet, rule: "subnet-cidr", in: m{"cidrBlock": "10.0.9.0/29"}, want: "InvalidSubnet.Range"},
		{token: subnet, rule: "one-zone", in: m{"availabilityZoneId": "usw2-az1"}, want: "conflicts with availabilityZoneId"},
		{token: subnet, rule: "legal-private-dns-hostname-type-on-launch", in: m{"privateDnsHostnameTypeOnLaunch": "ip"}, want: "wanted one of ip-name"},
		{token: subnet, rule: "zone-in-region", in: m{"availabilityZone": "us-west-2z"}, want: "following availability zones: us-west-2a, us-west-2b, us-west-2c, us-west-2d"},
		{token: subnet, rule: "zone-in-region", in: m{"availabilityZone": "usw2-az1"}, want: "for parameter availabilityZone is invalid"},
		{token: subnet, rule: "zone-in-region", in: m{"availabilityZone": nil, "availabilityZoneId": "us-west-2a"}, want: "for parameter availabilityZoneId is invalid"},
		{token: subnet, rule: "subnet-in-vpc", in: m{"cidrBlock": "10.1.9.0/24"}, want: "lies outside the VPC ${vpc}"},
		{token: subnet, rule: "subnet-in-vpc", in: m{"cidrBlock": "10.0.0.0/16", "vpcId": "${other-vpc}"}, want: "lies outside the VPC ${other-vpc}"},
		{token: subnet, rule: "subnet-free", in: m{"cidrBlock": "10.0.0.0/22"}, want: "InvalidSubnet.Conflict"},
		{token: subnet, rule: "quota", crowd: crowd{"spare", 195}, want: "SubnetLimitExceeded"},
		{token: igw, rule: "one-per-vpc", in: m{"vpcId": "${vpc}"}, want: "Resource.AlreadyAssociated"},
		{token: igw, rule: "quota", crowd: crowd{"igw", 4}, want: "InternetGatewayLimitExceeded"},
		{token: igw, rule: "no-public-addresses", delete: "igw", want: "has some mapped public address(es): delete the NAT gateway ${nat} first"},
		{token: nat, rule: "legal-connectivity-type", in: m{"connectivityType": "hidden"}, want: "wanted one of public, private"},
		{token: nat, rule: "nat-address", in: m{"allocationId": nil}, want: "needs the allocationId"},
		{token: nat, rule: "nat-address", in: m{"connectivityType": "private"}, want: "a private one takes none"},
		{token: nat, rule: "address-free", in: m{"allocationId": "${eip}"}, want: "is in use by the NAT gateway ${nat}"},
		{token: nat, rule: "nat-has-internet", in: m{"subnetId": "${other-a}"}, want: "Network ${other-vpc} has no Internet gateway attached"},
		{token: nat, rule: "nat-has-internet", in: m{"subnetId": "${private-a}"}, want: "is not public: its default route leads to ${nat}"},
		{token: nat, rule: "nat-quota", crowd: crowd{"nat", 4}, want: "NatGatewayLimitExceeded"},
		{token: eip, rule: "legal-domain", in: m{"domain": "standard"}, want: "wanted one of vpc"},
		{token: eip, rule: "quota", crowd: crowd{"eip", 3}, want: "AddressLimitExceeded"},
		{token: table, rule: "inline-routes", in: m{"routes": []any{m{"cidrBlock": "0.0.0.0/0"}}}, want: "routes[0]: has 0 targets"},
		{token: table, rule: "inline-routes", in: m{"routes": []any{m{"gatewayId": "${igw}"}}}, want: "routes[0]: has 0 destinations"},
		{token: table, rule: "inline-routes", in: m{"routes": []any{m{"cidrBlock": "0.0.0.0/0", "gatewayId": "${igw}"}, m{"cidrBlock": "0.0.0.0/0", "natGatewayId": "${nat}"}}}, want: "routes[1]: 0.0.0.0/0 has a route already"},
		{token: table, rule: "networks", in: m{"routes": []any{m{"cidrBlock": "0.0.0.1/0", "gatewayId": "${igw}"}}}, want: "routes[0].cidrBlock: \"0.0.0.1/0\" has host bits set"},
		{token: table, rule: "quota", crowd: crowd{"public-table", 198}, want: "RouteTableLimitExceeded"},
		{token: route, rule: "one-destination", in: m{"destinationIpv6CidrBlock": "::/0"}, want: "give exactly one of destinationCidrBlock"},
		{token: route, rule: "one-target", in: m{"natGatewayId": "${nat}"}, want: "got gatewayId, natGatewayId; give exactly one"},
		{token: route, rule: "networks", in: m{"destinationCidrBlock": "10.8.0.1/16"}, want: "host bits"},
		{token: route, rule: "destination-free", in: m{"destinationCidrBlock": "0.0.0.0/0"}, want: "RouteAlreadyExists"},
		{token: route, rule: "destination-free", in: m{"destinationCidrBlock": "10.0.0.0/16"}, want: "it is the local route of ${vpc}"},
		{token: route, rule: "target-in-same-vpc", in: m{"routeTableId": "${other-table}"}, want: "belong to different networks"},
		{token: route, rule: "target-in-same-vpc", in: m{"routeTableId": "${other-table}", "gatewayId": nil, "natGatewayId": "${nat}"}, want: "belong to different networks"},
		{token: route, rule: "no-nat-loop", in: m{"gatewayId": nil, "natGatewayId": "${nat}"}, want: "lies in a subnet of route table ${public-table} itself"},
		{token: route, rule: "route-quota", crowd: crowd{"public-route", 499}, want: "RouteLimitExceeded"},
		{token: association, rule: "one-associate", in: m{"gatewayId": "${igw}"}, want: "give exactly one of subnetId, gatewayId"},
		{token: association, rule: "associated-once", in: m{"subnetId": "${private-a}"}, want: "conflicts with an existing association"},
		{token: association, rule: "associated-in-vpc", in: m{"subnetId": "${other-a}"}, want: "belong to different networks"},
		{token: endpoint, rule: "legal-vpc-endpoint-type", in: m{"vpcEndpointType": "Interfaces"}, want: "wanted one of Interface"},
		{token: endpoint, rule: "endpoint-parts", in: m{"routeTableIds": []any{"${private-table}"}}, want: "an interface endpoint takes no routeTableIds"},
		{token: endpoint, rule: "endpoint-parts", in: m{"vpcEndpointType": nil}, want: "a gateway endpoint takes no subnetIds"},
		{token: endpoint, rule: "endpoint-parts", in: m{"serviceName": nil}, want: "serviceName: missing"},
		{token: endpoint, rule: "document-policy", in: m{"policy": "{}"}, want: "MalformedPolicyDocument"},
		{token: endpoint, rule: "endpoint-service", in: m{"serviceName": "com.amazonaws.us-east-1.sts"}, want: "InvalidServiceName"},
		{token: endpoint, rule: "endpoint-service", in: asGateway(m{"serviceName": "com.amazonaws.us-west-2.sts"}), want: "InvalidServiceName"},
		{token: endpoint, rule: "endpoint-in-vpc", in: m{"subnetIds": []any{"${other-a}"}}, want: "${other-a} does not belong to ${vpc}"},
		{token: endpoint, rule: "endpoint-once", in: m{"serviceName": "com.amazonaws.us-west-2.ecr.api"}, want: "already a conflicting DNS domain"},
		{token: endpoint, rule: "endpoint-once", in: asGateway(m{"serviceName": gateway, "routeTableIds": []any{"${private-table}"}}), want: "already has a route with destination-prefix-list-id"},
		{token: endpoint, rule: "endpoint-names", in: m{"vpcId": "${other-vpc}", "subnetIds": []any{"${other-a}"}, "securityGroupIds": []any{"${other-group}"}}, want: "requires both enableDnsSupport and enableDnsHostnames"},
		{token: endpoint, rule: "endpoint-zones", in: m{"subnetIds": []any{"${private-b}", "${spare}"}}, want: "DuplicateSubnetsInSameZone"},
	}
}

func groupRefusals() []refusal {
	const (
		group        = "aws:ec2/securityGroup:SecurityGroup"
		defaultGroup = "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup"
		placement    = "aws:ec2/placementGroup:PlacementGroup"
	)
	rule := func(changes m) []any {
		return []any{simtest.With(m{"protocol": "tcp", "fromPort": 22, "toPort": 22, "cidrBlocks": []any{"10.0.0.0/8"}}, changes)}
	}
	var many []any
	for i := range 61 {
		many = append(many, fmt.Sprintf("10.0.%d.0/24", i))
	}
	all := []refusal{
		{token: group, rule: "group-text", in: m{"namePrefix": nil, "name": "sg-mine"}, want: "reserved"},
		{token: group, rule: "group-text", in: m{"description": "naïve"}, want: "description: got"},
		{token: group, rule: "inline-ingress", in: m{"ingress": rule(m{"cidrBlocks": nil})}, want: "ingress[0]: names no peer"},
		{token: group, rule: "inline-ingress", in: m{"ingress": rule(m{"cidrBlocks": []any{"10.0.0.1/8"}})}, want: "host bits"},
		{token: group, rule: "inline-egress", in: m{"egress": rule(m{"fromPort": 23})}, want: "egress[0].fromPort: got 23 to 22"},
		{token: group, rule: "has-vpc", in: m{"vpcId": nil}, want: "VPCIdNotSpecified"},
		{token: group, rule: "group-name-free", in: m{"namePrefix": nil, "name": "inline"}, want: "InvalidGroup.Duplicate"},
		{token: group, rule: "inline-quota", in: m{"ingress": rule(m{"cidrBlocks": many})}, want: "RulesPerSecurityGroupLimitExceeded"},
		{token: group, rule: "quota", crowd: crowd{"peer", 2500}, want: "SecurityGroupLimitExceeded"},
		{token: group, rule: "group-unused", delete: "group", want: "has a dependent object: the nodes of standard:"},
		{token: defaultGroup, rule: "inline-ingress", in: m{"ingress": rule(m{"protocol": "gre?"})}, want: "wanted tcp, udp, icmp, icmpv6, -1"},
		{token: defaultGroup, rule: "inline-egress", in: m{"egress": rule(m{"protocol": "-1"})}, want: "leave the ports out"},
		{token: defaultGroup, rule: "has-vpc", in: m{"vpcId": nil}, want: "VPCIdNotSpecified"},
		{token: placement, rule: "legal-strategy", in: m{"strategy": "clusters"}, want: "wanted one of cluster"},
		{token: placement, rule: "legal-spread-level", in: m{"strategy": "spread", "spreadLevel": "racks"}, want: "wanted one of rack"},
		{token: placement, rule: "range-partition-count", in: m{"strategy": "partition", "partitionCount": 8}, want: "got 8, wanted 1 to 7"},
		{token: placement, rule: "strategy-parts", in: m{"partitionCount": 2}, want: "goes with the strategy partition, got cluster"},
		{token: placement, rule: "quota", crowd: crowd{"placement", 499}, want: "PlacementGroupLimitExceeded"},
		{token: placement, rule: "placement-unused", delete: "placement", want: "in use by the nodes of ${efa}"},
		{token: placement, in: m{"name": "${placement}"}, want: "AlreadyExists"},
	}
	for _, direction := range []string{"Ingress", "Egress"} {
		token := fmt.Sprintf("aws:vpc/securityGroup%sRule:SecurityGroup%sRule", direction, direction)
		like := map[string]string{"Ingress": "ingress", "Egress": "egress"}[direction]
		all = append(all,
			refusal{token: token, rule: "one-peer", in: m{"cidrIpv6": "::/0"}, want: "give exactly one of cidrIpv4"},
			refusal{token: token, rule: "networks", in: m{"cidrIpv4": "10.0.0.1/8", "referencedSecurityGroupId": nil}, want: "cidrIpv4: \"10.0.0.1/8\" has host bits set"},
			refusal{token: token, rule: "protocol-and-ports", in: m{"ipProtocol": "udp", "fromPort": nil, "toPort": nil}, want: "protocol udp needs fromPort and toPort"},
			refusal{token: token, rule: "protocol-and-ports", in: m{"ipProtocol": "-1", "fromPort": 1, "toPort": 2}, want: "means all ports"},
			refusal{token: token, rule: "peer-in-vpc", in: m{"cidrIpv4": nil, "referencedSecurityGroupId": "${other-group}"}, want: "different networks"},
			refusal{token: token, rule: "rule-not-twice", in: m{"cidrIpv4": nil, "referencedSecurityGroupId": "${peer}", "ipProtocol": "-1", "fromPort": nil, "toPort": nil, "description": "again"}, want: "InvalidPermission.Duplicate"},
			refusal{token: token, rule: "rule-quota", crowd: crowd{like, 59}, want: "RulesPerSecurityGroupLimitExceeded"},
		)
	}
	return all
}

// everywhereRefusals are cases of the rules that all resources are under.
func everywhereRefusals() []refusal {
	const vpc, group = "aws:ec2/vpc:Vpc", "aws:ec2/securityGroup:SecurityGroup"
	tags := m{}
	for i := range 51 {
		tags[fmt.Sprint("key", i)] = "value"
	}
	long := func(n int) string { return fmt.Sprintf("%0*d", n, 0) }
	return []refusal{
		{token: vpc, rule: "legal-tags", in: m{"tags": tags}, want: "got 51 tags"},
		{token: vpc, rule: "legal-tags", in: m{"tags": m{"AWS:mine": "x"}}, want: "reserved for AWS"},
		{token: vpc, rule: "legal-tags", in: m{"tags": m{"k": long(257)}}, want: "at most 256"},
		{token: vpc, rule: "legal-tags", in: m{"tags": m{"k": "a;b"}}, want: "are allowed"},
		{token: group, rule: "name-length", in: m{"namePrefix": nil, "name": long(256)}, want: "got 256 characters"},
		{token: group, rule: "name-length", in: m{"namePrefix": long(230)}, want: "at most 229 are allowed, since 26 follow"},
		{token: group, rule: "name-length", in: m{"name": "both"}, want: "conflicts with name"},
		{token: vpc, in: m{"cidr": "10.0.0.0/16"}, want: "cidr: unknown property"},
		{token: vpc, in: m{"cidrBlok": "10.0.0.0/16"}, want: "did you mean cidrBlock"},
		{token: vpc, in: m{"enableDnsSupport": "yes"}, want: "enableDnsSupport: got the string \"yes\", wanted a boolean"},
	}
}

func TestUnknownTypesNameNearOnes(t *testing.T) {
	t.Parallel()
	w := simtest.New(t, t.TempDir())
	_, err := w.Create("x", "aws:ec2/subnet:Subnets", m{})
	if want := `the embedded cloud has no resource type "aws:ec2/subnet:Subnets" in aws; it has [aws:ec2/subnet:Subnet]`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
