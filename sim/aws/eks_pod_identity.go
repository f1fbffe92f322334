package aws

import (
	"slices"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/eks"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const podIdentityAssociationToken = "aws:eks/podIdentityAssociation:PodIdentityAssociation"

func podIdentityAssociation() *engine.Resource {
	return &engine.Resource{
		Token: podIdentityAssociationToken, Args: eks.PodIdentityAssociationArgs{}, State: eks.PodIdentityAssociation{},
		Replace: []string{"clusterName", "namespace", "serviceAccount"},
		Refs: []engine.Ref{
			inCluster,
			{Path: "roleArn", To: roleToken, By: []string{"arn"}, Code: "InvalidParameterException"},
		},
		Apply: []engine.Rule{podRole, oneAssociation},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			c.ComeWith(clusterToken, c.In.Str("clusterName"))
			h, err := c.NewHex("pod identity")
			id := "a-" + h[:17]
			return id, engine.Outputs{"associationId": id, "associationArn": arn(c, "eks", "podidentityassociation/"+c.In.Str("clusterName")+"/"+id)}, err
		},
	}
}

var podRole = engine.Rule{
	Name: "pod-role", Says: "the role lets pods.eks.amazonaws.com assume it and tag the session", Source: "EKS User Guide, \"Create IAM role with trust policy required by EKS Pod Identity\"",
	Judge: func(c *engine.Call) error {
		r, _ := c.Resolve("roleArn")
		return trustsPods(r)
	},
}

var oneAssociation = engine.Rule{
	Name: "one-association", Says: "a service account has one association, add-ons' own included", Source: "EKS API, CreatePodIdentityAssociation",
	Judge: func(c *engine.Call) error {
		cl, namespace, account := c.In.Str("clusterName"), c.In.Str("namespace"), c.In.Str("serviceAccount")
		taken := func(by string) error {
			return engine.Refuse("ResourceInUseException", "Association already exists: %s/%s in %s has %s", namespace, account, cl, by)
		}
		for _, other := range c.Others(podIdentityAssociationToken) {
			if other.In.Str("clusterName") == cl && other.In.Str("namespace") == namespace && other.In.Str("serviceAccount") == account {
				return taken(other.ID)
			}
		}
		for _, a := range c.All(addonToken) {
			if a.In.Str("clusterName") == cl && namespace == "kube-system" && slices.Contains(a.In.Strs("podIdentityAssociations[*].serviceAccount"), account) {
				return taken("one of the add-on " + a.In.Str("addonName"))
			}
		}
		return nil
	},
}
