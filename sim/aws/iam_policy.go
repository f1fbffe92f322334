package aws

import (
	"strings"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/iam"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const policyToken = "aws:iam/policy:Policy"

// managed are the policies that AWS manages and that clusters have use for.
// Source: AWS Managed Policy Reference Guide.
var managed = []string{
	"AmazonEC2ContainerRegistryPullOnly", "AmazonEC2ContainerRegistryReadOnly", "AmazonEC2ReadOnlyAccess",
	"AmazonEKSBlockStoragePolicy", "AmazonEKSClusterPolicy", "AmazonEKSComputePolicy", "AmazonEKSLoadBalancingPolicy",
	"AmazonEKSNetworkingPolicy", "AmazonEKSVPCResourceController", "AmazonEKSWorkerNodeMinimalPolicy", "AmazonEKSWorkerNodePolicy",
	"AmazonEKS_CNI_Policy", "AmazonFSxFullAccess", "AmazonPrometheusRemoteWriteAccess", "AmazonS3FullAccess", "AmazonS3ReadOnlyAccess",
	"AmazonSSMManagedInstanceCore", "AmazonSSMPatchAssociation", "CloudWatchAgentServerPolicy", "CloudWatchLogsFullAccess", "AWSXRayDaemonWriteAccess",
	"service-role/AWSLambdaBasicExecutionRole", "service-role/AWSLambdaVPCAccessExecutionRole",
	"service-role/AmazonEBSCSIDriverPolicy", "service-role/AmazonEFSCSIDriverPolicy", "service-role/AmazonSSMMaintenanceWindowRole",
}

// attachable says whether a policy exists.
func attachable(c *engine.Call, arn string) error {
	if _, ok := c.Find(policyToken, "arn", arn); ok {
		return nil
	}
	prefix := "arn:" + partition(c.Region).name + ":iam::aws:policy/"
	name, isManaged := strings.CutPrefix(arn, prefix)
	for _, m := range managed {
		if isManaged && name == m {
			return nil
		}
	}
	message := "Policy " + arn + " does not exist or is not attachable"
	if isManaged {
		message += "; of AWS's own the embedded cloud knows " + nearOrAll(name, managed)
	}
	return engine.Refuse("NoSuchEntity", "%s", message)
}

func policy() *engine.Resource {
	return &engine.Resource{
		Token: policyToken, Args: iam.PolicyArgs{}, State: iam.Policy{}, Global: true,
		Replace:  []string{"name", "namePrefix", "path", "description"},
		AutoName: &engine.AutoName{Property: "name", Prefix: "namePrefix", Max: 128},
		Plan: []engine.Rule{
			given("policy"),
			policyDocument("policy", identityPolicy),
			sized("policy", 6144),
			shape("name", "holds letters, digits and _+=,.@- only", "IAM API, CreatePolicy", iamName),
		},
		Keep: []engine.Rule{policyDetached},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name, err := nameOf(c, "name", "namePrefix")
			if err != nil {
				return "", nil, err
			}
			sum, err := c.NewHex("policy")
			id := globalARN(c, "iam", "policy"+pathOf(c)+name)
			out := engine.Outputs{"name": name, "arn": id, "policyId": "ANPA" + strings.ToUpper(sum[:17])}
			setDefault(c, out, "path", "/")
			return id, out, err
		},
	}
}

var policyDetached = engine.Rule{
	Name: "policy-detached", Says: "a policy goes when it is attached to no role any more", Source: "IAM API, DeletePolicy (DeleteConflict)",
	Judge: func(c *engine.Call) error {
		for _, a := range c.All(rolePolicyAttachmentToken) {
			if a.In.Str("policyArn") == c.ID {
				return engine.Refuse("DeleteConflict", "Cannot delete a policy attached to entities: role %s has %s", a.In.Str("role"), c.ID)
			}
		}
		return nil
	},
}
