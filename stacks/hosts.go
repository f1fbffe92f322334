package stacks

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/catalog"
	gpunodes "github.com/gpuyard/gpuyard/components/gpu-nodes"
	"github.com/gpuyard/gpuyard/nodeprep/inventory"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

// planHosts works out a pool of servers.
func planHosts(pool *blueprint.NodePool) (PoolPlan, error) {
	p := PoolPlan{Pool: pool, Host: HostProfile(pool.Profile)}
	if pool.Profile != nil {
		p.Profile = pool.Profile.Resolved()
	}
	kind, count := "", 0
	if acc := pool.Accelerator; acc != nil {
		kind, count = acc.Kind.Value, acc.Count.Value
	}
	var err error
	p.server, err = gpunodes.HostType(kind, count)
	return p, err
}

// Node is what one node of the pool is: the first of its instance types, or its servers.
func (p PoolPlan) Node() *catalog.InstanceType {
	if p.Pool.Hosts != nil {
		return p.server
	}
	return p.Pool.Types[0]
}

// warnKubelet names the settings of kubelet that hosts do not get: they join with kubelet's own.
func warnKubelet(p PoolPlan) hcl.Diagnostics {
	var names []string
	for name, value := range map[string]string{
		"cpu_manager": p.Profile.CPUManager, "topology_manager": p.Profile.TopologyManager, "memory_manager": p.Profile.MemoryManager,
	} {
		if value != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return nil
	}
	return hcl.Diagnostics{{
		Severity: hcl.DiagWarning, Summary: "Profile is applied in part", Subject: p.Pool.Range.Ptr(),
		Detail: fmt.Sprintf("Hosts join the cluster with kubelet's own settings. %s are for pools on EC2.", strings.Join(names, ", ")),
	}}
}

// hasHosts says whether a plan has pools of servers.
func hasHosts(plan *Plan) bool {
	return slices.ContainsFunc(plan.Pools, func(p PoolPlan) bool { return p.Pool.Hosts != nil })
}

// deployHosts registers the pools of servers, and before them what the cluster needs to take them.
func deployHosts(d *storing, opts []pulumi.ResourceOption) error {
	if !hasHosts(d.plan) {
		return nil
	}
	env, remote := d.plan.Blueprint.Environment, d.plan.Blueprint.Network.Remote
	hybrid, err := gpunodes.NewHybrid(d.ctx, env.Name.Value, &gpunodes.HybridArgs{
		ClusterName: d.eks.Name, ClusterSecurityGroupID: d.eks.SecurityGroupID, Region: env.Region.Value,
		RemoteCIDRs: slices.Concat(values(remote.Nodes), values(remote.Pods)), Tags: d.tags,
	}, opts...)
	if err != nil {
		return err
	}
	for _, p := range d.plan.Pools {
		if p.Pool.Hosts == nil {
			continue
		}
		args := hostsArgs(d, p)
		args.RoleName, args.ClusterARN = hybrid.RoleName, hybrid.ClusterARN
		if _, err := gpunodes.NewHosts(d.ctx, poolName(d.plan, p.Pool.Name.Value), args, opts...); err != nil {
			return fmt.Errorf("node_pool %q: %w", p.Pool.Name.Value, err)
		}
	}
	return nil
}

// hostsArgs maps a planned pool of servers to the arguments of its component.
func hostsArgs(d *storing, p PoolPlan) *gpunodes.HostsArgs {
	pool, env := p.Pool, d.plan.Blueprint.Environment
	labels := map[string]string{gpunodes.LabelPool: pool.Name.Value}
	maps.Copy(labels, pool.Labels)
	args := &gpunodes.HostsArgs{
		Addresses: values(pool.Hosts.Addresses), User: pool.Hosts.User.Value, Port: pool.Hosts.Port.Value,
		KeyFile: pool.Hosts.KeyFile.Value, KnownHosts: pool.Hosts.KnownHosts.Value, Bastion: pool.Hosts.Bastion.Value,
		Reboot: pool.Hosts.Reboot.Value, OnDestroy: pool.Hosts.OnDestroy.Value, Fabric: pool.Fabric.Value, Profile: p.Host.Values,
		Labels: labels, Taints: poolTaints(pool),
		ClusterName: d.eks.Name, KubernetesVersion: env.KubernetesVersion.Value, Region: env.Region.Value, Tags: d.tags,
	}
	if acc := pool.Accelerator; acc != nil {
		args.Accelerator, args.AcceleratorCount = acc.Kind.Value, acc.Count.Value
	}
	if old := pool.RenamedFrom.Value; old != "" {
		args.RenamedFrom = poolName(d.plan, old)
	}
	return args
}

// hostsOutput is the inventory of a pool of servers: what `gpuyard nodeprep` reads to reach them.
func hostsOutput(p PoolPlan) pulumi.Input {
	h := p.Pool.Hosts
	return pulumi.Any(inventory.Pool{
		Hosts: values(h.Addresses), User: h.User.Value, Port: h.Port.Value, KeyFile: h.KeyFile.Value,
		KnownHosts: h.KnownHosts.Value, Bastion: h.Bastion.Value, Profile: p.Host,
	}.Output())
}

// explainHosts lists what a pool of servers comes to.
func explainHosts(p PoolPlan) Section {
	h, s := p.Pool.Hosts, Section{Title: "node_pool " + p.Pool.Name.Value}
	for _, address := range h.Addresses {
		s.add("host", address.Value, stated(address))
	}
	way := fmt.Sprintf("SSH as %s, port %d", h.User.Value, h.Port.Value)
	if h.Bastion.Value != "" {
		way += ", by " + h.Bastion.Value
	}
	s.add("reached", way, "the network between them and this machine")
	s.add("host keys", h.KnownHosts.Value, "a host that is not in it, or shows another key, is refused")
	s.add("reboot", h.Reboot.Value, stated(h.Reboot))
	s.add("on destroy", h.OnDestroy.Value, stated(h.OnDestroy))
	if acc := p.Node().Accelerator; acc != nil {
		s.add("accelerators", fmt.Sprintf("%d × %s", acc.Count, acc.Name), "each host must show as many on its PCI bus")
	}
	s.add("fabric", p.Pool.Fabric.Value, stated(p.Pool.Fabric))
	s.add("joins", "as EKS hybrid nodes, each by an activation of its own", "it is good for one registration within a day")
	s.addHostProfile(p.Pool.Profile, p.Host)
	return s
}

func (s *Section) addHostProfile(named *blueprint.NodeProfile, wanted profile.Profile) {
	why := "the pool names no profile: a host is kept as little as possible"
	if named != nil {
		why = "the profile " + named.Name.Value
		if parent := named.Extends.Value; parent != "" {
			why += ", which extends " + parent
		}
	}
	for _, key := range wanted.Keys() {
		s.add(key, wanted.Values[key], why)
	}
}
