package network

import (
	"maps"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/vpc"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeFabric is the type token of Fabric.
const TypeFabric = "gpuyard:network:Fabric"

// allProtocols is EC2's word for all traffic. EFA's own protocol is neither TCP nor UDP and has no ports.
const allProtocols = "-1"

// clusterTagPrefix starts the tag by which a security group belongs to a cluster.
const clusterTagPrefix = "kubernetes.io/cluster/"

// FabricArgs describes the RDMA fabric of one node pool.
type FabricArgs struct {
	// VpcID is the VPC that holds the pool's subnets.
	VpcID pulumi.StringInput `pulumi:"vpcId"`
	// Placement asks for a cluster placement group. A pool in a capacity reservation takes the reservation's
	// own, and a pool over several zones can have none.
	Placement bool `pulumi:"placement,optional"`
	// Tags are put on everything that takes tags. A kubernetes.io/cluster/ tag is refused: the load balancer
	// controller wants exactly one security group with it on a node, and the cluster's own is that one.
	Tags map[string]string `pulumi:"tags,optional"`
}

// Fabric is what lets the EFA interfaces of a pool reach each other: a security group whose rules allow all
// traffic in from itself and, just as needed, out to itself. An egress rule to 0.0.0.0/0 does not match EFA
// traffic. Source: EC2 User Guide, "Get started with EFA and MPI", step "Prepare an EFA-enabled security group".
//
// The group has no other rule. What a node may reach otherwise is the business of the cluster's security
// group, which its interfaces carry as well.
type Fabric struct {
	pulumi.ResourceState

	// SecurityGroupID is the group for every EFA interface of the pool.
	SecurityGroupID pulumi.StringOutput `pulumi:"securityGroupId"`
	// PlacementGroupName is the cluster placement group, and nil when none was asked for.
	PlacementGroupName pulumi.StringPtrOutput `pulumi:"placementGroupName"`
}

// NewFabric registers a Fabric.
func NewFabric(ctx *pulumi.Context, name string, args *FabricArgs, opts ...pulumi.ResourceOption) (*Fabric, error) {
	if err := checkFabric(name, args); err != nil {
		return nil, err
	}
	c := &Fabric{}
	inputs := pulumi.Map{
		"vpcId": args.VpcID, "placement": pulumi.Bool(args.Placement), "tags": pulumi.ToStringMap(args.Tags),
	}
	if err := ctx.RegisterComponentResourceV2(TypeFabric, name, inputs, c, opts...); err != nil {
		return nil, err
	}
	var err error
	if c.SecurityGroupID, err = fabricGroup(ctx, name, args, pulumi.Parent(c)); err != nil {
		return nil, err
	}
	if c.PlacementGroupName, err = placementGroup(ctx, name, args, pulumi.Parent(c)); err != nil {
		return nil, err
	}
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{
		"securityGroupId": c.SecurityGroupID, "placementGroupName": c.PlacementGroupName,
	})
}

func checkFabric(name string, args *FabricArgs) error {
	check := argument.For(TypeFabric, name)
	if args == nil || args.VpcID == nil {
		check.Failf("vpcId", "it is not given")
		return check.Err()
	}
	for _, key := range slices.Sorted(maps.Keys(args.Tags)) {
		if strings.HasPrefix(key, clusterTagPrefix) {
			check.Failf("tags", "%s must not be on this group: the load balancer controller wants exactly one group with it on a node, and that is the cluster's own", key)
		}
	}
	return check.Err()
}

// fabricGroup registers the security group with its two rules. The id it returns is known once both rules are
// there, so that no node starts between them.
func fabricGroup(ctx *pulumi.Context, name string, args *FabricArgs, opts ...pulumi.ResourceOption) (pulumi.StringOutput, error) {
	groupName := name + "-efa"
	group, err := ec2.NewSecurityGroup(ctx, groupName, &ec2.SecurityGroupArgs{
		// EC2 cannot change a description, so it says nothing that could.
		Description: pulumi.String("EFA interfaces of one node pool: all traffic among themselves"),
		VpcId:       args.VpcID,
		Tags:        tags.Merge(args.Tags, groupName),
	}, opts...)
	if err != nil {
		return pulumi.StringOutput{}, err
	}
	in, err := vpc.NewSecurityGroupIngressRule(ctx, groupName+"-in", &vpc.SecurityGroupIngressRuleArgs{
		SecurityGroupId:           group.ID(),
		ReferencedSecurityGroupId: group.ID(),
		IpProtocol:                pulumi.String(allProtocols),
		Description:               pulumi.String("EFA from the same fabric"),
		Tags:                      tags.Merge(args.Tags, groupName+"-in"),
	}, opts...)
	if err != nil {
		return pulumi.StringOutput{}, err
	}
	out, err := vpc.NewSecurityGroupEgressRule(ctx, groupName+"-out", &vpc.SecurityGroupEgressRuleArgs{
		SecurityGroupId:           group.ID(),
		ReferencedSecurityGroupId: group.ID(),
		IpProtocol:                pulumi.String(allProtocols),
		Description:               pulumi.String("EFA to the same fabric"),
		Tags:                      tags.Merge(args.Tags, groupName+"-out"),
	}, opts...)
	if err != nil {
		return pulumi.StringOutput{}, err
	}
	id := pulumi.All(group.ID(), in.ID(), out.ID()).ApplyT(func(ids []any) string {
		return string(ids[0].(pulumi.ID))
	}).(pulumi.StringOutput)
	return id, nil
}

// placementGroup registers a cluster placement group, which puts instances close to each other in one zone.
// Source: EC2 User Guide, "Placement strategies for your placement groups".
func placementGroup(ctx *pulumi.Context, name string, args *FabricArgs, opts ...pulumi.ResourceOption) (pulumi.StringPtrOutput, error) {
	if !args.Placement {
		return pulumi.ToOutput((*string)(nil)).(pulumi.StringPtrOutput), nil
	}
	groupName := name + "-placement"
	group, err := ec2.NewPlacementGroup(ctx, groupName, &ec2.PlacementGroupArgs{
		Strategy: pulumi.String("cluster"),
		Tags:     tags.Merge(args.Tags, groupName),
	}, opts...)
	if err != nil {
		return pulumi.StringPtrOutput{}, err
	}
	return group.Name.ToStringPtrOutput(), nil
}
