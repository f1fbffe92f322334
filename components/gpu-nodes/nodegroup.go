package gpunodes

import (
	"fmt"
	"strconv"

	"github.com/gpuyard/gpuyard/components/internal/lightaws"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/eks"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// release returns the image release of a new node group, and what keeps a running one at its release. A release that
// is looked up would move with every update of the image, and a newer image under a GPU pool breaks running software;
// so it counts only when the group is made. A release that the caller names is rolled out when the name changes.
func (p *poolPlan) release(ctx *pulumi.Context, pool *Pool) (string, []pulumi.ResourceOption, error) {
	if p.args.AMI != "" {
		return "", nil, nil
	}
	if p.args.ImageRelease != "" {
		return p.args.ImageRelease, nil, nil
	}
	name := ReleaseParameter(p.args.KubernetesVersion, p.amiType)
	release, err := lightaws.Parameter(ctx, name, pulumi.Parent(pool))
	if err != nil {
		return "", nil, fmt.Errorf("looking up the newest release of the image %s for Kubernetes %s: %w",
			p.amiType, p.args.KubernetesVersion, err)
	}
	return release, []pulumi.ResourceOption{pulumi.IgnoreChanges([]string{"releaseVersion"})}, nil
}

// nodeGroup returns the node group of a pool. Its name has a unique suffix, so that when a change replaces the group,
// the new one is up before the old one goes. The Kubernetes version is left out: the release implies it, and two
// statements of it could disagree. With an image of one's own, which is in the template, the kind of image and its
// release are left out as well: EKS refuses them.
// Source: EKS User Guide, "Customize managed nodes with launch templates".
func (p *poolPlan) nodeGroup(name string, template *ec2.LaunchTemplate, release string) *eks.NodeGroupArgs {
	named := tags.Merge(p.args.Tags, name)
	for resource, quantity := range p.resources {
		named[autoscalerResource+resource] = pulumi.String(quantity)
	}
	args := &eks.NodeGroupArgs{
		ClusterName:         p.args.ClusterName,
		NodeGroupNamePrefix: pulumi.String(name + "-"),
		NodeRoleArn:         p.args.NodeRoleARN,
		SubnetIds:           p.args.SubnetIDs,
		CapacityType:        pulumi.String(p.capacityType()),
		LaunchTemplate: &eks.NodeGroupLaunchTemplateArgs{
			Id:      template.ID().ToStringOutput().ToStringPtrOutput(),
			Version: template.LatestVersion.ApplyT(strconv.Itoa).(pulumi.StringOutput),
		},
		ScalingConfig: p.scalingConfig(),
		UpdateConfig:  p.updateConfig(),
		// Forcing would kill pods whose disruption budget says no, a training job's among them.
		ForceUpdateVersion: pulumi.Bool(false),
		Labels:             pulumi.ToStringMap(p.labels),
		Taints:             nodeGroupTaints(p.taints),
		Tags:               named,
	}
	if p.args.Capacity != capacityBlock {
		args.InstanceTypes = pulumi.ToStringArray(p.args.InstanceTypes)
	}
	if p.args.AMI == "" {
		args.AmiType, args.ReleaseVersion = pulumi.String(p.amiType), pulumi.String(release)
	}
	if p.args.NodeRepair {
		args.NodeRepairConfig = &eks.NodeGroupNodeRepairConfigArgs{Enabled: pulumi.Bool(true)}
	}
	return args
}

// capacityType returns the kind of capacity in the words of the EKS API, to which a reservation is ordinary on-demand
// capacity that the template points at.
func (p *poolPlan) capacityType() string {
	switch p.args.Capacity {
	case capacitySpot:
		return "SPOT"
	case capacityBlock:
		return "CAPACITY_BLOCK"
	}
	return "ON_DEMAND"
}

// scalingConfig returns the sizes of a pool.
func (p *poolPlan) scalingConfig() *eks.NodeGroupScalingConfigArgs {
	return &eks.NodeGroupScalingConfigArgs{
		MinSize: pulumi.Int(p.args.Size.Min), DesiredSize: pulumi.Int(p.desired()), MaxSize: pulumi.Int(p.args.Size.Max),
	}
}

// updateConfig returns the pace of updates.
func (p *poolPlan) updateConfig() *eks.NodeGroupUpdateConfigArgs {
	if percent := p.args.Update.MaxUnavailablePercentage; percent > 0 {
		return &eks.NodeGroupUpdateConfigArgs{MaxUnavailablePercentage: pulumi.Int(percent)}
	}
	return &eks.NodeGroupUpdateConfigArgs{MaxUnavailable: pulumi.Int(p.args.Update.MaxUnavailable)}
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
