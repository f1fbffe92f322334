package gpunodes

import (
	"fmt"
	"net/netip"
	"path"
	"slices"

	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/eks"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/iam"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/vpc"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeHybrid is the type token of Hybrid.
const TypeHybrid = "gpuyard:gpunodes:Hybrid"

// HybridArgs says which cluster takes hybrid nodes.
type HybridArgs struct {
	// ClusterName is the cluster, which must know the networks of the hosts as remote ones.
	ClusterName pulumi.StringInput `pulumi:"clusterName"`
	// ClusterSecurityGroupID is the group of the control plane's interfaces.
	ClusterSecurityGroupID pulumi.StringInput `pulumi:"clusterSecurityGroupId"`
	// Region is the AWS Region.
	Region string `pulumi:"region"`
	// RemoteCIDRs are the networks of the hosts and of the pods on them.
	RemoteCIDRs []string `pulumi:"remoteCidrs"`
	// Tags are put on everything that takes tags.
	Tags map[string]string `pulumi:"tags,optional"`
}

// Hybrid is what a cluster needs to take servers outside AWS as nodes: the role that they have through Systems Manager,
// its entry in the cluster, and their way to the API server. A cluster has one.
// Source: EKS User Guide, "Prepare credentials for hybrid nodes" and "Prepare cluster access for hybrid nodes".
type Hybrid struct {
	pulumi.ResourceState

	// RoleName is the role's name. It is known when a node that takes it can join.
	RoleName pulumi.StringOutput `pulumi:"roleName"`
	// ClusterARN is the tag by which the role may end registrations, on activations and what registers by them.
	ClusterARN pulumi.StringOutput `pulumi:"clusterArn"`
}

// NewHybrid registers a Hybrid. It registers nothing when the arguments are wrong.
func NewHybrid(ctx *pulumi.Context, name string, args *HybridArgs, opts ...pulumi.ResourceOption) (*Hybrid, error) {
	if err := checkHybrid(name, args); err != nil {
		return nil, err
	}
	h := &Hybrid{}
	if err := ctx.RegisterComponentResourceV2(TypeHybrid, name, pulumi.Map{
		"clusterName": args.ClusterName, "clusterSecurityGroupId": args.ClusterSecurityGroupID, "region": pulumi.String(args.Region),
		"remoteCidrs": pulumi.ToStringArray(args.RemoteCIDRs), "tags": pulumi.ToStringMap(args.Tags),
	}, h, opts...); err != nil {
		return nil, err
	}
	account, err := accountOf(ctx, args.Region, h)
	if err != nil {
		return nil, err
	}
	c := &hybridChildren{ctx: ctx, name: name, args: args, account: account, parent: pulumi.Parent(h)}
	h.ClusterARN = args.ClusterName.ToStringOutput().ApplyT(account.clusterARN).(pulumi.StringOutput)
	role, ready, err := c.role()
	if err != nil {
		return nil, err
	}
	entry, err := eks.NewAccessEntry(ctx, name, &eks.AccessEntryArgs{
		ClusterName: args.ClusterName, PrincipalArn: role.Arn, Type: pulumi.String("HYBRID_LINUX"), Tags: tags.Merge(args.Tags, name),
	}, c.parent)
	if err != nil {
		return nil, err
	}
	ways, err := c.ways()
	if err != nil {
		return nil, err
	}
	inputs := []any{role.Name}
	for _, r := range slices.Concat(ready, ways, []pulumi.Resource{entry}) {
		inputs = append(inputs, r.URN())
	}
	h.RoleName = pulumi.All(inputs...).ApplyT(func(v []any) string { return v[0].(string) }).(pulumi.StringOutput)
	return h, ctx.RegisterResourceOutputs(h, pulumi.Map{"roleName": h.RoleName, "clusterArn": h.ClusterARN})
}

func checkHybrid(name string, args *HybridArgs) error {
	check := argument.For(TypeHybrid, name)
	if args == nil {
		check.Failf("args", "they are missing")
		return check.Err()
	}
	for what, missing := range map[string]bool{"clusterName": args.ClusterName == nil, "clusterSecurityGroupId": args.ClusterSecurityGroupID == nil, "region": args.Region == ""} {
		if missing {
			check.Failf(what, "it is not given")
		}
	}
	if len(args.RemoteCIDRs) == 0 {
		check.Failf("remoteCidrs", "there are none: name the networks of the hosts")
	}
	for _, text := range args.RemoteCIDRs {
		if block, err := netip.ParsePrefix(text); err != nil || !block.Addr().Is4() || block != block.Masked() {
			check.Failf("remoteCidrs", "%q is not an IPv4 block such as 10.80.0.0/16", text)
		}
	}
	return check.Err()
}

// hybridChildren registers the resources of one Hybrid.
type hybridChildren struct {
	ctx     *pulumi.Context
	name    string
	args    *HybridArgs
	account account
	parent  pulumi.ResourceOption
}

// role registers the role of hybrid nodes, and returns what must be there before a node takes it.
func (c *hybridChildren) role() (*iam.Role, []pulumi.Resource, error) {
	name := c.name + "-hybrid"
	role, err := iam.NewRole(c.ctx, name, &iam.RoleArgs{
		AssumeRolePolicy: pulumi.String(c.account.hybridTrust()),
		Description:      pulumi.String("Hybrid nodes of the EKS cluster " + c.name),
		Tags:             tags.Merge(c.args.Tags, name),
	}, c.parent)
	if err != nil {
		return nil, nil, err
	}
	policy, err := iam.NewRolePolicy(c.ctx, name, &iam.RolePolicyArgs{
		Role:   role.Name,
		Policy: c.args.ClusterName.ToStringOutput().ApplyT(c.account.hybridPolicy).(pulumi.StringOutput),
	}, c.parent)
	if err != nil {
		return nil, nil, err
	}
	ready := []pulumi.Resource{policy}
	for _, managed := range []string{"AmazonEC2ContainerRegistryPullOnly", "AmazonSSMManagedInstanceCore"} {
		attachment, err := iam.NewRolePolicyAttachment(c.ctx, name+"-"+path.Base(managed), &iam.RolePolicyAttachmentArgs{
			Role: role.Name, PolicyArn: pulumi.String("arn:" + c.account.partition + ":iam::aws:policy/" + managed),
		}, c.parent)
		if err != nil {
			return nil, nil, err
		}
		ready = append(ready, attachment)
	}
	return role, ready, nil
}

// ways lets the hosts and their pods reach the API server, which the group that EKS makes keeps to its own members.
// Source: EKS User Guide, "Prepare networking for hybrid nodes", cluster security group.
func (c *hybridChildren) ways() ([]pulumi.Resource, error) {
	var rules []pulumi.Resource
	for _, block := range c.args.RemoteCIDRs {
		name := c.name + "-hybrid-" + block
		rule, err := vpc.NewSecurityGroupIngressRule(c.ctx, name, &vpc.SecurityGroupIngressRuleArgs{
			SecurityGroupId: c.args.ClusterSecurityGroupID, CidrIpv4: pulumi.String(block),
			IpProtocol: pulumi.String("tcp"), FromPort: pulumi.Int(443), ToPort: pulumi.Int(443),
			Description: pulumi.String("Hybrid nodes and their pods to the Kubernetes API"),
			Tags:        tags.Merge(c.args.Tags, name),
		}, c.parent)
		if err != nil {
			return nil, err
		}
		rules = append(rules, rule)
	}
	return rules, nil
}

// accountOf asks which account and partition it is, through the provider of a component.
func accountOf(ctx *pulumi.Context, region string, parent pulumi.Resource) (account, error) {
	partition, err := aws.GetPartition(ctx, &aws.GetPartitionArgs{}, pulumi.Parent(parent))
	if err != nil {
		return account{}, fmt.Errorf("looking up the AWS partition: %w", err)
	}
	caller, err := aws.GetCallerIdentity(ctx, &aws.GetCallerIdentityArgs{}, pulumi.Parent(parent))
	if err != nil {
		return account{}, fmt.Errorf("looking up the AWS account: %w", err)
	}
	return account{partition: partition.Partition, region: region, id: caller.AccountId}, nil
}
