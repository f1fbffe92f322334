package gpunodes

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// maxNameLength leaves room in a node group's 63 characters for a dash and the provider's unique suffix of 26.
const maxNameLength = 36

// The shapes of names, versions and images. Every pool of a plan is held against them.
var (
	nameShape    = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z_-]*$`)
	versionShape = regexp.MustCompile(`^1\.[0-9]+$`)
	amiShape     = regexp.MustCompile(`^ami-[0-9a-f]{8,17}$`)
)

func checkName(c *argument.Checker, arg, name string) {
	if !nameShape.MatchString(name) {
		c.Failf(arg, "%q may hold letters, digits, dashes and underscores, and starts with a letter or digit", name)
	}
	if len(name) > maxNameLength {
		c.Failf(arg, "it has %d characters, and a node group's name has room for %d before its unique suffix", len(name), maxNameLength)
	}
}

// checkInputs reports inputs that are left out and a version that is none.
func checkInputs(c *argument.Checker, a *PoolArgs) {
	for _, input := range []struct {
		name    string
		missing bool
	}{
		{"clusterName", a.ClusterName == nil},
		{"nodeRoleArn", a.NodeRoleARN == nil},
		{"subnetIds", a.SubnetIDs == nil},
		{"clusterSecurityGroupId", a.ClusterSecurityGroupID == nil},
	} {
		if input.missing {
			c.Failf(input.name, "it is not given")
		}
	}
	if !versionShape.MatchString(a.KubernetesVersion) {
		c.Failf("kubernetesVersion", "%q is no version such as 1.35", a.KubernetesVersion)
	}
}

// checkSizes reports node counts and volume sizes that EKS or the image would refuse.
func checkSizes(c *argument.Checker, a *PoolArgs) {
	if s := a.Size; s.Min < 0 || s.Min > s.Desired || s.Desired > s.Max || s.Max < 1 {
		c.Failf("size", "min %d, desired %d, max %d: 0 <= min <= desired <= max is needed, and max is at least 1", s.Min, s.Desired, s.Max)
	}
	if a.RootVolumeGiB < 20 {
		c.Failf("rootVolumeGiB", "the image needs 20 GiB at least, not %d", a.RootVolumeGiB)
	}
}

// checkTaints reports taints that Kubernetes would refuse.
func checkTaints(c *argument.Checker, arg string, taints []Taint) {
	for i, t := range taints {
		if t.Key == "" {
			c.Failf(arg, "taint %d has no key", i+1)
		}
		if _, ok := eksEffect(t.Effect); !ok {
			c.Failf(arg, "%s has the effect %q: it may be NoSchedule, PreferNoSchedule or NoExecute", t.Key, t.Effect)
		}
		same := func(o Taint) bool { return o.Key == t.Key && o.Effect == t.Effect }
		if slices.ContainsFunc(taints[:i], same) {
			c.Failf(arg, "%s with the effect %s is given twice", t.Key, t.Effect)
		}
	}
}

// eksEffect returns a taint's effect in the words of the EKS API.
func eksEffect(effect string) (word string, ok bool) {
	switch effect {
	case "NoSchedule":
		return "NO_SCHEDULE", true
	case "PreferNoSchedule":
		return "PREFER_NO_SCHEDULE", true
	case "NoExecute":
		return "NO_EXECUTE", true
	}
	return "", false
}

// checkLabels refuses to have labels overridden by which device plugins find their nodes.
func checkLabels(c *argument.Checker, labels map[string]string) {
	for _, key := range []string{
		LabelFabric, LabelGPUSharing, LabelLocalStorage, labelGPUPresent, labelMIGConfig, labelMPSCapable, labelPluginConfig,
	} {
		if _, given := labels[key]; given {
			c.Failf("labels", "%s follows from the pool and cannot be given: device plugins find their nodes by it", key)
		}
	}
}

// checkEFA reports a pool with EFA that is wired wrongly. Whether its types have EFA is poolInterfaces' judgement.
func checkEFA(c *argument.Checker, a *PoolArgs) {
	if a.Fabric != string(catalog.FabricEFA) {
		return
	}
	if a.FabricSecurityGroupID == nil {
		c.Failf("fabricSecurityGroupId", "it is not given, and EFA needs a security group whose rules allow all traffic "+
			"from and to itself")
	}
	checkOneSubnet(c, a, "EFA traffic does not leave an availability zone, so a pool with EFA has exactly one subnet")
}

// checkOneSubnet reports subnets of a pool that can use only one, and why.
func checkOneSubnet(c *argument.Checker, a *PoolArgs, why string) {
	if subnets, ok := a.SubnetIDs.(pulumi.StringArray); ok && len(subnets) != 1 {
		c.Failf("subnetIds", "%d are given: %s", len(subnets), why)
	}
}

// checkImage reports an image that cannot be had, or that nodes could not join with.
func checkImage(c *argument.Checker, a *PoolArgs) {
	checkOS(c, "os", a.OS)
	if a.AMI == "" {
		if b := a.Bootstrap; b.ClusterEndpoint != nil || b.ClusterCA != nil || b.ServiceCIDR != nil {
			c.Failf("bootstrap", "it is for nodes of an image given as ami: EKS bootstraps those of its own images")
		}
		return
	}
	if !amiShape.MatchString(a.AMI) {
		c.Failf("ami", "%q is no id of an image such as ami-0123456789abcdef0", a.AMI)
	}
	if a.OS == osBottlerocket {
		c.Failf("ami", "an image of one's own is an Amazon Linux 2023 one with nodeadm here: leave os out")
	}
	if a.ImageRelease != "" {
		c.Failf("imageRelease", "it names a release of EKS's images, and %s is none of them", a.AMI)
	}
	for _, input := range []struct {
		name    string
		missing bool
	}{
		{"clusterEndpoint", a.Bootstrap.ClusterEndpoint == nil},
		{"clusterCa", a.Bootstrap.ClusterCA == nil},
		{"serviceCidr", a.Bootstrap.ServiceCIDR == nil},
	} {
		if input.missing {
			c.Failf("bootstrap."+input.name, "it is not given, and EKS tells nodes of an image of one's own nothing")
		}
	}
}

func checkOS(c *argument.Checker, arg, os string) {
	if os != "" && os != osAL2023 && os != osBottlerocket {
		c.Failf(arg, "%q is unknown: it may be al2023 or bottlerocket", os)
	}
}

// checkUpdate reports a pace of updates that EKS would refuse.
// Source: EKS API, NodegroupUpdateConfig.
func checkUpdate(c *argument.Checker, u Update) {
	switch {
	case u.MaxUnavailable != 0 && u.MaxUnavailablePercentage != 0:
		c.Failf("update", "maxUnavailable %d and maxUnavailablePercentage %d are given: it is one or the other", u.MaxUnavailable, u.MaxUnavailablePercentage)
	case min(u.MaxUnavailable, u.MaxUnavailablePercentage) < 0 || max(u.MaxUnavailable, u.MaxUnavailablePercentage) > 100:
		c.Failf("update", "maxUnavailable %d, maxUnavailablePercentage %d: 1 to 100 is legal", u.MaxUnavailable, u.MaxUnavailablePercentage)
	}
}

// checkLocalStorage returns what is wrong with a pool's use of its local disks.
func checkLocalStorage(storage string, types []*catalog.InstanceType) []error {
	switch storage {
	case "", "none":
		return nil
	case "raid0", "raw":
	default:
		return []error{fmt.Errorf("%q is unknown: it may be none, raid0 or raw", storage)}
	}
	var problems []error
	for _, t := range types {
		if t.Disks == nil {
			problems = append(problems, fmt.Errorf("%q is asked for and %s has no local disks", storage, t.Name))
		}
	}
	return problems
}
