package gpunodes

import (
	"github.com/gpuyard/gpuyard/components/internal/lightaws"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

const (
	// TypeHosts is the type token of Hosts.
	TypeHosts = "gpuyard:gpunodes:Hosts"
	// tokenHost is the type token of a prepared host. It is registered by its token: its provider is another program.
	tokenHost = "gpuyard:nodeprep:Host"
)

// HostsArgs describes a pool of servers that are prepared over SSH and join a cluster as hybrid nodes.
type HostsArgs struct {
	// Addresses are the hosts, by name or IP address.
	Addresses []string `pulumi:"addresses"`
	// User, Port, KeyFile, KnownHosts and Bastion say how they are reached.
	User       string `pulumi:"user,optional"`
	Port       int    `pulumi:"port,optional"`
	KeyFile    string `pulumi:"keyFile,optional"`
	KnownHosts string `pulumi:"knownHosts,optional"`
	Bastion    string `pulumi:"bastion,optional"`
	// Reboot is never or when_needed; empty is never.
	Reboot string `pulumi:"reboot,optional"`
	// OnDestroy is leave or revert: whether a host that leaves the pool is given back what it had before; empty is leave.
	OnDestroy string `pulumi:"onDestroy,optional"`
	// Accelerator and AcceleratorCount are what each holds, such as eight gaudi2; empty for none.
	Accelerator      string `pulumi:"accelerator,optional"`
	AcceleratorCount int    `pulumi:"acceleratorCount,optional"`
	// Fabric is "roce" or "none"; empty is none.
	Fabric string `pulumi:"fabric,optional"`
	// Profile is what each should be, by the keys of node preparation.
	Profile map[string]string `pulumi:"profile"`
	// Labels are added to the default labels, Taints to the default taints.
	Labels map[string]string `pulumi:"labels,optional"`
	Taints []Taint           `pulumi:"taints,optional"`
	// ClusterName, KubernetesVersion and Region name the cluster, RoleName and ClusterARN are a Hybrid's.
	ClusterName       pulumi.StringInput `pulumi:"clusterName"`
	KubernetesVersion string             `pulumi:"kubernetesVersion"`
	Region            string             `pulumi:"region"`
	RoleName          pulumi.StringInput `pulumi:"roleName"`
	ClusterARN        pulumi.StringInput `pulumi:"clusterArn"`
	// RenamedFrom is the pool's former name: its hosts keep their registrations under the new one.
	RenamedFrom string `pulumi:"renamedFrom,optional"`
	// Tags are put on everything that takes tags.
	Tags map[string]string `pulumi:"tags,optional"`
}

// Hosts is a pool of servers: for each an activation by which it alone can register, and the host, prepared.
type Hosts struct {
	pulumi.ResourceState

	// Addresses are the hosts. They are known when all are prepared.
	Addresses pulumi.StringArrayOutput `pulumi:"addresses"`
	// Resources is what each node offers to pods beyond CPU, memory and disk, by resource name.
	Resources pulumi.StringMapOutput `pulumi:"resources"`

	hosts []pulumi.Resource
}

// Hosts are the prepared hosts. What needs nodes depends on them.
func (h *Hosts) Hosts() []pulumi.Resource { return h.hosts }

// NewHosts registers Hosts. It registers nothing when the plain arguments are wrong.
func NewHosts(ctx *pulumi.Context, name string, args *HostsArgs, opts ...pulumi.ResourceOption) (*Hosts, error) {
	plan, err := planHosts(name, args)
	if err != nil {
		return nil, err
	}
	pool := &Hosts{}
	if former := args.RenamedFrom; former != "" {
		opts = append(opts, pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String(former)}}))
	}
	if err := ctx.RegisterComponentResourceV2(TypeHosts, name, plan.inputs(), pool, opts...); err != nil {
		return nil, err
	}
	addresses := pulumi.StringArray{}
	for _, address := range args.Addresses {
		host, err := plan.host(ctx, name, address, pool)
		if err != nil {
			return nil, err
		}
		pool.hosts = append(pool.hosts, host)
		addresses = append(addresses, host.ID().ToStringOutput())
	}
	pool.Addresses = addresses.ToStringArrayOutput()
	pool.Resources = pulumi.ToStringMap(plan.resources()).ToStringMapOutput()
	return pool, ctx.RegisterResourceOutputs(pool, pulumi.Map{"addresses": pool.Addresses, "resources": pool.Resources})
}

// host registers one host with its activation.
//
// Each host has an activation of its own, good for one registration: another host in the pool does not make those that
// have registered do it again, and a code that gets lost lets nobody in once its host is there. It expires after a day.
// Source: Systems Manager API, CreateActivation.
func (p *hostsPlan) host(ctx *pulumi.Context, name, address string, pool *Hosts) (*pulumi.CustomResourceState, error) {
	suffix := "-" + address
	opts := []pulumi.ResourceOption{pulumi.Parent(pool)}
	if former := p.args.RenamedFrom; former != "" {
		opts = append(opts, pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String(former + suffix)}}))
	}
	activation, err := lightaws.NewActivation(ctx, name+suffix, pulumi.Map{
		"name": pulumi.String(address), "description": pulumi.String("Hybrid node " + address + " of a gpuyard pool"),
		"iamRole": p.args.RoleName, "registrationLimit": pulumi.Int(1),
		"tags": pulumi.All(p.args.ClusterARN).ApplyT(func(v []any) map[string]string {
			return tags.Over(p.args.Tags, map[string]string{"Name": address, tagCluster: v[0].(string)})
		}).(pulumi.StringMapOutput),
	}, opts...)
	if err != nil {
		return nil, err
	}
	var host pulumi.CustomResourceState
	return &host, ctx.RegisterResource(tokenHost, name+suffix, p.hostInputs(address, activation), &host, opts...)
}

// hostInputs are the arguments of a prepared host.
func (p *hostsPlan) hostInputs(address string, activation *lightaws.Activation) pulumi.Map {
	profile := pulumi.StringMap{
		"containerd":            pulumi.String("on"),
		"cluster.name":          p.args.ClusterName,
		"cluster.region":        pulumi.String(p.args.Region),
		"cluster.version":       pulumi.String(p.args.KubernetesVersion),
		"cluster.activation_id": activation.ID().ToStringOutput(),
		"cluster.labels":        pulumi.String(p.nodeLabels()),
	}
	if taints := p.nodeTaints(); taints != "" {
		profile["cluster.taints"] = pulumi.String(taints)
	}
	for key, value := range p.args.Profile {
		profile[key] = pulumi.String(value)
	}
	inputs := pulumi.Map{
		"address": pulumi.String(address), "profile": profile,
		"secrets": pulumi.ToSecret(pulumi.StringMap{"cluster.activation_code": activation.Code}),
	}
	addAccess(inputs, p.args)
	return inputs
}
