package aws

import (
	"encoding/json"
	"slices"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/eks"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const addonToken = "aws:eks/addon:Addon"

// inCluster is the reference that everything inside a cluster has.
var inCluster = engine.Ref{Path: "clusterName", To: clusterToken, By: byID, Code: "ResourceNotFoundException"}

func addon() *engine.Resource {
	const source = "EKS API, CreateAddon"
	return &engine.Resource{
		Token: addonToken, Args: eks.AddonArgs{}, State: eks.Addon{},
		Replace: []string{"addonName", "clusterName"},
		Refs: []engine.Ref{
			inCluster,
			{Path: "serviceAccountRoleArn", To: roleToken, By: []string{"arn"}, Code: "InvalidParameterException"},
			{Path: "podIdentityAssociations[*].roleArn", To: roleToken, By: []string{"arn"}, Code: "InvalidParameterException"},
		},
		Plan: []engine.Rule{
			oneOf("resolveConflictsOnCreate", source, "NONE", "OVERWRITE"),
			oneOf("resolveConflictsOnUpdate", source, "NONE", "OVERWRITE", "PRESERVE"),
			oneOf("resolveConflicts", source, "NONE", "OVERWRITE", "PRESERVE"),
			configurationJSON,
		},
		Apply: []engine.Rule{addonKnown, addonVersion, addonRoles, addonHealthy},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name, cl := c.In.Str("addonName"), c.In.Str("clusterName")
			id := cl + ":" + name
			if _, taken := c.Get(addonToken, id); taken {
				return "", nil, engine.Refuse("ResourceInUseException", "Addon already exists: %s in cluster %s", name, cl)
			}
			c.ComeWith(clusterToken, cl)
			h, err := c.NewHex("addon")
			out := engine.Outputs{"arn": arn(c, "eks", "addon/"+cl+"/"+name+"/"+h[:32]), "createdAt": c.Now(), "modifiedAt": c.Now()}
			setDefault(c, out, "addonVersion", addonVersions(c)[0])
			return id, out, err
		},
		Update: func(c *engine.Call) (engine.Outputs, error) {
			return engine.Outputs{"modifiedAt": c.Now()}, nil
		},
		Moves: []string{"modifiedAt"},
	}
}

// addonVersions returns the versions that the add-on of a call has for its cluster.
func addonVersions(c *engine.Call) []string {
	kind, _ := knownAddon(c.In.Str("addonName"))
	cl, _ := c.Resolve("clusterName")
	return kind.versionsFor(cl.Out.Str("version"))
}

var configurationJSON = engine.Rule{
	Name: "configuration-json", Says: "`configurationValues` is a JSON object", Source: "EKS API, CreateAddon",
	Judge: func(c *engine.Call) error {
		text := c.In.Str("configurationValues")
		if text == "" {
			return nil
		}
		var values map[string]any
		if err := json.Unmarshal([]byte(text), &values); err != nil {
			return &engine.Error{Path: "configurationValues", Code: "InvalidParameterException", Message: "ConfigurationValue is not in valid JSON format: " + err.Error()}
		}
		return nil
	},
}

var addonKnown = engine.Rule{
	Name: "addon-known", Says: "EKS has that add-on", Source: "EKS User Guide, \"AWS add-ons\"",
	Judge: func(c *engine.Call) error {
		name := c.In.Str("addonName")
		if _, ok := knownAddon(name); !ok {
			return engine.Refuse("InvalidParameterException", "Addon %s specified is not supported; did you mean %s?", name, nearOrAll(name, addonNames()))
		}
		return nil
	},
}

var addonVersion = engine.Rule{
	Name: "addon-version", Says: "the add-on has that version for the cluster's Kubernetes version", Source: "EKS API, DescribeAddonVersions",
	Judge: func(c *engine.Call) error {
		known := addonVersions(c)
		if v := c.In.Str("addonVersion"); v != "" && len(known) > 0 && !slices.Contains(known, v) {
			return engine.Refuse("InvalidParameterException", "Addon version specified is not supported: %s; for this cluster %s has %s. Look the version up by getAddonVersion", v, c.In.Str("addonName"), list(known))
		}
		return nil
	},
}

var addonRoles = engine.Rule{
	Name: "addon-roles", Says: "a pod identity role trusts pods.eks.amazonaws.com", Source: "EKS User Guide, \"Create IAM role with trust policy required by EKS Pod Identity\"",
	Judge: func(c *engine.Call) error {
		for _, arn := range c.In.Strs("podIdentityAssociations[*].roleArn") {
			if r, ok := c.Find(roleToken, "arn", arn); ok {
				if err := trustsPods(r); err != nil {
					return err
				}
			}
		}
		return nil
	},
}

// trustsPods refuses a role that pods cannot assume.
func trustsPods(r engine.Item) error {
	if trusts(r, "pods.eks.amazonaws.com", "sts:AssumeRole", "sts:TagSession") {
		return nil
	}
	return engine.Refuse("InvalidParameterException", "Trust policy of role %s does not let pods.eks.amazonaws.com sts:AssumeRole and sts:TagSession; allow both", r.ID)
}

var addonHealthy = engine.Rule{
	Name: "addon-healthy", Says: "an add-on with a Deployment, such as coredns, needs nodes that take ordinary pods, or it stays DEGRADED until the time is out", Source: "EKS User Guide, \"Troubleshoot add-ons\" (InsufficientNumberOfReplicas)",
	Judge: func(c *engine.Call) error {
		kind, ok := knownAddon(c.In.Str("addonName"))
		if !ok || !kind.deployment || c.ID != "" {
			return nil
		}
		for _, g := range c.All(nodeGroupToken) {
			if desired, _ := g.In.Int("scalingConfig.desiredSize"); g.In.Str("clusterName") == c.In.Str("clusterName") && desired > 0 && takesOrdinaryPods(g.In) {
				return nil
			}
		}
		return engine.Refuse("InsufficientNumberOfReplicas", "unexpected state 'DEGRADED', wanted target 'ACTIVE': The add-on is unhealthy because it doesn't have the desired number of replicas. "+
			"The cluster %s has no node without NoSchedule or NoExecute taints; let the add-on depend on a node group of such nodes", c.In.Str("clusterName"))
	},
}

// takesOrdinaryPods says whether a group's nodes have no taint that keeps pods without tolerations away.
func takesOrdinaryPods(group engine.Props) bool {
	return !slices.ContainsFunc(group.Strs("taints[*].effect"), func(effect string) bool { return effect != "PREFER_NO_SCHEDULE" })
}
