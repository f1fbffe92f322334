package cluster

import (
	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/components/internal/iampolicy"
	"github.com/gpuyard/gpuyard/components/internal/lightaws"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/eks"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/kms"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeCluster is the type token of Cluster.
const TypeCluster = "gpuyard:cluster:Cluster"

// ArgumentError says that a component of this package cannot work with an argument. Nothing has been
// registered then. Several are joined into one error.
type ArgumentError = argument.Error

// logRetentionDays is how long the control plane's logs are kept: long enough to look into what an audit of the
// last quarter finds, where EKS itself would keep them for ever.
const logRetentionDays = 90

// keyDeletionDays is how long a deleted key can be called back, the longest that KMS allows: without the key
// nobody reads the cluster's secrets again. Source: AWS KMS Developer Guide, "Deleting AWS KMS keys".
const keyDeletionDays = 30

// ClusterArgs describes a control plane. Its name is the component's.
type ClusterArgs struct {
	// Version is the Kubernetes version, such as 1.35.
	Version string `pulumi:"version"`
	// SubnetIDs are the private subnets for the control plane's interfaces, in two zones at least.
	SubnetIDs pulumi.StringArrayInput `pulumi:"subnetIds"`
	// PublicEndpoint makes the API server reachable from the addresses in AllowedCIDRs, besides from the VPC.
	PublicEndpoint bool `pulumi:"publicEndpoint,optional"`
	// AllowedCIDRs are the IPv4 blocks that may reach the public endpoint. They say nothing while there is none.
	AllowedCIDRs []string `pulumi:"allowedCidrs,optional"`
	// Region is the AWS Region, which the kubeconfig names.
	Region string `pulumi:"region"`
	// AdminRoleARNs are IAM roles or users that administrate the cluster. The identity that creates it is one
	// already and must not be listed: EKS refuses a second access entry for it.
	AdminRoleARNs []string `pulumi:"adminRoleArns,optional"`
	// RemoteNodeCIDRs are the private blocks of the hybrid nodes: servers outside AWS that join the cluster.
	RemoteNodeCIDRs []string `pulumi:"remoteNodeCidrs,optional"`
	// RemotePodCIDRs are the private blocks of the pods on them, where the control plane must reach those, as it must for
	// webhooks.
	RemotePodCIDRs []string `pulumi:"remotePodCidrs,optional"`
	// Tags are put on everything that takes tags.
	Tags map[string]string `pulumi:"tags,optional"`
}

// Cluster is an EKS control plane that nodes can join.
type Cluster struct {
	pulumi.ResourceState

	// Name is the cluster's name.
	Name pulumi.StringOutput `pulumi:"name"`
	// Endpoint and CertificateAuthority (base64) are what a node or a client needs to reach the API server.
	Endpoint             pulumi.StringOutput `pulumi:"endpoint"`
	CertificateAuthority pulumi.StringOutput `pulumi:"certificateAuthority"`
	// SecurityGroupID is the group that EKS makes for the control plane and the nodes.
	SecurityGroupID pulumi.StringOutput `pulumi:"securityGroupId"`
	// NodeRoleARN is the role of nodes. It is known when a node that takes it can become Ready.
	NodeRoleARN pulumi.StringOutput `pulumi:"nodeRoleArn"`
	// OIDCProviderARN is the identity provider for roles of service accounts.
	OIDCProviderARN pulumi.StringOutput `pulumi:"oidcProviderArn"`
	// ServiceCIDR is the block of Service addresses, which EKS chooses.
	ServiceCIDR pulumi.StringOutput `pulumi:"serviceCidr"`
	// Version is the Kubernetes version that runs.
	Version pulumi.StringOutput `pulumi:"version"`
	// Kubeconfig reaches the cluster as whoever uses it: it holds no credential and asks the AWS CLI for one.
	Kubeconfig pulumi.StringOutput `pulumi:"kubeconfig"`
}

// New registers a Cluster.
func New(ctx *pulumi.Context, name string, args *ClusterArgs, opts ...pulumi.ResourceOption) (*Cluster, error) {
	if err := checkCluster(name, args); err != nil {
		return nil, err
	}
	c := &Cluster{}
	if err := ctx.RegisterComponentResourceV2(TypeCluster, name, args.inputs(), c, opts...); err != nil {
		return nil, err
	}
	b, err := newBuilder(ctx, name, args.Version, args.Tags, c)
	if err != nil {
		return nil, err
	}
	control, err := b.controlPlane(args)
	if err != nil {
		return nil, err
	}
	provider, issuer, err := b.oidcProvider(control)
	if err != nil {
		return nil, err
	}
	if err := b.admins(control.Name, args.AdminRoleARNs); err != nil {
		return nil, err
	}
	ready, err := b.nodeAddons(control.Name, provider, issuer)
	if err != nil {
		return nil, err
	}
	if c.NodeRoleARN, err = b.nodeRole(ready); err != nil {
		return nil, err
	}
	c.OIDCProviderARN = provider.Arn
	return c, c.fill(ctx, control, args.Region)
}

func (a *ClusterArgs) inputs() pulumi.Map {
	inputs := pulumi.Map{
		"version": pulumi.String(a.Version), "subnetIds": a.SubnetIDs, "region": pulumi.String(a.Region),
		"publicEndpoint": pulumi.Bool(a.PublicEndpoint), "allowedCidrs": pulumi.ToStringArray(a.AllowedCIDRs),
		"adminRoleArns": pulumi.ToStringArray(a.AdminRoleARNs), "tags": pulumi.ToStringMap(a.Tags),
	}
	if len(a.RemoteNodeCIDRs) > 0 {
		inputs["remoteNodeCidrs"] = pulumi.ToStringArray(a.RemoteNodeCIDRs)
	}
	if len(a.RemotePodCIDRs) > 0 {
		inputs["remotePodCidrs"] = pulumi.ToStringArray(a.RemotePodCIDRs)
	}
	return inputs
}

// fill sets the outputs that come from the control plane and registers all of them.
func (c *Cluster) fill(ctx *pulumi.Context, control *eks.Cluster, region string) error {
	c.Name, c.Endpoint, c.Version = control.Name, control.Endpoint, control.Version
	c.CertificateAuthority = control.CertificateAuthority.Data().Elem()
	c.SecurityGroupID = control.VpcConfig.ClusterSecurityGroupId().Elem()
	c.ServiceCIDR = control.KubernetesNetworkConfig.ServiceIpv4Cidr().Elem()
	text := pulumi.All(c.Name, c.Endpoint, c.CertificateAuthority).ApplyT(func(v []any) (string, error) {
		return kubeconfig(v[0].(string), v[1].(string), v[2].(string), region)
	})
	c.Kubeconfig = pulumi.ToSecret(text).(pulumi.StringOutput)
	return ctx.RegisterResourceOutputs(c, pulumi.Map{
		"name": c.Name, "endpoint": c.Endpoint, "certificateAuthority": c.CertificateAuthority,
		"securityGroupId": c.SecurityGroupID, "nodeRoleArn": c.NodeRoleARN, "oidcProviderArn": c.OIDCProviderARN,
		"serviceCidr": c.ServiceCIDR, "version": c.Version, "kubeconfig": c.Kubeconfig,
	})
}

// controlPlane registers the EKS cluster and what it needs from its first minute.
func (b *builder) controlPlane(args *ClusterArgs) (*eks.Cluster, error) {
	role, attached, err := b.role(b.name+"-control-plane", "EKS control plane of "+b.name,
		pulumi.String(iampolicy.ServiceTrust("eks.amazonaws.com")), "AmazonEKSClusterPolicy")
	if err != nil {
		return nil, err
	}
	key, err := b.secretsKey()
	if err != nil {
		return nil, err
	}
	logs, err := b.logGroup()
	if err != nil {
		return nil, err
	}
	opts := b.with(
		pulumi.DependsOn(append(attached, logs)),
		// The provider deletes first what it has to replace under a name that was given. Refused that, a change
		// that would replace the cluster fails, since the name is taken, and what runs in it goes on running.
		pulumi.DeleteBeforeReplace(false),
	)
	return eks.NewCluster(b.ctx, b.name, &eks.ClusterArgs{
		// The name is given, so that the log group can be there first.
		Name:      pulumi.String(b.name),
		Version:   pulumi.String(args.Version),
		RoleArn:   role.Arn,
		VpcConfig: vpcConfig(args),
		AccessConfig: &eks.ClusterAccessConfigArgs{
			AuthenticationMode: pulumi.String("API"),
			// Whoever creates the cluster goes on to install things in it in the same run, and may be the only
			// one to let others in. EKS reads this at creation only.
			BootstrapClusterCreatorAdminPermissions: pulumi.Bool(true),
		},
		EncryptionConfig: &eks.ClusterEncryptionConfigArgs{
			Provider:  &eks.ClusterEncryptionConfigProviderArgs{KeyArn: key.Arn},
			Resources: pulumi.ToStringArray([]string{"secrets"}),
		},
		EnabledClusterLogTypes: pulumi.ToStringArray(logTypes()),
		// EKS would put unmanaged copies of the CNI, kube-proxy and CoreDNS there before the add-ons come.
		BootstrapSelfManagedAddons: pulumi.Bool(false),
		// Extended support costs several times as much an hour and begins by itself unless refused. The price
		// of refusing: when standard support ends, EKS upgrades the control plane on its own, so upgrade before.
		// Source: EKS User Guide, "View current cluster upgrade policy".
		UpgradePolicy:       &eks.ClusterUpgradePolicyArgs{SupportType: pulumi.String("STANDARD")},
		RemoteNetworkConfig: remoteNetworks(args),
		Tags:                tags.Merge(b.tags, b.name),
	}, opts...)
}

// vpcConfig gives the control plane its interfaces and says who reaches it. With the private endpoint, nodes
// talk to the API server without leaving the VPC.
func vpcConfig(args *ClusterArgs) *eks.ClusterVpcConfigArgs {
	config := &eks.ClusterVpcConfigArgs{
		SubnetIds:             args.SubnetIDs,
		EndpointPrivateAccess: pulumi.Bool(true),
		EndpointPublicAccess:  pulumi.Bool(args.PublicEndpoint),
	}
	if args.PublicEndpoint {
		config.PublicAccessCidrs = pulumi.ToStringArray(args.AllowedCIDRs)
	}
	return config
}

// remoteNetworks tells the control plane where hybrid nodes and their pods are, and is nil when there are none.
// Source: EKS User Guide, "Prepare networking for hybrid nodes".
func remoteNetworks(args *ClusterArgs) eks.ClusterRemoteNetworkConfigPtrInput {
	if len(args.RemoteNodeCIDRs) == 0 {
		return nil
	}
	config := &eks.ClusterRemoteNetworkConfigArgs{
		RemoteNodeNetworks: &eks.ClusterRemoteNetworkConfigRemoteNodeNetworksArgs{Cidrs: pulumi.ToStringArray(args.RemoteNodeCIDRs)},
	}
	if len(args.RemotePodCIDRs) > 0 {
		config.RemotePodNetworks = &eks.ClusterRemoteNetworkConfigRemotePodNetworksArgs{Cidrs: pulumi.ToStringArray(args.RemotePodCIDRs)}
	}
	return config
}

// logTypes are all logs that a control plane can write. Source: EKS API Reference, LogSetup.
func logTypes() []string {
	return []string{"api", "audit", "authenticator", "controllerManager", "scheduler"}
}

// secretsKey registers the key that the cluster's secrets are encrypted under. Its policy is KMS's default,
// which leaves access to the account's IAM policies; EKS gets a grant from whoever creates the cluster.
// Source: EKS User Guide, "Encrypt Kubernetes secrets with KMS on existing clusters".
func (b *builder) secretsKey() (*kms.Key, error) {
	name := b.name + "-secrets"
	key, err := kms.NewKey(b.ctx, name, &kms.KeyArgs{
		Description:          pulumi.String("Kubernetes secrets of the EKS cluster " + b.name),
		EnableKeyRotation:    pulumi.Bool(true),
		DeletionWindowInDays: pulumi.Int(keyDeletionDays),
		Tags:                 tags.Merge(b.tags, name),
	}, b.opts...)
	if err != nil {
		return nil, err
	}
	_, err = kms.NewAlias(b.ctx, name, &kms.AliasArgs{
		Name:        pulumi.String("alias/eks/" + b.name),
		TargetKeyId: key.KeyId,
	}, b.opts...)
	return key, err
}

// logGroup registers the log group under the name that EKS writes to. If it were not there first, EKS would
// make it itself, without an end to its retention, and it would outlive the stack.
// Source: EKS User Guide, "Send control plane logs to CloudWatch Logs".
func (b *builder) logGroup() (*lightaws.LogGroup, error) {
	return lightaws.NewLogGroup(b.ctx, b.name+"-logs", pulumi.Map{
		"name":            pulumi.String("/aws/eks/" + b.name + "/cluster"),
		"retentionInDays": pulumi.Int(logRetentionDays),
		"tags":            tags.Merge(b.tags, b.name+"-logs"),
	}, b.opts...)
}
