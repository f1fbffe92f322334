package aws

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// typesOf returns the group's instance types that the catalog knows.
func typesOf(c *engine.Call) []*catalog.InstanceType {
	var known []*catalog.InstanceType
	for _, name := range instanceTypes(c) {
		if t, err := c.Catalog().Lookup(name); err == nil {
			known = append(known, t)
		}
	}
	return known
}

var typesKnown = engine.Rule{
	Name: "types-known", Says: "the instance types exist", Source: "EKS API, CreateNodegroup; EC2 API, DescribeInstanceTypes",
	Judge: func(c *engine.Call) error {
		var errs []error
		for _, name := range instanceTypes(c) {
			if _, err := c.Catalog().Lookup(name); err != nil {
				errs = append(errs, engine.Refuse("InvalidParameterException", "The following supplied instance types do not exist: [%s]; %v", name, err))
			}
		}
		return errors.Join(errs...)
	},
}

// nodeZones returns the zones of the group's subnets.
func nodeZones(c *engine.Call) []zone {
	var zones []zone
	for _, id := range c.In.Strs("subnetIds[*]") {
		s, _ := c.Get(subnetToken, id)
		z := zone{s.Out.Str("availabilityZone"), s.Out.Str("availabilityZoneId")}
		if !slices.Contains(zones, z) {
			zones = append(zones, z)
		}
	}
	return zones
}

var typesOffered = engine.Rule{
	Name: "types-offered", Says: "each instance type is offered in the zone of at least one subnet", Source: "EC2 API, DescribeInstanceTypeOfferings",
	Judge: func(c *engine.Call) error {
		var errs []error
		zones := nodeZones(c)
		var names []string
		for _, z := range zones {
			names = append(names, z.name+" ("+z.id+")")
		}
		for _, t := range typesOf(c) {
			offered := func(z zone) bool { return c.Catalog().Offered(t.Name, c.Region, z.id) }
			if !slices.ContainsFunc(zones, offered) {
				errs = append(errs, engine.Refuse("InvalidParameterException", "Your requested instance type (%s) is not supported in your requested Availability Zones: %s. In %s it is offered in %s",
					t.Name, list(names), c.Region, list(offeredIn(c, t.Name))))
			}
		}
		return errors.Join(errs...)
	},
}

// offeredIn returns the zones of the region that offer a type, as this account calls them.
func offeredIn(c *engine.Call, instanceType string) []string {
	var names []string
	for _, z := range zonesOf(c.Catalog(), c.Region) {
		if c.Catalog().Offered(instanceType, c.Region, z.id) {
			names = append(names, z.name+" ("+z.id+")")
		}
	}
	return names
}

// image is what an AMI type is for.
type image struct {
	arch        catalog.Arch
	accelerator catalog.Maker // whose drivers it carries
	bottlerocket,
	custom bool
}

func parseImage(amiType string) image {
	i := image{arch: catalog.ArchAMD64, custom: amiType == "CUSTOM", bottlerocket: strings.HasPrefix(amiType, "BOTTLEROCKET")}
	if strings.Contains(amiType, "ARM_64") {
		i.arch = catalog.ArchARM64
	}
	switch {
	case strings.Contains(amiType, "NVIDIA"):
		i.accelerator = catalog.MakerNVIDIA
	case strings.Contains(amiType, "NEURON"):
		i.accelerator = catalog.MakerNeuron
	}
	return i
}

var typesFitImage = engine.Rule{
	Name: "types-fit-image", Says: "the AMI type has the instance types' architecture, and the drivers of their accelerators and no others", Source: "EKS User Guide, \"Amazon EKS optimized accelerated Amazon Linux AMIs\"; amazon-eks-ami#1817",
	Judge: func(c *engine.Call) error {
		var errs []error
		amiType := imageType(c)
		for _, t := range typesOf(c) {
			if why := misfit(t, parseImage(amiType)); why != "" {
				errs = append(errs, engine.Refuse("InvalidParameterException", "[%s] is not a valid instance type for requested amiType %s: %s", t.Name, amiType, why))
			}
		}
		return errors.Join(errs...)
	},
}

// misfit says why an instance type cannot run an image, or nothing.
func misfit(t *catalog.InstanceType, i image) string {
	if i.custom {
		return "" // nobody but its maker knows what is in it
	}
	if t.Arch != i.arch {
		return fmt.Sprintf("the type is %s, the image %s", t.Arch, i.arch)
	}
	var maker catalog.Maker
	if t.Accelerator != nil {
		maker = t.Accelerator.Maker
	}
	switch {
	case maker == i.accelerator:
		return ""
	case maker == "":
		return "the image is for " + string(i.accelerator) + " accelerators, which the type has not; use a STANDARD one"
	case maker == catalog.MakerNVIDIA:
		return "the image carries no NVIDIA driver; use an NVIDIA one"
	case maker == catalog.MakerNeuron && i.bottlerocket:
		return ""
	case maker == catalog.MakerNeuron:
		return "the image carries no Neuron driver; use a NEURON one"
	default:
		return "EKS has no image with " + string(maker) + " drivers; name one in the launch template and use CUSTOM"
	}
}

var capacitySupported = engine.Rule{
	Name: "capacity-supported", Says: "the instance types can be had as the capacity type asks", Source: "EC2 API, DescribeInstanceTypes (supportedUsageClasses)",
	Judge: func(c *engine.Call) error {
		class := map[string]catalog.UsageClass{"": catalog.UsageOnDemand, "ON_DEMAND": catalog.UsageOnDemand, "SPOT": catalog.UsageSpot, "CAPACITY_BLOCK": catalog.UsageCapacityBlock}[c.In.Str("capacityType")]
		var errs []error
		for _, t := range typesOf(c) {
			if !t.Supports(class) {
				errs = append(errs, engine.Refuse("InvalidParameterException", "The instance type %s is not available as %s; it is as %v", t.Name, class, t.UsageClasses))
			}
		}
		return errors.Join(errs...)
	},
}

// nodeCapacity returns the instances that a group wants started, and where it may start them.
func nodeCapacity(c *engine.Call) (string, [][2]string) {
	desired, _ := c.In.Int("scalingConfig.desiredSize")
	if running, _ := c.Was.Int("scalingConfig.desiredSize"); desired <= running {
		return "", nil
	}
	var zones [][2]string
	for _, z := range nodeZones(c) {
		zones = append(zones, [2]string{z.name, z.id})
	}
	return list(instanceTypes(c)), zones
}

// groupActive is the rule on groups whose creation failed for want of capacity. Their Auto Scaling groups keep trying:
// the same arguments once more find them grown. Anything else EKS refuses.
var groupActive = engine.Rule{
	Name: "group-active", Says: "a node group whose creation failed takes no change", Source: "EKS API, UpdateNodegroupConfig (ResourceInUseException); containers-roadmap#2204",
	Judge: func(c *engine.Call) error {
		if c.Was.Str("status") != "CREATE_FAILED" {
			return nil
		}
		if was, ok := c.Get(nodeGroupToken, c.ID); ok && resource.PropertyMap(was.In).DeepEquals(resource.PropertyMap(c.In)) {
			return nil
		}
		return engine.Refuse("ResourceInUseException", "Nodegroup cannot be updated as it is currently not in Active State: the creation of %s failed for want of capacity. "+
			"Run the program unchanged until there is some, or destroy the group first", c.ID)
	},
}
