package cluster

import (
	"fmt"
	"path"

	"github.com/gpuyard/gpuyard/components/internal/addon"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/eks"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/iam"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// builder holds what the resources of one component share while they are registered.
type builder struct {
	ctx       *pulumi.Context
	name      string
	version   string
	tags      map[string]string
	parent    pulumi.Resource
	opts      []pulumi.ResourceOption
	partition partition
}

// newBuilder looks up the partition through the component's provider.
func newBuilder(ctx *pulumi.Context, name, version string, base map[string]string, parent pulumi.Resource) (*builder, error) {
	found, err := aws.GetPartition(ctx, &aws.GetPartitionArgs{}, pulumi.Parent(parent))
	if err != nil {
		return nil, fmt.Errorf("looking up the AWS partition: %w", err)
	}
	return &builder{
		ctx: ctx, name: name, version: version, tags: base, parent: parent,
		opts:      []pulumi.ResourceOption{pulumi.Parent(parent)},
		partition: partition{id: found.Partition, dnsSuffix: found.DnsSuffix},
	}, nil
}

// with returns the options of a child with some more.
func (b *builder) with(opts ...pulumi.ResourceOption) []pulumi.ResourceOption {
	return append(append([]pulumi.ResourceOption{}, b.opts...), opts...)
}

// role registers an IAM role with AWS's managed policies, given by their path and name. What uses the role
// should depend on the attachments it returns, or it may run before it is allowed to.
func (b *builder) role(name, description string, trust pulumi.StringInput, policies ...string) (*iam.Role, []pulumi.Resource, error) {
	role, err := iam.NewRole(b.ctx, name, &iam.RoleArgs{
		AssumeRolePolicy: trust,
		Description:      pulumi.String(description),
		Tags:             tags.Merge(b.tags, name),
	}, b.opts...)
	if err != nil {
		return nil, nil, err
	}
	var attached []pulumi.Resource
	for _, policy := range policies {
		attachment, err := iam.NewRolePolicyAttachment(b.ctx, name+"-"+path.Base(policy), &iam.RolePolicyAttachmentArgs{
			Role:      role.Name,
			PolicyArn: pulumi.String(b.partition.policyARN(policy)),
		}, b.opts...)
		if err != nil {
			return nil, nil, err
		}
		attached = append(attached, attachment)
	}
	return role, attached, nil
}

// addon registers an EKS add-on of the cluster.
func (b *builder) addon(cluster pulumi.StringInput, name string, more func(*eks.AddonArgs), opts ...pulumi.ResourceOption) (*eks.Addon, error) {
	return addon.New(b.ctx, b.name+"-"+name, addon.Addon{
		Cluster: cluster, KubernetesVersion: b.version, Name: name, Tags: b.tags,
	}, b.parent, more, opts...)
}

// partition is one of AWS's separate clouds: commercial, China, GovCloud.
type partition struct {
	id, dnsSuffix string
}

// policyARN names one of AWS's managed policies by its path and name.
func (p partition) policyARN(policy string) string {
	return "arn:" + p.id + ":iam::aws:policy/" + policy
}

// accessPolicyARN names one of EKS's access policies. Source: EKS User Guide, "Review access policy permissions".
func (p partition) accessPolicyARN(policy string) string {
	return "arn:" + p.id + ":eks::aws:cluster-access-policy/" + policy
}

// ec2Service is EC2's service principal, which has its own domain in China.
// Source: IAM User Guide, "AWS service principals"; AWS in China, "Amazon EC2".
func (p partition) ec2Service() string {
	return "ec2." + p.dnsSuffix
}
