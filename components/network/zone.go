package network

import (
	"net/netip"

	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

const anywhere = "0.0.0.0/0"

// Tags by which the AWS Load Balancer Controller and the cloud provider find the subnets for load balancers.
// Source: EKS User Guide, "View Amazon EKS networking requirements for VPC and subnets".
const (
	publicRole  = "kubernetes.io/role/elb"
	privateRole = "kubernetes.io/role/internal-elb"
)

// zones registers the subnets of all zones and their routes.
func (b *builder) zones(subnets Subnets) error {
	publicTable, err := b.publicRoutes()
	if err != nil {
		return err
	}
	var nat *ec2.NatGateway
	for i, zone := range b.args.Zones {
		public, err := b.publicSubnet(zone, subnets.Public[i], publicTable)
		if err != nil {
			return err
		}
		if b.args.NAT == NATPerZone || b.args.NAT == NATSingle && i == 0 {
			if nat, err = b.natGateway(zone, public); err != nil {
				return err
			}
		}
		if err := b.privateSubnet(zone, subnets.Private[i], nat); err != nil {
			return err
		}
	}
	return nil
}

// publicRoutes registers the route table that all public subnets share.
func (b *builder) publicRoutes() (*ec2.RouteTable, error) {
	name := b.name + "-public"
	table, err := b.routeTable(name)
	if err != nil {
		return nil, err
	}
	_, err = ec2.NewRoute(b.ctx, name+"-out", &ec2.RouteArgs{
		RouteTableId:         table.ID(),
		DestinationCidrBlock: pulumi.String(anywhere),
		GatewayId:            b.gateway.ID(),
	}, b.opts...)
	return table, err
}

func (b *builder) publicSubnet(zone string, block netip.Prefix, table *ec2.RouteTable) (*ec2.Subnet, error) {
	name := b.name + "-public-" + zone
	args := b.subnetArgs(name, zone, block, b.args.PublicSubnetTags, publicRole)
	args.MapPublicIpOnLaunch = pulumi.Bool(true)
	subnet, err := ec2.NewSubnet(b.ctx, name, args, b.opts...)
	if err != nil {
		return nil, err
	}
	b.public = append(b.public, subnet)
	_, err = b.associate(name, subnet, table)
	return subnet, err
}

// privateSubnet registers a zone's private subnet with a route table of its own, and a route out when there is
// a gateway. Its instances never get a public address: EC2 refuses one to an instance with several interfaces,
// as every EFA node has. Source: EC2 User Guide, "Elastic network interfaces".
func (b *builder) privateSubnet(zone string, block netip.Prefix, nat *ec2.NatGateway) error {
	name := b.name + "-private-" + zone
	args := b.subnetArgs(name, zone, block, b.args.PrivateSubnetTags, privateRole)
	subnet, err := ec2.NewSubnet(b.ctx, name, args, b.opts...)
	if err != nil {
		return err
	}
	b.private = append(b.private, subnet)
	table, err := b.routeTable(name)
	if err != nil {
		return err
	}
	b.privateTables = append(b.privateTables, table.ID())
	if nat != nil {
		route, err := ec2.NewRoute(b.ctx, name+"-out", &ec2.RouteArgs{
			RouteTableId:         table.ID(),
			DestinationCidrBlock: pulumi.String(anywhere),
			NatGatewayId:         nat.ID(),
		}, b.opts...)
		if err != nil {
			return err
		}
		b.ways = append(b.ways, route)
	}
	association, err := b.associate(name, subnet, table)
	b.ways = append(b.ways, association)
	return err
}

// subnetArgs describes a subnet. AWS shuffles zone names between accounts, and never zone ids: both are passed
// on as written. Source: EC2 User Guide, "Availability Zone IDs for your AWS resources".
func (b *builder) subnetArgs(name, zone string, block netip.Prefix, extra map[string]string, role string) *ec2.SubnetArgs {
	args := &ec2.SubnetArgs{
		VpcId:     b.vpc.ID(),
		CidrBlock: pulumi.String(block.String()),
		Tags:      tags.Merge(tags.Over(b.args.Tags, extra, map[string]string{role: "1"}), name),
	}
	if isZoneID(zone) {
		args.AvailabilityZoneId = pulumi.String(zone)
	} else {
		args.AvailabilityZone = pulumi.String(zone)
	}
	return args
}

// natGateway registers a NAT gateway with its address. Both need the internet gateway, which nothing they are
// given says. Source: AWS CloudFormation User Guide, "AWS::EC2::EIP" and "AWS::EC2::NatGateway".
func (b *builder) natGateway(zone string, subnet *ec2.Subnet) (*ec2.NatGateway, error) {
	name := b.name + "-nat-" + zone
	opts := b.with(pulumi.DependsOn([]pulumi.Resource{b.gateway}))
	address, err := ec2.NewEip(b.ctx, name, &ec2.EipArgs{
		Domain: pulumi.String("vpc"),
		Tags:   tags.Merge(b.args.Tags, name),
	}, opts...)
	if err != nil {
		return nil, err
	}
	return ec2.NewNatGateway(b.ctx, name, &ec2.NatGatewayArgs{
		AllocationId: address.AllocationId,
		SubnetId:     subnet.ID(),
		Tags:         tags.Merge(b.args.Tags, name),
	}, opts...)
}

func (b *builder) routeTable(name string) (*ec2.RouteTable, error) {
	return ec2.NewRouteTable(b.ctx, name, &ec2.RouteTableArgs{
		VpcId: b.vpc.ID(),
		Tags:  tags.Merge(b.args.Tags, name),
	}, b.opts...)
}

func (b *builder) associate(name string, subnet *ec2.Subnet, table *ec2.RouteTable) (*ec2.RouteTableAssociation, error) {
	return ec2.NewRouteTableAssociation(b.ctx, name, &ec2.RouteTableAssociationArgs{
		SubnetId:     subnet.ID(),
		RouteTableId: table.ID(),
	}, b.opts...)
}
