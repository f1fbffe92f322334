package cluster

import (
	"github.com/gpuyard/gpuyard/components/internal/iampolicy"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/eks"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/iam"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// systemNamespace is where add-ons run.
const systemNamespace = "kube-system"

// oidcProvider registers the cluster's issuer of service account tokens with IAM. IAM knows the certificate
// authorities of EKS issuers, so that no thumbprint is given.
// Source: IAM User Guide, "Create an OpenID Connect (OIDC) identity provider in IAM".
func (b *builder) oidcProvider(control *eks.Cluster) (*iam.OpenIdConnectProvider, pulumi.StringOutput, error) {
	issuer := control.Identities.Index(pulumi.Int(0)).Oidcs().Index(pulumi.Int(0)).Issuer().Elem()
	provider, err := iam.NewOpenIdConnectProvider(b.ctx, b.name+"-oidc", &iam.OpenIdConnectProviderArgs{
		Url:           issuer,
		ClientIdLists: pulumi.ToStringArray([]string{stsAudience}),
		Tags:          tags.Merge(b.tags, b.name+"-oidc"),
	}, b.opts...)
	return provider, issuer, err
}

// admins registers an access entry for each administrator. Nodes need none: EKS makes the entry of a managed
// node group's role. Source: EKS User Guide, "Grant IAM users access to Kubernetes with EKS access entries".
func (b *builder) admins(cluster pulumi.StringInput, arns []string) error {
	for _, principal := range arns {
		name := b.name + "-admin-" + principalName(principal)
		entry, err := eks.NewAccessEntry(b.ctx, name, &eks.AccessEntryArgs{
			ClusterName:  cluster,
			PrincipalArn: pulumi.String(principal),
			Tags:         tags.Merge(b.tags, name),
		}, b.opts...)
		if err != nil {
			return err
		}
		_, err = eks.NewAccessPolicyAssociation(b.ctx, name, &eks.AccessPolicyAssociationArgs{
			ClusterName:  cluster,
			PrincipalArn: entry.PrincipalArn,
			PolicyArn:    pulumi.String(b.partition.accessPolicyARN("AmazonEKSClusterAdminPolicy")),
			AccessScope:  &eks.AccessPolicyAssociationAccessScopeArgs{Type: pulumi.String("cluster")},
		}, b.with(pulumi.DependsOn([]pulumi.Resource{entry}))...)
		if err != nil {
			return err
		}
	}
	return nil
}

// nodeRole registers the role of nodes. It can join the cluster, pull images and be reached by Session Manager,
// and has no say over network interfaces: that is the CNI's, in a role of its own, since every pod that reaches
// the instance metadata has the node's rights. The worker policy also lets the Pod Identity agent do its work.
//
// The ARN it returns is known when the policies are attached and what the nodes need is ready.
// Source: EKS User Guide, "Amazon EKS node IAM role".
func (b *builder) nodeRole(ready []pulumi.Resource) (pulumi.StringOutput, error) {
	role, attached, err := b.role(b.name+"-node", "Nodes of the EKS cluster "+b.name,
		pulumi.String(iampolicy.ServiceTrust(b.partition.ec2Service())),
		"AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly", "AmazonSSMManagedInstanceCore")
	if err != nil {
		return pulumi.StringOutput{}, err
	}
	inputs := []any{role.Arn}
	for _, resource := range append(attached, ready...) {
		inputs = append(inputs, resource.URN())
	}
	arn := pulumi.All(inputs...).ApplyT(func(values []any) string { return values[0].(string) })
	return arn.(pulumi.StringOutput), nil
}
