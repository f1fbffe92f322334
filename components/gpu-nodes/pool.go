package gpunodes

import (
	"fmt"
	"strconv"

	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/eks"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ssm"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypePool is the type token of Pool.
const TypePool = "gpuyard:gpunodes:Pool"

// Pool is a node pool: an EKS managed node group and its launch template.
type Pool struct {
	pulumi.ResourceState

	// LaunchTemplateID is the id of the launch template.
	LaunchTemplateID pulumi.StringOutput `pulumi:"launchTemplateId"`
	// NodeGroupName is the name of the node group in EKS.
	NodeGroupName pulumi.StringOutput `pulumi:"nodeGroupName"`
	// ReleaseVersion is the release of the image that the nodes run.
	ReleaseVersion pulumi.StringOutput `pulumi:"releaseVersion"`
	// Interfaces sums up the network interfaces of each node.
	Interfaces pulumi.StringOutput `pulumi:"interfaces"`
	// Resources is what each node offers to pods beyond CPU, memory and disk, by resource name.
	Resources pulumi.StringMapOutput `pulumi:"resources"`

	group *eks.NodeGroup
}

// Group is the node group. What needs nodes depends on it: pulumi.DependsOn([]pulumi.Resource{pool.Group()}). To depend
// on the pool itself is not enough: the SDK then waits for those of its children that have been registered by chance,
// since children are registered concurrently.
func (p *Pool) Group() pulumi.Resource { return p.group }

// NewPool registers a Pool. It registers nothing when the plain arguments are wrong.
func NewPool(ctx *pulumi.Context, name string, args *PoolArgs, opts ...pulumi.ResourceOption) (*Pool, error) {
	plan, err := planPool(name, args)
	if err != nil {
		return nil, err
	}
	pool := &Pool{}
	if err := ctx.RegisterComponentResourceV2(TypePool, name, plan.args.inputs(), pool, opts...); err != nil {
		return nil, err
	}
	template, err := ec2.NewLaunchTemplate(ctx, name+"-template", plan.launchTemplate(name), pulumi.Parent(pool))
	if err != nil {
		return nil, err
	}
	release, releaseOpts, err := plan.release(ctx, pool)
	if err != nil {
		return nil, fmt.Errorf("node pool %q: %w", name, err)
	}
	groupOpts := append([]pulumi.ResourceOption{pulumi.Parent(pool), pulumi.Timeouts(timeouts(plan.args.Size))}, releaseOpts...)
	group, err := eks.NewNodeGroup(ctx, name+"-group", plan.nodeGroup(name, template, release), groupOpts...)
	if err != nil {
		return nil, err
	}

	pool.group = group
	pool.LaunchTemplateID = template.ID().ToStringOutput()
	pool.NodeGroupName = group.NodeGroupName
	pool.ReleaseVersion = group.ReleaseVersion
	pool.Interfaces = pulumi.String(plan.interfaces.String()).ToStringOutput()
	pool.Resources = pulumi.ToStringMap(plan.resources).ToStringMapOutput()
	return pool, ctx.RegisterResourceOutputs(pool, pulumi.Map{
		"launchTemplateId": pool.LaunchTemplateID,
		"nodeGroupName":    pool.NodeGroupName,
		"releaseVersion":   pool.ReleaseVersion,
		"interfaces":       pool.Interfaces,
		"resources":        pool.Resources,
	})
}

// release returns the image release of a new node group, and what keeps a running one at its release. A release that
// is looked up would move with every update of the image, and a newer image under a GPU pool breaks running software;
// so it counts only when the group is made. A release that the caller names is rolled out when the name changes.
func (p *poolPlan) release(ctx *pulumi.Context, pool *Pool) (string, []pulumi.ResourceOption, error) {
	if p.args.ImageRelease != "" {
		return p.args.ImageRelease, nil, nil
	}
	name := ReleaseParameter(p.args.KubernetesVersion, p.amiType)
	found, err := ssm.LookupParameter(ctx, &ssm.LookupParameterArgs{Name: name}, pulumi.Parent(pool))
	if err != nil {
		return "", nil, fmt.Errorf("looking up the newest release of the image %s for Kubernetes %s: %w",
			p.amiType, p.args.KubernetesVersion, err)
	}
	return found.InsecureValue, []pulumi.ResourceOption{pulumi.IgnoreChanges([]string{"releaseVersion"})}, nil
}

// nodeGroup returns the node group of a pool. Its name has a unique suffix, so that when a change replaces the group,
// the new one is up before the old one goes. The Kubernetes version is left out: the release implies it, and two
// statements of it could disagree.
func (p *poolPlan) nodeGroup(name string, template *ec2.LaunchTemplate, release string) *eks.NodeGroupArgs {
	capacity := "ON_DEMAND"
	if p.args.Capacity == "spot" {
		capacity = "SPOT"
	}
	named := tags.Merge(p.args.Tags, name)
	for resource, quantity := range p.resources {
		named[autoscalerResource+resource] = pulumi.String(quantity)
	}
	return &eks.NodeGroupArgs{
		ClusterName:         p.args.ClusterName,
		NodeGroupNamePrefix: pulumi.String(name + "-"),
		NodeRoleArn:         p.args.NodeRoleARN,
		SubnetIds:           p.args.SubnetIDs,
		AmiType:             pulumi.String(p.amiType),
		ReleaseVersion:      pulumi.String(release),
		CapacityType:        pulumi.String(capacity),
		InstanceTypes:       pulumi.ToStringArray(p.args.InstanceTypes),
		LaunchTemplate: &eks.NodeGroupLaunchTemplateArgs{
			Id:      template.ID().ToStringOutput().ToStringPtrOutput(),
			Version: template.LatestVersion.ApplyT(strconv.Itoa).(pulumi.StringOutput),
		},
		ScalingConfig: &eks.NodeGroupScalingConfigArgs{
			MinSize:     pulumi.Int(p.args.Size.Min),
			DesiredSize: pulumi.Int(p.args.Size.Desired),
			MaxSize:     pulumi.Int(p.args.Size.Max),
		},
		UpdateConfig: &eks.NodeGroupUpdateConfigArgs{MaxUnavailable: pulumi.Int(1)},
		// Forcing would kill pods whose disruption budget says no, a training job's among them.
		ForceUpdateVersion: pulumi.Bool(false),
		Labels:             pulumi.ToStringMap(p.labels),
		Taints:             nodeGroupTaints(p.taints),
		Tags:               named,
	}
}

// nodeGroupTaints returns taints as the EKS API takes them.
func nodeGroupTaints(taints []Taint) eks.NodeGroupTaintArray {
	var list eks.NodeGroupTaintArray
	for _, t := range taints {
		effect, _ := eksEffect(t.Effect)
		taint := &eks.NodeGroupTaintArgs{Key: pulumi.String(t.Key), Effect: pulumi.String(effect)}
		if t.Value != "" {
			taint.Value = pulumi.String(t.Value)
		}
		list = append(list, taint)
	}
	return list
}

// timeouts gives a node group the time it can need. An update drains and replaces one node after another, and a bare
// or accelerated node takes up to 20 minutes to drain and boot; the provider's hour would cut a larger pool short
// while EKS goes on.
func timeouts(size Size) *pulumi.CustomTimeouts {
	minutes := max(60, 20*size.Max)
	return &pulumi.CustomTimeouts{Create: "40m", Update: strconv.Itoa(minutes) + "m", Delete: "60m"}
}
