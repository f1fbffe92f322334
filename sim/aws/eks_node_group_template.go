package aws

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const templateSource = "EKS User Guide, \"Customize managed nodes with launch templates\""

var templateVersion = engine.Rule{
	Name: "template-version", Says: "the launch template has that version", Source: templateSource,
	Judge: func(c *engine.Call) error {
		t, ok := templateOf(c, c.In)
		if !ok {
			return nil
		}
		version := c.In.Str("launchTemplate.version")
		if version == "$Latest" || version == "$Default" {
			return nil
		}
		latest, _ := t.Out.Int("latestVersion")
		if n, err := strconv.Atoi(version); err != nil || n < 1 || n > latest {
			return engine.Refuse("InvalidRequestException", "Launch template %s has no version %q; its newest is %d", t.ID, version, latest)
		}
		return nil
	},
}

// forbidden are the template fields that a managed node group does not take.
var forbidden = map[string]string{
	"iamInstanceProfile":                "EKS gives nodes the profile of nodeRoleArn",
	"networkInterfaces[*].subnetId":     "the group's subnetIds say where nodes go",
	"instanceInitiatedShutdownBehavior": "EKS decides what becomes of a node that shuts down",
	"hibernationOptions.configured":     "nodes cannot hibernate",
	"instanceMarketOptions.spotOptions": "ask for spot nodes by the group's capacityType",
}

var templateForbidden = engine.Rule{
	Name: "template-forbidden", Says: "the template has no subnet, instance profile, shutdown behaviour, hibernation or spot request, and security groups in one place", Source: templateSource,
	Judge: func(c *engine.Call) error {
		t, ok := templateOf(c, c.In)
		if !ok {
			return nil
		}
		var errs []error
		refuse := func(path, why string) {
			errs = append(errs, engine.Refuse("InvalidRequestException", "%s in launch template %s should not be specified: %s", path, t.ID, why))
		}
		for path, why := range forbidden {
			if found := t.In.Leaves(path); len(found) > 0 && !isFalse(found[0]) {
				refuse(path, why)
			}
		}
		if t.In.Str("instanceMarketOptions.marketType") == "spot" {
			refuse("instanceMarketOptions", forbidden["instanceMarketOptions.spotOptions"])
		}
		if t.In.Has("vpcSecurityGroupIds[*]") && t.In.Has("networkInterfaces[*]") {
			refuse("vpcSecurityGroupIds", "give security groups on the network interfaces or on the instance, not both")
		}
		slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
		return errors.Join(errs...)
	},
}

var typeInOnePlace = engine.Rule{
	Name: "type-in-one-place", Says: "instance types stand in the group or in its template, not in both", Source: templateSource + "; terraform-aws-eks#1386",
	Judge: func(c *engine.Call) error {
		t, ok := templateOf(c, c.In)
		if ok && t.In.Has("instanceType") && c.In.Has("instanceTypes[*]") {
			return engine.Refuse("InvalidParameterException", "Instance Types is set in both the launch template %s and the node group; leave one of them out", t.ID)
		}
		return nil
	},
}

var imageInOnePlace = engine.Rule{
	Name: "image-in-one-place", Says: "with an image in the template: no AMI type but CUSTOM, no version, no release; CUSTOM wants an image", Source: templateSource + "; pulumi-eks#1463, #1283",
	Judge: func(c *engine.Call) error {
		t, _ := templateOf(c, c.In)
		hasImage, amiType := t.In.Has("imageId"), c.In.Str("amiType")
		switch {
		case hasImage && amiType != "" && amiType != "CUSTOM":
			return engine.Refuse("InvalidParameterException", "You cannot specify an AMI Type other than CUSTOM, when specifying an image id in your launch template; leave amiType %s out", amiType)
		case hasImage && (c.In.Has("version") || c.In.Has("releaseVersion")):
			return engine.Refuse("InvalidParameterException", "You cannot specify an image id within the launch template and specify a Kubernetes or AMI release version; leave version and releaseVersion out")
		case !hasImage && amiType == "CUSTOM":
			return engine.Refuse("InvalidParameterException", "AMI type CUSTOM wants a launch template with an imageId")
		}
		return nil
	},
}

var mimeForEKS = engine.Rule{
	Name: "mime-for-eks", Says: "user data that EKS merges with its own is multi-part MIME", Source: templateSource,
	Judge: func(c *engine.Call) error {
		t, ok := templateOf(c, c.In)
		text := t.In.Str("userData")
		if !ok || text == "" || parseImage(imageType(c)).custom || parseImage(imageType(c)).bottlerocket {
			return nil
		}
		data, err := base64.StdEncoding.DecodeString(text)
		if err == nil {
			_, err = mimeParts(data)
		}
		if err != nil {
			return engine.Refuse("InvalidRequestException", "User data of launch template %s was not in the MIME multipart format: %v", t.ID, err)
		}
		return nil
	},
}

var interfacesFitTypes = engine.Rule{
	Name: "interfaces-fit-types", Says: "cards, device indexes and EFAs of the template are within what every instance type has", Source: interfaceSource + "; EC2 API, DescribeInstanceTypes (networkInfo)",
	Judge: func(c *engine.Call) error {
		t, ok := templateOf(c, c.In)
		if !ok {
			return nil
		}
		var errs []error
		for _, typ := range typesOf(c) {
			errs = append(errs, interfacesFit(interfacesOf(t.In), typ))
		}
		return errors.Join(errs...)
	},
}

// interfacesFit judges the interfaces of a template by the network cards of a type.
func interfacesFit(nics []nic, t *catalog.InstanceType) error {
	var errs []error
	efas := 0
	for _, n := range nics {
		if n.isEFA() {
			efas++
		}
		i := slices.IndexFunc(t.Cards, func(card catalog.NetworkCard) bool { return card.Index == n.at.card })
		switch {
		case i < 0:
			errs = append(errs, engine.Refuse("InvalidNetworkCard.Index", "%s: network card index %d does not exist on %s, which has %d cards", n.path, n.at.card, t.Name, len(t.Cards)))
		case n.at.device >= t.Cards[i].MaxInterfaces:
			errs = append(errs, engine.Refuse("AttachmentLimitExceeded", "%s: device index %d exceeds maximum of %d for this network card on %s", n.path, n.at.device, t.Cards[i].MaxInterfaces-1, t.Name))
		case n.isEFA() && t.HasEFA() && !t.Cards[i].EFA:
			errs = append(errs, engine.Refuse("InvalidParameterCombination", "%s: network card %d of %s carries no EFA", n.path, n.at.card, t.Name))
		}
	}
	switch {
	case efas > 0 && !t.HasEFA():
		errs = append(errs, engine.Refuse("InvalidParameterCombination", "EFA interfaces are not supported on %s", t.Name))
	case efas > t.MaxEFA:
		errs = append(errs, engine.Refuse("AttachmentLimitExceeded", "%d EFA interfaces exceed the maximum of %d on %s", efas, t.MaxEFA, t.Name))
	}
	return errors.Join(errs...)
}

var placementFits = engine.Rule{
	Name: "placement-fits", Says: "the types support the placement group's strategy; a cluster group takes subnets of one zone", Source: "EC2 User Guide, \"Placement groups\"",
	Judge: func(c *engine.Call) error {
		t, _ := templateOf(c, c.In)
		group, ok := c.Get(placementGroupToken, t.In.Str("placement.groupName"))
		if !ok {
			return nil
		}
		var errs []error
		strategy := group.Out.Str("strategy")
		for _, typ := range typesOf(c) {
			if !typ.SupportsPlacement(strategy) {
				errs = append(errs, engine.Refuse("InvalidParameterCombination", "%s is not supported in the placement group %s: the type does not support the strategy %s", typ.Name, group.ID, strategy))
			}
		}
		if zones := nodeZones(c); strategy == "cluster" && len(zones) > 1 {
			errs = append(errs, engine.Refuse("InvalidParameterCombination", "The cluster placement group %s cannot span %d zones; give subnets of one zone", group.ID, len(zones)))
		}
		return errors.Join(errs...)
	},
}

var groupsInVPC = engine.Rule{
	Name: "groups-in-vpc", Says: "the template's security groups exist in the cluster's VPC", Source: "EC2 API, RunInstances",
	Judge: func(c *engine.Call) error {
		t, _ := templateOf(c, c.In)
		cl, _ := c.Resolve("clusterName")
		var errs []error
		for _, path := range []string{"vpcSecurityGroupIds[*]", "networkInterfaces[*].securityGroups[*]"} {
			for _, id := range t.In.Strs(path) {
				g, there := c.Get(securityGroupToken, id)
				if vpc := cl.Out.Str("vpcConfig.vpcId"); !there || g.Out.Str("vpcId") != vpc {
					errs = append(errs, engine.Refuse("InvalidGroup.NotFound", "The security group '%s' of launch template %s does not exist in %s", id, t.ID, vpc))
				}
			}
		}
		return errors.Join(errs...)
	},
}

var capacityBlock = engine.Rule{
	Name: "capacity-block", Says: "CAPACITY_BLOCK wants a template with that market, a reservation and the instance type, and subnets of one zone", Source: "EKS User Guide, \"Create a managed node group with Capacity Blocks for ML\"",
	Judge: func(c *engine.Call) error {
		t, _ := templateOf(c, c.In)
		isBlock := c.In.Str("capacityType") == "CAPACITY_BLOCK"
		inTemplate := t.In.Str("instanceMarketOptions.marketType") == "capacity-block"
		var missing []string
		for path, ok := range map[string]bool{
			"instanceMarketOptions.marketType capacity-block in the template": inTemplate,
			"a capacityReservationId in the template":                         t.In.Has("capacityReservationSpecification.capacityReservationTarget.capacityReservationId"),
			"the instanceType in the template":                                t.In.Has("instanceType"),
			"subnets of one zone":                                             len(nodeZones(c)) == 1,
		} {
			if !ok {
				missing = append(missing, path)
			}
		}
		slices.Sort(missing)
		switch {
		case isBlock && len(missing) > 0:
			return engine.Refuse("InvalidParameterException", "A group of capacity type CAPACITY_BLOCK needs %s", list(missing))
		case inTemplate && !isBlock:
			return engine.Refuse("InvalidParameterException", "Launch template %s has the market capacity-block; set capacityType to CAPACITY_BLOCK", t.ID)
		}
		return nil
	},
}

var nodeRole = engine.Rule{
	Name: "node-role", Says: "the role trusts ec2.amazonaws.com", Source: "EKS User Guide, \"Amazon EKS node IAM role\"",
	Judge: func(c *engine.Call) error {
		r, _ := c.Resolve("nodeRoleArn")
		service := "ec2." + partition(c.Region).dnsSuffix
		if !trusts(r, "ec2.amazonaws.com", "sts:AssumeRole") && !trusts(r, service, "sts:AssumeRole") {
			return engine.Refuse("InvalidParameterException", "Following required service principals [ec2.amazonaws.com] were not found in the trust relationships of nodeRole %s", c.In.Str("nodeRoleArn"))
		}
		return nil
	},
}

var nodesJoin = engine.Rule{
	Name: "nodes-join", Says: "nodes become ready: the role carries the node and registry policies, and a network plugin is there with the rights it needs", Source: "EKS User Guide, \"Troubleshoot problems with Amazon EKS clusters and nodes\" (NodeCreationFailure)",
	Judge: func(c *engine.Call) error {
		if desired, _ := c.In.Int("scalingConfig.desiredSize"); desired == 0 {
			return nil
		}
		r, _ := c.Resolve("nodeRoleArn")
		cl, _ := c.Resolve("clusterName")
		var missing []string
		if !carries(c, r, "AmazonEKSWorkerNodePolicy") && !carries(c, r, "AmazonEKSWorkerNodeMinimalPolicy") {
			missing = append(missing, fmt.Sprintf("AmazonEKSWorkerNodePolicy on the role %s", r.ID))
		}
		if !carries(c, r, "AmazonEC2ContainerRegistryPullOnly") && !carries(c, r, "AmazonEC2ContainerRegistryReadOnly") {
			missing = append(missing, fmt.Sprintf("AmazonEC2ContainerRegistryPullOnly on the role %s", r.ID))
		}
		cni, managed := c.Get(addonToken, cl.ID+":vpc-cni")
		if !managed && !cl.Out.Bool("bootstrapSelfManagedAddons") {
			missing = append(missing, "the vpc-cni add-on, since the cluster was made without self-managed add-ons")
		}
		if !carries(c, r, "AmazonEKS_CNI_Policy") && !cni.In.Has("serviceAccountRoleArn") && !cni.In.Has("podIdentityAssociations[*]") {
			missing = append(missing, "AmazonEKS_CNI_Policy for vpc-cni, on a role of its own or on the node role")
		}
		if len(missing) > 0 {
			return engine.Refuse("NodeCreationFailure", "Unhealthy nodes in the kubernetes cluster; nodes never become ready without %s", strings.Join(missing, "; nor without "))
		}
		return nil
	},
}
