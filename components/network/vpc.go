package network

import (
	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeVPC is the type token of VPC.
const TypeVPC = "gpuyard:network:VPC"

// ArgumentError says that a component of this package cannot work with an argument. Nothing has been
// registered then. Several are joined into one error.
type ArgumentError = argument.Error

// The ways out of private subnets that VPCArgs.NAT names.
const (
	// NATNone gives private subnets no way out but endpoints.
	NATNone = "none"
	// NATSingle sends all zones through one gateway in the first zone: cheaper, and lost with that zone.
	NATSingle = "single"
	// NATPerZone gives every zone its own gateway, so that no traffic crosses zones and none fails with another.
	NATPerZone = "per_zone"
)

// VPCArgs describes a VPC.
type VPCArgs struct {
	// CIDR is the VPC's IPv4 block, from /16 to /22. See Layout for how it is cut.
	CIDR string `pulumi:"cidr"`
	// Zones are one to six Availability Zones, all names (us-west-2a) or all ids (usw2-az1). Append to the
	// list; a zone that changes its place has its subnets replaced.
	Zones []string `pulumi:"zones"`
	// NAT is none, single or per_zone.
	NAT string `pulumi:"nat"`
	// Region is the AWS Region that the zones are in.
	Region string `pulumi:"region"`
	// PrivateSubnetTags and PublicSubnetTags are added to the tags of the subnets of that kind.
	PrivateSubnetTags map[string]string `pulumi:"privateSubnetTags,optional"`
	PublicSubnetTags  map[string]string `pulumi:"publicSubnetTags,optional"`
	// Endpoints are the AWS services that private subnets reach inside the VPC, by the names of package awsendpoint:
	// "ecr", "sts" and so on. S3 is reached through its gateway in any case. An interface endpoint costs by the hour in
	// every zone.
	Endpoints []string `pulumi:"endpoints,optional"`
	// FlowLogs keeps a log of who talked to whom, in CloudWatch Logs.
	FlowLogs bool `pulumi:"flowLogs,optional"`
	// Tags are put on everything that takes tags.
	Tags map[string]string `pulumi:"tags,optional"`
}

// VPC is a VPC with a private and a public subnet in every zone.
type VPC struct {
	pulumi.ResourceState

	// VpcID is the VPC's id and CIDR its block.
	VpcID pulumi.StringOutput `pulumi:"vpcId"`
	CIDR  pulumi.StringOutput `pulumi:"cidr"`
	// PublicSubnetIDs and PrivateSubnetIDs are in the order of the zones.
	PublicSubnetIDs  pulumi.StringArrayOutput `pulumi:"publicSubnetIds"`
	PrivateSubnetIDs pulumi.StringArrayOutput `pulumi:"privateSubnetIds"`
	// PublicSubnets and PrivateSubnets are the same ids by zone, as the arguments write it.
	PublicSubnets  pulumi.StringMapOutput `pulumi:"publicSubnets"`
	PrivateSubnets pulumi.StringMapOutput `pulumi:"privateSubnets"`

	ways []pulumi.Resource
}

// Ways are the resources through which private subnets reach AWS: routes, their associations and the endpoints.
// What has to reach AWS when it starts, as a node has, depends on them: pulumi.DependsOn(vpc.Ways()). The subnets' ids
// are known long before. To depend on the VPC itself is not enough: the SDK then waits for those of its children that
// have been registered by chance, since children are registered concurrently.
func (v *VPC) Ways() []pulumi.Resource { return v.ways }

// New registers a VPC.
func New(ctx *pulumi.Context, name string, args *VPCArgs, opts ...pulumi.ResourceOption) (*VPC, error) {
	subnets, err := checkVPC(name, args)
	if err != nil {
		return nil, err
	}
	c := &VPC{}
	if err := ctx.RegisterComponentResourceV2(TypeVPC, name, args.inputs(), c, opts...); err != nil {
		return nil, err
	}
	b := &builder{ctx: ctx, name: name, args: args, opts: []pulumi.ResourceOption{pulumi.Parent(c)}}
	if err := b.vpcItself(); err != nil {
		return nil, err
	}
	if err := b.zones(subnets); err != nil {
		return nil, err
	}
	if err := b.gatewayEndpoint("s3"); err != nil {
		return nil, err
	}
	if err := b.endpoints(); err != nil {
		return nil, err
	}
	if err := b.flowLogs(); err != nil {
		return nil, err
	}
	c.ways = b.ways
	c.VpcID, c.CIDR = b.vpc.ID().ToStringOutput(), b.vpc.CidrBlock
	c.PublicSubnetIDs, c.PublicSubnets = subnetIDs(args.Zones, b.public)
	c.PrivateSubnetIDs, c.PrivateSubnets = subnetIDs(args.Zones, b.private)
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{
		"vpcId": c.VpcID, "cidr": c.CIDR,
		"publicSubnetIds": c.PublicSubnetIDs, "privateSubnetIds": c.PrivateSubnetIDs,
		"publicSubnets": c.PublicSubnets, "privateSubnets": c.PrivateSubnets,
	})
}

func (a *VPCArgs) inputs() pulumi.Map {
	inputs := pulumi.Map{
		"cidr": pulumi.String(a.CIDR), "zones": pulumi.ToStringArray(a.Zones),
		"nat": pulumi.String(a.NAT), "region": pulumi.String(a.Region),
		"privateSubnetTags": pulumi.ToStringMap(a.PrivateSubnetTags),
		"publicSubnetTags":  pulumi.ToStringMap(a.PublicSubnetTags),
		"tags":              pulumi.ToStringMap(a.Tags),
	}
	if len(a.Endpoints) > 0 {
		inputs["endpoints"] = pulumi.ToStringArray(a.Endpoints)
	}
	if a.FlowLogs {
		inputs["flowLogs"] = pulumi.Bool(true)
	}
	return inputs
}

// builder holds what the resources of one VPC share while they are registered.
type builder struct {
	ctx  *pulumi.Context
	name string
	args *VPCArgs
	opts []pulumi.ResourceOption

	vpc             *ec2.Vpc
	gateway         *ec2.InternetGateway
	public, private []*ec2.Subnet
	privateTables   pulumi.StringArray
	ways            []pulumi.Resource
}

// with returns the options of a child with some more.
func (b *builder) with(opts ...pulumi.ResourceOption) []pulumi.ResourceOption {
	return append(append([]pulumi.ResourceOption{}, b.opts...), opts...)
}

// vpcItself registers the VPC, its internet gateway and the emptied default security group.
func (b *builder) vpcItself() (err error) {
	// Both DNS attributes are needed for the cluster's private endpoint to resolve to addresses in the VPC.
	// Source: EKS User Guide, "Cluster API server endpoint".
	b.vpc, err = ec2.NewVpc(b.ctx, b.name, &ec2.VpcArgs{
		CidrBlock:          pulumi.String(b.args.CIDR),
		EnableDnsHostnames: pulumi.Bool(true),
		EnableDnsSupport:   pulumi.Bool(true),
		Tags:               tags.Merge(b.args.Tags, b.name),
	}, b.opts...)
	if err != nil {
		return err
	}
	// Without rules, so that what is put into no group by mistake reaches nothing and is seen at once.
	_, err = ec2.NewDefaultSecurityGroup(b.ctx, b.name+"-default", &ec2.DefaultSecurityGroupArgs{
		VpcId: b.vpc.ID(),
		Tags:  tags.Merge(b.args.Tags, b.name+"-default-unused"),
	}, b.opts...)
	if err != nil {
		return err
	}
	b.gateway, err = ec2.NewInternetGateway(b.ctx, b.name, &ec2.InternetGatewayArgs{
		VpcId: b.vpc.ID(),
		Tags:  tags.Merge(b.args.Tags, b.name),
	}, b.opts...)
	return err
}

func subnetIDs(zones []string, subnets []*ec2.Subnet) (pulumi.StringArrayOutput, pulumi.StringMapOutput) {
	var ids pulumi.StringArray
	byZone := pulumi.StringMap{}
	for i, subnet := range subnets {
		ids = append(ids, subnet.ID())
		byZone[zones[i]] = subnet.ID()
	}
	return ids.ToStringArrayOutput(), byZone.ToStringMapOutput()
}
