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

func checkName(c *argument.Checker, name string) {
	if !regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z_-]*$`).MatchString(name) {
		c.Failf("name", "%q may hold letters, digits, dashes and underscores, and starts with a letter or digit", name)
	}
	if len(name) > maxNameLength {
		c.Failf("name", "it has %d characters, and a node group's name has room for %d before its unique suffix", len(name), maxNameLength)
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
	if !regexp.MustCompile(`^1\.[0-9]+$`).MatchString(a.KubernetesVersion) {
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
	for _, key := range []string{LabelFabric, labelGPUPresent} {
		if _, given := labels[key]; given {
			c.Failf("labels", "%s follows from the pool and cannot be given: device plugins find their nodes by it", key)
		}
	}
}

// checkCapacity reports a kind of capacity that cannot be had.
func checkCapacity(c *argument.Checker, capacity string, types []*catalog.InstanceType) {
	var class catalog.UsageClass
	switch capacity {
	case "on_demand":
		class = catalog.UsageOnDemand
	case "spot":
		class = catalog.UsageSpot
	case "reservation", "capacity_block":
		c.Failf("capacity", "%q is not built yet: on_demand and spot are", capacity)
		return
	default:
		c.Failf("capacity", "%q is unknown: it may be on_demand or spot", capacity)
		return
	}
	for _, t := range types {
		if !t.Supports(class) {
			c.Failf("capacity", "%s cannot be had as %s capacity", t.Name, capacity)
		}
	}
}

// checkPlacement reports types that a cluster placement group does not take.
func checkPlacement(c *argument.Checker, group pulumi.StringInput, types []*catalog.InstanceType) {
	if group == nil {
		return
	}
	for _, t := range types {
		if !t.SupportsPlacement("cluster") {
			c.Failf("placementGroupName", "%s cannot be in a cluster placement group", t.Name)
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
	if subnets, ok := a.SubnetIDs.(pulumi.StringArray); ok && len(subnets) != 1 {
		c.Failf("subnetIds", "%d are given: EFA traffic does not leave an availability zone, so a pool with EFA has exactly one subnet",
			len(subnets))
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
