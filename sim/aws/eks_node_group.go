package aws

import (
	"regexp"
	"slices"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/eks"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const nodeGroupToken = "aws:eks/nodeGroup:NodeGroup"

// amiTypes are the images of managed node groups.
// Source: EKS API, Nodegroup.
var amiTypes = []string{
	"AL2023_x86_64_STANDARD", "AL2023_ARM_64_STANDARD", "AL2023_x86_64_NVIDIA", "AL2023_ARM_64_NVIDIA", "AL2023_x86_64_NEURON",
	"BOTTLEROCKET_x86_64", "BOTTLEROCKET_ARM_64", "BOTTLEROCKET_x86_64_FIPS", "BOTTLEROCKET_ARM_64_FIPS",
	"BOTTLEROCKET_x86_64_NVIDIA", "BOTTLEROCKET_ARM_64_NVIDIA", "BOTTLEROCKET_x86_64_NVIDIA_FIPS", "BOTTLEROCKET_ARM_64_NVIDIA_FIPS",
	"WINDOWS_CORE_2019_x86_64", "WINDOWS_FULL_2019_x86_64", "WINDOWS_CORE_2022_x86_64", "WINDOWS_FULL_2022_x86_64",
	"WINDOWS_CORE_2025_x86_64", "WINDOWS_FULL_2025_x86_64", "CUSTOM",
}

// defaultAMIType is the image of a group that names none.
const defaultAMIType = "AL2023_x86_64_STANDARD"

func nodeGroup(a Account) *engine.Resource {
	const source = "EKS API, CreateNodegroup"
	return &engine.Resource{
		Token: nodeGroupToken, Args: eks.NodeGroupArgs{}, State: eks.NodeGroup{},
		Required: []string{"subnetIds"},
		Replace: []string{
			"amiType", "capacityType", "clusterName", "diskSize", "instanceTypes", "launchTemplate.id", "launchTemplate.name",
			"nodeGroupName", "nodeGroupNamePrefix", "nodeRoleArn", "remoteAccess", "subnetIds",
		},
		AutoName: &engine.AutoName{Property: "nodeGroupName", Prefix: "nodeGroupNamePrefix", Max: 63},
		Fills:    []string{"launchTemplate.id", "launchTemplate.name"},
		Refs: []engine.Ref{
			{Path: "clusterName", To: clusterToken, By: byID, Code: "ResourceNotFoundException", Holds: true},
			{Path: "nodeRoleArn", To: roleToken, By: []string{"arn"}, Code: "InvalidParameterException"},
			{Path: "subnetIds[*]", To: subnetToken, By: byID, Code: "InvalidParameterException", Holds: true},
			{Path: "launchTemplate.id", To: launchTemplateToken, By: byID, Code: "InvalidRequestException", Holds: true},
			{Path: "launchTemplate.name", To: launchTemplateToken, By: []string{"name"}, Code: "InvalidRequestException", Holds: true},
		},
		Plan: []engine.Rule{
			shape("nodeGroupName", "begins with a letter or digit and holds letters, digits, - and _ only", source, regexp.MustCompile(`^[0-9A-Za-z][A-Za-z0-9_-]*$`)),
			oneOf("amiType", source, amiTypes...),
			oneOf("capacityType", source, "ON_DEMAND", "SPOT", "CAPACITY_BLOCK"),
			oneOf("taints[*].effect", source, "NO_SCHEDULE", "NO_EXECUTE", "PREFER_NO_SCHEDULE"),
			shape("releaseVersion", "has the form 1.35.2-20260101 (Bottlerocket: 1.20.0-abcdef12)", source, regexp.MustCompile(`^\d+\.\d+\.\d+-(\d{8}|[0-9a-f]{8})$`)),
			between("updateConfig.maxUnavailable", source, 1, 100), between("updateConfig.maxUnavailablePercentage", source, 1, 100),
			sizes, updateOneWay, legalLabels, legalTaints, typesAtMost20, templateAlone,
		},
		Apply: slices.Concat([]engine.Rule{
			subnetsInClusterVPC, typesKnown, typesOffered, typesFitImage, capacitySupported,
			releaseFitsCluster, releaseFitsImage, templateVersion, templateForbidden, typeInOnePlace, imageInOnePlace,
			mimeForEKS, tomlForBottlerocket, bootstrapFitsCluster,
			interfacesFitTypes, placementFits, groupsInVPC, capacityBlock, blockUpgrade, groupActive,
			nodeRole, nodesJoin, nodesReachAWS,
			a.groupQuota(), a.sizeQuota(), a.vcpusRunning(),
		}, a.reservationRules()),
		Capacity: nodeCapacity,
		Create:   createNodeGroup,
		Update: func(c *engine.Call) (engine.Outputs, error) {
			out := engine.Outputs{"launchTemplate": templateOutput(c), "status": "ACTIVE"}
			if out["launchTemplate"] == nil {
				delete(out, "launchTemplate")
			}
			return out, nil
		},
	}
}

func createNodeGroup(c *engine.Call) (string, engine.Outputs, error) {
	name, err := nameOf(c, "nodeGroupName", "nodeGroupNamePrefix")
	if err != nil {
		return "", nil, err
	}
	cl, _ := c.Resolve("clusterName")
	id := cl.ID + ":" + name
	if _, taken := c.Get(nodeGroupToken, id); taken {
		return "", nil, engine.Refuse("ResourceInUseException", "NodeGroup already exists with name %s and cluster name %s", name, cl.ID)
	}
	h, err := c.NewHex("node group")
	if err != nil {
		return "", nil, err
	}
	asg := "eks-" + name + "-" + h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:32]
	version := cl.Out.Str("version")
	out := engine.Outputs{
		"nodeGroupName": name, "arn": arn(c, "eks", "nodegroup/"+cl.ID+"/"+name+"/"+h[32:64]), "status": "ACTIVE",
		"resources": []any{map[string]any{"autoscalingGroups": []any{map[string]any{"name": asg}}}},
	}
	setDefault(c, out, "version", version)
	setDefault(c, out, "capacityType", "ON_DEMAND")
	setDefault(c, out, "updateConfig", map[string]any{"maxUnavailable": 1})
	if t := templateOutput(c); t != nil {
		out["launchTemplate"] = t
	} else {
		setDefault(c, out, "diskSize", 20)
		setDefault(c, out, "instanceTypes", []any{"t3.medium"})
	}
	setDefault(c, out, "amiType", imageType(c))
	if v, ok := knownVersion(version); ok && imageType(c) != "CUSTOM" {
		setDefault(c, out, "releaseVersion", v.release())
	}
	return id, out, nil
}

// templateOutput returns how a group reports its template: by id and by name, whichever the program used.
func templateOutput(c *engine.Call) map[string]any {
	t, ok := templateOf(c, c.In)
	if !ok {
		return nil
	}
	return map[string]any{"id": t.ID, "name": t.Out.Str("name"), "version": c.In.Str("launchTemplate.version")}
}

// imageType returns the group's AMI type: the one given, CUSTOM when the template names an image, or EKS's default.
func imageType(c *engine.Call) string {
	if given := c.In.Str("amiType"); given != "" {
		return given
	}
	if t, ok := templateOf(c, c.In); ok && t.In.Has("imageId") {
		return "CUSTOM"
	}
	return defaultAMIType
}

// instanceTypes returns the group's instance types: from the call, from the template, or EKS's default.
func instanceTypes(c *engine.Call) []string { return typesOfGroup(c, c.In) }

// typesOfGroup returns the instance types of any group, by its arguments.
func typesOfGroup(c *engine.Call, group engine.Props) []string {
	if given := group.Strs("instanceTypes[*]"); len(given) > 0 {
		return given
	}
	if t, ok := templateOf(c, group); ok && t.In.Has("instanceType") {
		return t.In.Strs("instanceType")
	}
	return []string{"t3.medium"}
}
