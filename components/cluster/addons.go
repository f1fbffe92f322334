package cluster

import (
	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/components/internal/iampolicy"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/eks"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/iam"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeAddons is the type token of Addons.
const TypeAddons = "gpuyard:cluster:Addons"

// AddonsArgs describes the add-ons that need nodes.
type AddonsArgs struct {
	// ClusterName is the cluster to install them in.
	ClusterName pulumi.StringInput `pulumi:"clusterName"`
	// Version is the cluster's Kubernetes version, such as 1.35.
	Version string `pulumi:"version"`
	// NodeMonitoring installs EKS's agent that looks for broken hardware on nodes, accelerators among it. Node repair sees
	// without it only whether a kubelet answers.
	NodeMonitoring bool `pulumi:"nodeMonitoring,optional"`
	// Tags are put on everything that takes tags.
	Tags map[string]string `pulumi:"tags,optional"`
}

// Addons are the add-ons that run as ordinary pods: CoreDNS and the EBS CSI driver, and with them the agent that looks
// after nodes. Without a node that their
// pods fit on, EKS reports them as degraded and their creation runs into its time limit: pass NewAddons
// pulumi.DependsOn of the node pools, of which one must be free of taints.
type Addons struct {
	pulumi.ResourceState

	ready []pulumi.Resource
}

// Ready are the add-ons: what needs names or volumes waits for it by pulumi.DependsOn.
func (a *Addons) Ready() []pulumi.Resource { return a.ready }

// NewAddons registers Addons.
func NewAddons(ctx *pulumi.Context, name string, args *AddonsArgs, opts ...pulumi.ResourceOption) (*Addons, error) {
	if err := checkAddons(name, args); err != nil {
		return nil, err
	}
	c := &Addons{}
	inputs := pulumi.Map{
		"clusterName": args.ClusterName, "version": pulumi.String(args.Version), "tags": pulumi.ToStringMap(args.Tags),
	}
	if args.NodeMonitoring {
		inputs["nodeMonitoring"] = pulumi.Bool(true)
	}
	if err := ctx.RegisterComponentResourceV2(TypeAddons, name, inputs, c, opts...); err != nil {
		return nil, err
	}
	b, err := newBuilder(ctx, name, args.Version, args.Tags, c)
	if err != nil {
		return nil, err
	}
	dns, err := b.addon(args.ClusterName, "coredns", nil)
	if err != nil {
		return nil, err
	}
	ebs, err := b.ebsDriver(args.ClusterName)
	if err != nil {
		return nil, err
	}
	// It brings pods to nodes, and no node waits for it: so it comes here, and not with what makes a node Ready. It needs
	// no role. Source: EKS User Guide, "Enable node auto repair and investigate node health issues".
	if args.NodeMonitoring {
		if _, err := b.addon(args.ClusterName, "eks-node-monitoring-agent", nil); err != nil {
			return nil, err
		}
	}
	c.ready = []pulumi.Resource{dns, ebs}
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{})
}

// ebsDriver registers the EBS CSI driver. Its role comes by Pod Identity, which needs no identity provider and
// is what EKS recommends for add-ons; the agent runs on every node that this pod can start on. A network without
// a way out needs the endpoint eks-auth for it. Source: EKS User Guide, "IAM roles for Amazon EKS add-ons".
func (b *builder) ebsDriver(cluster pulumi.StringInput) (*eks.Addon, error) {
	role, attached, err := b.role(b.name+"-ebs-csi", "EBS CSI driver",
		pulumi.String(iampolicy.PodTrust()),
		"service-role/AmazonEBSCSIDriverPolicy")
	if err != nil {
		return nil, err
	}
	return b.addon(cluster, "aws-ebs-csi-driver", func(args *eks.AddonArgs) {
		args.PodIdentityAssociations = eks.AddonPodIdentityAssociationArray{&eks.AddonPodIdentityAssociationArgs{
			RoleArn:        role.Arn,
			ServiceAccount: pulumi.String("ebs-csi-controller-sa"),
		}}
	}, pulumi.DependsOn(attached))
}

// nodeAddons registers the add-ons that make an instance a Ready node, all of them DaemonSets that EKS counts as
// active while there is no node. It returns what a node should wait for.
//
// The VPC CNI gets its role through the OIDC provider (IRSA) and not through Pod Identity, although EKS supports
// both. Pod Identity answers from an agent on the same node, so that a node's network would wait for another
// DaemonSet to come up first: aws-node crashes until it does, as was reported to amazon-vpc-cni-k8s and to
// terraform-aws-eks. A token of IRSA is put into the pod by the control plane and depends on nothing on the node,
// and of a network without a way out it asks for the STS endpoint alone. The trap of IRSA, pods older than their
// service account's role, is closed by installing the add-on before any node.
//
// The CNI is given no configuration. Since 1.18.5 it knows EFA-only interfaces, which carry no IP address, and
// leaves them alone; prefix delegation or custom networking would change how many pods fit on a node behind the
// back of whoever computes it. Source: EKS User Guide, "Run machine learning training on Amazon EKS with EFA".
func (b *builder) nodeAddons(cluster pulumi.StringInput, provider *iam.OpenIdConnectProvider, issuer pulumi.StringInput) ([]pulumi.Resource, error) {
	trust := pulumi.All(provider.Arn, issuer).ApplyT(func(v []any) string {
		return webIdentityTrust(v[0].(string), v[1].(string), systemNamespace, "aws-node")
	}).(pulumi.StringOutput)
	role, attached, err := b.role(b.name+"-vpc-cni", "VPC CNI of the EKS cluster "+b.name, trust, "AmazonEKS_CNI_Policy")
	if err != nil {
		return nil, err
	}
	cni, err := b.addon(cluster, "vpc-cni", func(args *eks.AddonArgs) {
		args.ServiceAccountRoleArn = role.Arn
	}, pulumi.DependsOn(attached))
	if err != nil {
		return nil, err
	}
	proxy, err := b.addon(cluster, "kube-proxy", nil)
	if err != nil {
		return nil, err
	}
	agent, err := b.addon(cluster, "eks-pod-identity-agent", nil)
	if err != nil {
		return nil, err
	}
	return []pulumi.Resource{cni, proxy, agent}, nil
}

func checkAddons(name string, args *AddonsArgs) error {
	check := argument.For(TypeAddons, name)
	if args == nil {
		check.Failf("args", "add-ons need arguments: clusterName and version")
		return check.Err()
	}
	if args.ClusterName == nil {
		check.Failf("clusterName", "it is not given")
	}
	checkVersion(check, args.Version)
	return check.Err()
}
