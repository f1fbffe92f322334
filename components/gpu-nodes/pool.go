package gpunodes

import (
	"slices"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/eks"
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
	if former := plan.args.RenamedFrom; former != "" {
		opts = slices.Concat(opts, []pulumi.ResourceOption{pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String(former)}})})
	}
	if err := ctx.RegisterComponentResourceV2(TypePool, name, plan.args.inputs(), pool, opts...); err != nil {
		return nil, err
	}
	c := &children{ctx: ctx, plan: plan, name: name, pool: pool}
	reservations, members, err := c.reservationGroup()
	if err != nil {
		return nil, err
	}
	template, err := c.template(reservations)
	if err != nil {
		return nil, err
	}
	group, err := c.nodeGroup(template, members)
	if err != nil {
		return nil, err
	}
	if err := c.schedules(group); err != nil {
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
