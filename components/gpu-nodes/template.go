package gpunodes

import (
	"encoding/base64"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// launchTemplate returns the template of a pool.
//
// It leaves out everything that EKS refuses in the template of a managed node group or that has its place in the
// node group: an instance profile, shutdown behaviour, subnets or public addresses on interfaces, and for all but
// Capacity Blocks the instance type and market. An image is in it only when it is one's own.
// Source: EKS User Guide, "Customize managed nodes with launch templates".
func (p *poolPlan) launchTemplate(name string, reservations pulumi.StringPtrInput) *ec2.LaunchTemplateArgs {
	named := tags.Merge(p.args.Tags, name)
	args := &ec2.LaunchTemplateArgs{
		NamePrefix:          pulumi.String(name + "-"),
		Description:         pulumi.String("Nodes of the gpuyard pool " + name + ": " + p.interfaces.String()),
		BlockDeviceMappings: rootVolume(p.args.OS, p.args.RootVolumeGiB),
		MetadataOptions:     metadataOptions(),
		TagSpecifications: ec2.LaunchTemplateTagSpecificationArray{
			tagSpecification("instance", named),
			tagSpecification("volume", named),
			tagSpecification("network-interface", named),
		},
		Tags: named,
	}
	args.UserData = p.userData()
	if p.args.AMI != "" {
		args.ImageId = pulumi.String(p.args.AMI)
	}
	p.reserve(args, reservations)
	if p.args.PlacementGroupName != nil {
		args.Placement = &ec2.LaunchTemplatePlacementArgs{GroupName: p.args.PlacementGroupName.ToStringOutput().ToStringPtrOutput()}
	}
	// Groups may stand at the instance or at its interfaces, not at both. With one plain interface the instance is
	// the shorter place, and EC2 may add an address as the subnet says; EFA needs its interfaces spelled out.
	if p.interfaces.EFAs() == 0 {
		args.VpcSecurityGroupIds = pulumi.StringArray{p.args.ClusterSecurityGroupID}
	} else {
		groups := pulumi.StringArray{p.args.ClusterSecurityGroupID, p.args.FabricSecurityGroupID}
		args.NetworkInterfaces = networkInterfaces(p.interfaces, groups)
	}
	return args
}

// userData returns the user data in base64, and nil when there is nothing to say.
func (p *poolPlan) userData() pulumi.StringPtrInput {
	encode := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	if p.args.AMI == "" {
		if text := userData(p.spec); text != "" {
			return pulumi.String(encode(text))
		}
		return nil
	}
	b := p.args.Bootstrap
	return pulumi.All(p.args.ClusterName, b.ClusterEndpoint, b.ClusterCA, b.ServiceCIDR).ApplyT(func(v []any) *string {
		spec := p.spec
		spec.Cluster = &NodeCluster{
			Name: v[0].(string), Endpoint: v[1].(string), CertificateAuthority: v[2].(string), ServiceCIDR: v[3].(string),
			Labels: p.labels, Taints: p.taints,
		}
		text := encode(userData(spec))
		return &text
	}).(pulumi.StringPtrOutput)
}

// reserve points a template at reserved capacity. A Capacity Block is bought for a type, which then stands in the
// template, and in the template only.
// Source: EKS User Guide, "Create a managed node group with Capacity Blocks for ML".
func (p *poolPlan) reserve(args *ec2.LaunchTemplateArgs, reservations pulumi.StringPtrInput) {
	if !p.args.isReserved() {
		return
	}
	target := &ec2.LaunchTemplateCapacityReservationSpecificationCapacityReservationTargetArgs{}
	if reservations != nil {
		target.CapacityReservationResourceGroupArn = reservations
	} else {
		target.CapacityReservationId = pulumi.String(p.args.Reservation)
	}
	args.CapacityReservationSpecification = &ec2.LaunchTemplateCapacityReservationSpecificationArgs{CapacityReservationTarget: target}
	if p.args.Capacity == capacityBlock {
		args.InstanceType = pulumi.String(p.args.InstanceTypes[0])
		args.InstanceMarketOptions = &ec2.LaunchTemplateInstanceMarketOptionsArgs{MarketType: pulumi.String("capacity-block")}
	}
}

// networkInterfaces returns the interfaces of a plan. The groups are on each of them: an EFA whose group does not
// allow all traffic from and to itself carries none, and nothing says so.
//
// Whether an interface gets a public address is not said at all: EC2 refuses the question itself for an instance
// with several interfaces, and gives none.
// Source: EC2 User Guide, "Get started with EFA"; EC2 API, InstanceNetworkInterfaceSpecification.
func networkInterfaces(plan catalog.InterfacePlan, groups pulumi.StringArray) ec2.LaunchTemplateNetworkInterfaceArray {
	var list ec2.LaunchTemplateNetworkInterfaceArray
	for _, i := range plan {
		list = append(list, &ec2.LaunchTemplateNetworkInterfaceArgs{
			NetworkCardIndex:    pulumi.Int(i.Card),
			DeviceIndex:         pulumi.Int(i.Device),
			InterfaceType:       pulumi.String(i.Kind),
			SecurityGroups:      groups,
			DeleteOnTermination: pulumi.String("true"),
		})
	}
	return list
}

// rootVolume returns the encrypted root volume. Bottlerocket keeps its system on a small volume and everything else,
// images and pods' files, on a second one: that has the size asked for.
// Source: Bottlerocket, "Concepts", "Storage".
func rootVolume(os string, sizeGiB int) ec2.LaunchTemplateBlockDeviceMappingArray {
	if os == osBottlerocket {
		return ec2.LaunchTemplateBlockDeviceMappingArray{volume("/dev/xvda", nil), volume("/dev/xvdb", pulumi.Int(sizeGiB))}
	}
	return ec2.LaunchTemplateBlockDeviceMappingArray{volume("/dev/xvda", pulumi.Int(sizeGiB))}
}

// volume returns an encrypted volume of a size, or of the image's when it is nil.
func volume(device string, sizeGiB pulumi.IntPtrInput) *ec2.LaunchTemplateBlockDeviceMappingArgs {
	return &ec2.LaunchTemplateBlockDeviceMappingArgs{
		DeviceName: pulumi.String(device),
		Ebs: &ec2.LaunchTemplateBlockDeviceMappingEbsArgs{
			VolumeType:          pulumi.String("gp3"),
			VolumeSize:          sizeGiB,
			Encrypted:           pulumi.String("true"),
			DeleteOnTermination: pulumi.String("true"),
		},
	}
}

// metadataOptions requires session tokens, and keeps the metadata service one hop away: pods on the host network
// reach it, such as the VPC CNI, and all others do not, so that no pod takes the node's role.
// Source: EC2 User Guide, "Use IMDS"; EKS Best Practices Guide, "Restrict access to the instance profile".
func metadataOptions() *ec2.LaunchTemplateMetadataOptionsArgs {
	return &ec2.LaunchTemplateMetadataOptionsArgs{
		HttpEndpoint:            pulumi.String("enabled"),
		HttpTokens:              pulumi.String("required"),
		HttpPutResponseHopLimit: pulumi.Int(1),
	}
}

// tagSpecification tags what EC2 makes for a node: tags of a node group do not reach its instances.
func tagSpecification(kind string, tags pulumi.StringMap) *ec2.LaunchTemplateTagSpecificationArgs {
	return &ec2.LaunchTemplateTagSpecificationArgs{ResourceType: pulumi.String(kind), Tags: tags}
}
