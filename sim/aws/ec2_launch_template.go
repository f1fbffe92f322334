package aws

import (
	"regexp"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const launchTemplateToken = "aws:ec2/launchTemplate:LaunchTemplate"

// launchTemplate is a template with versions. Every update makes a new version; only the newest is kept, since it is
// the one that programs use.
func launchTemplate(a Account) *engine.Resource {
	const source = "EC2 API, RequestLaunchTemplateData"
	return &engine.Resource{
		Token: launchTemplateToken, Args: ec2.LaunchTemplateArgs{}, State: ec2.LaunchTemplate{},
		Replace:  []string{"name", "namePrefix"},
		AutoName: &engine.AutoName{Property: "name", Prefix: "namePrefix", Max: 125},
		Moves:    []string{"latestVersion"},
		Refs: []engine.Ref{
			{Path: "vpcSecurityGroupIds[*]", To: securityGroupToken, By: byID, Code: "InvalidGroup.NotFound"},
			{Path: "networkInterfaces[*].securityGroups[*]", To: securityGroupToken, By: byID, Code: "InvalidGroup.NotFound"},
			{Path: "networkInterfaces[*].subnetId", To: subnetToken, By: byID, Code: "InvalidSubnetID.NotFound"},
			{Path: targetGroup, To: resourceGroupToken, By: []string{"arn"}, Code: "InvalidCapacityReservationResourceGroupArn.NotFound"},
			{Path: "placement.groupName", To: placementGroupToken, By: byID, Code: "InvalidPlacementGroup.Unknown"},
			{Path: "blockDeviceMappings[*].ebs.kmsKeyId", To: keyToken, By: []string{"arn", "id"}, Code: "InvalidKmsKey.NotFound"},
			{Path: "iamInstanceProfile.name", To: "aws:iam/instanceProfile:InstanceProfile", By: byID, Code: "InvalidParameterValue"},
			{Path: "iamInstanceProfile.arn", To: "aws:iam/instanceProfile:InstanceProfile", By: byID, Code: "InvalidParameterValue"},
		},
		Plan: []engine.Rule{
			shape("name", "has at least 3 letters, digits and ()./_- only", "EC2 API, CreateLaunchTemplate", regexp.MustCompile(`^[a-zA-Z0-9()./_-]{3,}$`)),
			shape("imageId", "is an image's id, ami- and 8 or 17 hexadecimal digits", source, regexp.MustCompile(`^(ami-([0-9a-f]{8}|[0-9a-f]{17})|resolve:ssm:.+)$`)),
			oneOf("networkInterfaces[*].interfaceType", source, "interface", "efa", "efa-only"),
			oneOf("metadataOptions.httpTokens", source, "optional", "required"),
			oneOf("metadataOptions.httpEndpoint", source, "enabled", "disabled"),
			between("metadataOptions.httpPutResponseHopLimit", source, 1, 64),
			oneOf("blockDeviceMappings[*].ebs.volumeType", source, "gp2", "gp3", "io1", "io2", "sc1", "st1", "standard"),
			oneOf("instanceMarketOptions.marketType", source, "spot", "capacity-block"),
			oneOf("tagSpecifications[*].resourceType", source, "instance", "volume", "network-interface", "spot-instances-request", "elastic-gpu"),
			templateTags, volumes, interfacePlaces, oneEFAPerCard, efaOnlyNotPrimary, noPublicAddress, a.interfaceGroups(), userData, reservationTarget,
		},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			id, err := c.NewID("lt-")
			if err != nil {
				return "", nil, err
			}
			name, err := nameOf(c, "name", "namePrefix")
			if err != nil {
				return "", nil, err
			}
			for _, other := range c.All(launchTemplateToken) {
				if other.Out.Str("name") == name {
					return "", nil, engine.Refuse("InvalidLaunchTemplateName.AlreadyExistsException", "Launch template name already in use: %s is %s", name, other.ID)
				}
			}
			out := engine.Outputs{"name": name, "arn": arn(c, "ec2", "launch-template/"+id), "latestVersion": 1, "defaultVersion": 1}
			return id, out, nil
		},
		Update: func(c *engine.Call) (engine.Outputs, error) {
			n, _ := c.Was.Int("latestVersion")
			out := engine.Outputs{"latestVersion": n + 1}
			if c.In.Bool("updateDefaultVersion") {
				out["defaultVersion"] = n + 1
			}
			return out, nil
		},
	}
}

// templateOf returns the launch template of a node group, by id or by name.
func templateOf(c *engine.Call, group engine.Props) (engine.Item, bool) {
	if id := group.Str("launchTemplate.id"); id != "" {
		return c.Get(launchTemplateToken, id)
	}
	if name := group.Str("launchTemplate.name"); name != "" {
		return c.Find(launchTemplateToken, "name", name)
	}
	return engine.Item{}, false
}
