package serverless

import (
	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/vpc"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeAttachment is the type token of Attachment.
const TypeAttachment = "gpuyard:serverless:Attachment"

// nfsPort is where EFS is reached. Source: EFS User Guide, "Working with VPC security groups".
const nfsPort = 2049

// AttachmentArgs describes how functions sit in a VPC.
type AttachmentArgs struct {
	VpcID pulumi.StringInput `pulumi:"vpcId"`
	// Tags are put on everything that takes tags.
	Tags map[string]string `pulumi:"tags,optional"`
}

// Attachment is the security group that all functions of a VPC share. Nothing reaches them from outside it.
type Attachment struct {
	pulumi.ResourceState

	// SecurityGroupID is known when its rules are there.
	SecurityGroupID pulumi.StringOutput `pulumi:"securityGroupId"`
}

// NewAttachment registers an Attachment.
func NewAttachment(ctx *pulumi.Context, name string, args *AttachmentArgs, opts ...pulumi.ResourceOption) (*Attachment, error) {
	check := argument.For(TypeAttachment, name)
	if args == nil || args.VpcID == nil {
		check.Failf("vpcId", "it is not given")
		return nil, check.Err()
	}
	c := &Attachment{}
	if err := ctx.RegisterComponentResourceV2(TypeAttachment, name, pulumi.Map{"vpcId": args.VpcID, "tags": pulumi.ToStringMap(args.Tags)}, c, opts...); err != nil {
		return nil, err
	}
	parent := pulumi.Parent(c)
	group, err := ec2.NewSecurityGroup(ctx, name, &ec2.SecurityGroupArgs{
		Description: pulumi.String("Lambda functions"), VpcId: args.VpcID, Tags: tags.Merge(args.Tags, name),
	}, parent)
	if err != nil {
		return nil, err
	}
	out, err := vpc.NewSecurityGroupEgressRule(ctx, name+"-out", &vpc.SecurityGroupEgressRuleArgs{
		SecurityGroupId: group.ID(), CidrIpv4: pulumi.String("0.0.0.0/0"), IpProtocol: pulumi.String("-1"),
		Description: pulumi.String("Functions call out"), Tags: tags.Merge(args.Tags, name+"-out"),
	}, parent)
	if err != nil {
		return nil, err
	}
	nfs, err := vpc.NewSecurityGroupIngressRule(ctx, name+"-nfs", &vpc.SecurityGroupIngressRuleArgs{
		SecurityGroupId: group.ID(), ReferencedSecurityGroupId: group.ID(), IpProtocol: pulumi.String("tcp"),
		FromPort: pulumi.Int(nfsPort), ToPort: pulumi.Int(nfsPort),
		Description: pulumi.String("Functions reach their file system"), Tags: tags.Merge(args.Tags, name+"-nfs"),
	}, parent)
	if err != nil {
		return nil, err
	}
	c.SecurityGroupID = pulumi.All(group.ID(), out.ID(), nfs.ID()).ApplyT(func(ids []any) string {
		return string(ids[0].(pulumi.ID))
	}).(pulumi.StringOutput)
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{"securityGroupId": c.SecurityGroupID})
}
