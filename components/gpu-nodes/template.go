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
// node group: the image, instance types, market options, an instance profile, shutdown behaviour, and subnets or
// public addresses on interfaces.
// Source: EKS User Guide, "Customize managed nodes with launch templates".
func (p *poolPlan) launchTemplate(name string) *ec2.LaunchTemplateArgs {
	named := tags.Merge(p.args.Tags, name)
	args := &ec2.LaunchTemplateArgs{
		NamePrefix:          pulumi.String(name + "-"),
		Description:         pulumi.String("Nodes of the gpuyard pool " + name + ": " + p.interfaces.String()),
		BlockDeviceMappings: rootVolume(p.args.RootVolumeGiB),
		MetadataOptions:     metadataOptions(),
		TagSpecifications: ec2.LaunchTemplateTagSpecificationArray{
			tagSpecification("instance", named),
			tagSpecification("volume", named),
			tagSpecification("network-interface", named),
		},
		Tags: named,
	}
	if p.userData != "" {
		args.UserData = pulumi.String(base64.StdEncoding.EncodeToString([]byte(p.userData)))
	}
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

// rootVolume returns the encrypted root volume of Amazon Linux 2023.
func rootVolume(sizeGiB int) ec2.LaunchTemplateBlockDeviceMappingArray {
	return ec2.LaunchTemplateBlockDeviceMappingArray{&ec2.LaunchTemplateBlockDeviceMappingArgs{
		DeviceName: pulumi.String("/dev/xvda"),
		Ebs: &ec2.LaunchTemplateBlockDeviceMappingEbsArgs{
			VolumeType:          pulumi.String("gp3"),
			VolumeSize:          pulumi.Int(sizeGiB),
			Encrypted:           pulumi.String("true"),
			DeleteOnTermination: pulumi.String("true"),
		},
	}}
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
