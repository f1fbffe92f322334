package aws

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

var sizes = engine.Rule{
	Name: "sizes", Says: "0 ≤ min ≤ desired ≤ max, and max is at least 1", Source: "EKS API, NodegroupScalingConfig",
	Judge: func(c *engine.Call) error {
		low, hasLow := c.In.Int("scalingConfig.minSize")
		want, hasWant := c.In.Int("scalingConfig.desiredSize")
		high, hasHigh := c.In.Int("scalingConfig.maxSize")
		if !hasLow || !hasWant || !hasHigh || 0 <= low && low <= want && want <= high && high >= 1 {
			return nil
		}
		return &engine.Error{Path: "scalingConfig", Code: "InvalidParameterException",
			Message: "got min " + itoa(low) + ", desired " + itoa(want) + ", max " + itoa(high) + "; wanted 0 ≤ min ≤ desired ≤ max, and max of at least 1"}
	},
}

var updateOneWay = engine.Rule{
	Name: "update-one-way", Says: "`updateConfig` has one of `maxUnavailable` and `maxUnavailablePercentage`", Source: "EKS API, NodegroupUpdateConfig",
	Judge: func(c *engine.Call) error {
		if !c.In.Has("updateConfig") || count(c.In, []string{"updateConfig.maxUnavailable", "updateConfig.maxUnavailablePercentage"}) == 1 {
			return nil
		}
		return engine.Invalid("updateConfig", "give exactly one of maxUnavailable and maxUnavailablePercentage")
	},
}

var (
	labelName  = regexp.MustCompile(`^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$`)
	labelValue = regexp.MustCompile(`^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$`)
)

// reserved are the label namespaces that EKS keeps for Kubernetes and itself.
// Source: EKS API, CreateNodegroup ("Label cannot contain reserved prefixes").
var reserved = []string{"kubernetes.io/", "k8s.io/", "eks.amazonaws.com/"}

var legalLabels = engine.Rule{
	Name: "legal-labels", Says: "labels are legal in Kubernetes and none is in kubernetes.io/, k8s.io/ or eks.amazonaws.com/", Source: "EKS API, CreateNodegroup; Kubernetes, \"Labels and Selectors\"",
	Judge: func(c *engine.Call) error {
		var errs []error
		for k, v := range c.In.Map("labels") {
			switch {
			case slices.ContainsFunc(reserved, func(r string) bool { return strings.Contains(k, r) }):
				errs = append(errs, &engine.Error{Path: "labels", Code: "InvalidParameterException", Message: "Label cannot contain reserved prefixes [" + list(reserved) + "]: " + k})
			case !labelName.MatchString(k) || !labelValue.MatchString(v):
				errs = append(errs, engine.Invalid("labels", "%q = %q is not a legal Kubernetes label", k, v))
			}
		}
		slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
		return errors.Join(errs...)
	},
}

var legalTaints = engine.Rule{
	Name: "legal-taints", Says: "at most 50 taints, legal in Kubernetes, no key twice with one effect", Source: "EKS API, CreateNodegroup",
	Judge: func(c *engine.Call) error {
		var errs []error
		seen := map[string]bool{}
		taints := c.In.Blocks("taints[*]")
		if len(taints) > 50 {
			errs = append(errs, engine.Invalid("taints", "got %d, at most 50 are allowed", len(taints)))
		}
		for i, t := range taints {
			at, key := "taints["+itoa(i)+"]", t.Str("key")
			if key != "" && !labelName.MatchString(key) || !labelValue.MatchString(t.Str("value")) {
				errs = append(errs, engine.Invalid(at, "%q = %q is not a legal Kubernetes taint", key, t.Str("value")))
			}
			if id := key + " " + t.Str("effect"); key != "" && seen[id] {
				errs = append(errs, engine.Invalid(at, "the key %q has the effect %s already", key, t.Str("effect")))
			} else {
				seen[id] = true
			}
		}
		return errors.Join(errs...)
	},
}

var typesAtMost20 = engine.Rule{
	Name: "types-at-most-20", Says: "at most 20 instance types", Source: "EKS User Guide, \"Customize managed nodes with launch templates\"",
	Judge: func(c *engine.Call) error {
		if n := len(c.In.Leaves("instanceTypes[*]")); n > 20 {
			return engine.Invalid("instanceTypes", "got %d, at most 20 are allowed", n)
		}
		return nil
	},
}

var templateAlone = engine.Rule{
	Name: "template-alone", Says: "a launch template is named by id or by name, and takes the place of `diskSize` and `remoteAccess`",
	Source: "EKS User Guide, \"Customize managed nodes with launch templates\"",
	Judge: func(c *engine.Call) error {
		if !c.In.Has("launchTemplate") {
			return nil
		}
		var errs []error
		if count(c.In, []string{"launchTemplate.id", "launchTemplate.name"}) != 1 {
			errs = append(errs, engine.Invalid("launchTemplate", "give exactly one of id and name"))
		}
		for _, path := range []string{"diskSize", "remoteAccess"} {
			if c.In.Has(path) {
				errs = append(errs, &engine.Error{Path: path, Code: "InvalidParameterException", Message: "cannot be given together with a launch template; set it in the template"})
			}
		}
		return errors.Join(errs...)
	},
}

var subnetsInClusterVPC = engine.Rule{
	Name: "subnets-in-cluster-vpc", Says: "the subnets belong to the cluster's VPC", Source: "EKS API, CreateNodegroup",
	Judge: func(c *engine.Call) error {
		cl, _ := c.Resolve("clusterName")
		for _, id := range c.In.Strs("subnetIds[*]") {
			if s, _ := c.Get(subnetToken, id); s.In.Str("vpcId") != cl.Out.Str("vpcConfig.vpcId") {
				return engine.Refuse("InvalidParameterException", "Subnets are not tagged with the required tag or belong to another VPC: %s is not in %s, the VPC of the cluster %s", id, cl.Out.Str("vpcConfig.vpcId"), cl.ID)
			}
		}
		return nil
	},
}

var releaseFitsCluster = engine.Rule{
	Name: "release-fits-cluster", Says: "version and image release are of the cluster's Kubernetes version, or up to three older", Source: "EKS User Guide, \"Update a managed node group\"; Kubernetes, \"Version Skew Policy\"",
	Judge: func(c *engine.Call) error {
		cl, _ := c.Resolve("clusterName")
		clusterVersion := cl.Out.Str("version")
		for _, path := range []string{"version", "releaseVersion"} {
			text := c.In.Str(path)
			if text == "" || path == "releaseVersion" && strings.HasPrefix(imageType(c), "BOTTLEROCKET") {
				continue
			}
			version := strings.Join(strings.SplitN(text, ".", 3)[:2], ".")
			skew := minor(clusterVersion) - minor(version)
			if skew < 0 || skew > 3 {
				return engine.Refuse("InvalidParameterException", "Requested %s %s is not compatible with the cluster's version %s; give one of %s, such as %s", path, text, clusterVersion, clusterVersion, newestRelease(clusterVersion))
			}
			if v, ok := knownVersion(version); !ok || path == "releaseVersion" && text[strings.LastIndex(text, "-")+1:] > v.date {
				return engine.Refuse("InvalidParameterException", "Requested %s %s does not exist; the newest of %s is %s", path, text, version, newestRelease(clusterVersion))
			}
		}
		if v, r := c.In.Str("version"), c.In.Str("releaseVersion"); v != "" && r != "" && !strings.HasPrefix(r, v+".") {
			return engine.Refuse("InvalidParameterException", "Requested release version %s is not valid for kubernetes version %s", r, v)
		}
		return nil
	},
}

func newestRelease(version string) string {
	v, _ := knownVersion(version)
	return v.release()
}
