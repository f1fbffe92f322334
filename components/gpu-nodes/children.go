package gpunodes

import (
	"fmt"
	"maps"
	"path"

	"github.com/gpuyard/gpuyard/components/internal/lightaws"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/eks"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/resourcegroups"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// children registers the resources of one pool.
type children struct {
	ctx  *pulumi.Context
	plan *poolPlan
	name string
	pool *Pool
}

// physical is the name that the pool's resources carry in AWS: the one under which they were made.
func (c *children) physical() string {
	if former := c.plan.args.RenamedFrom; former != "" {
		return former
	}
	return c.name
}

// options returns the options of the child with a suffix. A child of a renamed pool is known by its former name as well,
// and keeps what it was made with where that cannot be changed.
func (c *children) options(suffix string, keeps ...string) []pulumi.ResourceOption {
	opts := []pulumi.ResourceOption{pulumi.Parent(c.pool)}
	if former := c.plan.args.RenamedFrom; former != "" {
		opts = append(opts, pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String(former + suffix)}}))
		if len(keeps) > 0 {
			opts = append(opts, pulumi.IgnoreChanges(keeps))
		}
	}
	return opts
}

// template registers the launch template.
func (c *children) template(reservations pulumi.StringPtrInput) (*ec2.LaunchTemplate, error) {
	return ec2.NewLaunchTemplate(c.ctx, c.name+"-template", c.plan.launchTemplate(c.physical(), reservations), c.options("-template", "namePrefix")...)
}

// nodeGroup registers the node group.
func (c *children) nodeGroup(template *ec2.LaunchTemplate, after []pulumi.Resource) (*eks.NodeGroup, error) {
	release, releaseOpts, err := c.plan.release(c.ctx, c.pool)
	if err != nil {
		return nil, fmt.Errorf("node pool %q: %w", c.name, err)
	}
	opts := append(c.options("-group", "nodeGroupNamePrefix"), pulumi.Timeouts(timeouts(c.plan.args.Size)))
	opts = append(opts, releaseOpts...)
	if len(after) > 0 {
		opts = append(opts, pulumi.DependsOn(after))
	}
	if c.plan.waits() || len(c.plan.args.Schedules) > 0 {
		// A schedule sets the size, perhaps while this runs, and nothing shall undo it.
		opts = append(opts, pulumi.IgnoreChanges([]string{"scalingConfig.desiredSize"}))
	}
	return eks.NewNodeGroup(c.ctx, c.name+"-group", c.plan.nodeGroup(c.physical(), template, release), opts...)
}

// reservationGroup registers a resource group of the pool's reservations, of which EC2 uses whichever has room, and
// returns its ARN with what the nodes must wait for. Both are nil for a pool with one reservation or none.
// Source: EC2 User Guide, "Create a Capacity Reservation group".
func (c *children) reservationGroup() (pulumi.StringPtrInput, []pulumi.Resource, error) {
	if len(c.plan.args.Reservations) == 0 {
		return nil, nil, nil
	}
	group, err := resourcegroups.NewGroup(c.ctx, c.name+"-reservations", &resourcegroups.GroupArgs{
		Description: pulumi.String("Capacity reservations of a gpuyard node pool"),
		Configurations: resourcegroups.GroupConfigurationArray{
			&resourcegroups.GroupConfigurationArgs{Type: pulumi.String("AWS::EC2::CapacityReservationPool")},
			&resourcegroups.GroupConfigurationArgs{
				Type: pulumi.String("AWS::ResourceGroups::Generic"),
				Parameters: resourcegroups.GroupConfigurationParameterArray{&resourcegroups.GroupConfigurationParameterArgs{
					Name:   pulumi.String("allowed-resource-types"),
					Values: pulumi.ToStringArray([]string{"AWS::EC2::CapacityReservation"}),
				}},
			},
		},
		Tags: tags.Merge(c.plan.args.Tags, c.physical()),
	}, c.options("-reservations")...)
	if err != nil {
		return nil, nil, err
	}
	var members []pulumi.Resource
	for _, arn := range c.plan.args.Reservations {
		suffix := "-" + path.Base(arn)
		member, err := resourcegroups.NewResource(c.ctx, c.name+suffix, &resourcegroups.ResourceArgs{
			GroupArn: group.Arn, ResourceArn: pulumi.String(arn),
		}, c.options(suffix)...)
		if err != nil {
			return nil, nil, err
		}
		members = append(members, member)
	}
	return group.Arn.ToStringPtrOutput(), members, nil
}

// schedules registers the changes of the pool's size that are to come, once or again and again.
func (c *children) schedules(group *eks.NodeGroup) error {
	for _, s := range c.plan.schedule() {
		if err := c.action(group, "-"+s.name, s.desired, pulumi.Map{"startTime": pulumi.String(s.time)}); err != nil {
			return err
		}
	}
	for _, s := range c.plan.args.Schedules {
		when := pulumi.Map{"recurrence": pulumi.String(s.Cron), "timeZone": pulumi.String(s.zone())}
		// A dot is in no name of a pool: b-day of the pool a and day of the pool a-b are two resources.
		if err := c.action(group, "."+s.Name, s.Desired, when); err != nil {
			return err
		}
	}
	return nil
}

// action registers a change of size. It changes the size alone: the bounds stay EKS's.
func (c *children) action(group *eks.NodeGroup, suffix string, desired int, when pulumi.Map) error {
	inputs := pulumi.Map{
		"scheduledActionName":  pulumi.String(c.physical() + suffix),
		"autoscalingGroupName": group.Resources.Index(pulumi.Int(0)).AutoscalingGroups().Index(pulumi.Int(0)).Name().Elem(),
		"minSize":              pulumi.Int(-1),
		"maxSize":              pulumi.Int(-1),
		"desiredCapacity":      pulumi.Int(desired),
	}
	maps.Copy(inputs, when)
	return lightaws.NewSchedule(c.ctx, c.name+suffix, inputs, c.options(suffix)...)
}
