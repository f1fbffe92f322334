package stacks

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/components/cluster"
	gpunodes "github.com/gpuyard/gpuyard/components/gpu-nodes"
	"github.com/gpuyard/gpuyard/components/network"
)

// Deploy registers the components that make the planned environment, and the stack's outputs.
func Deploy(ctx *pulumi.Context, plan *Plan) error {
	b := plan.Blueprint
	env, tags := b.Environment, environmentTags(plan)
	provider, err := newAWSProvider(ctx, env.Region.Value, tags)
	if err != nil {
		return err
	}
	if err := preflightOfferings(ctx, plan, pulumi.Provider(provider)); err != nil {
		return err
	}
	aws := []pulumi.ResourceOption{pulumi.Provider(provider), pulumi.Protect(env.Protect.Value)}

	vpc, err := network.New(ctx, env.Name.Value, &network.VPCArgs{
		CIDR: b.Network.CIDR.Value, Zones: values(b.Network.Zones), NAT: b.Network.NAT.Value,
		Region: env.Region.Value, Tags: tags,
	}, aws...)
	if err != nil {
		return err
	}
	eks, err := cluster.New(ctx, env.Name.Value, &cluster.ClusterArgs{
		Version:        env.KubernetesVersion.Value,
		SubnetIDs:      vpc.PrivateSubnetIDs,
		PublicEndpoint: b.Network.ClusterEndpoint.Public.Value,
		AllowedCIDRs:   values(b.Network.ClusterEndpoint.AllowedCIDRs),
		Region:         env.Region.Value, Tags: tags,
	}, aws...)
	if err != nil {
		return err
	}
	pools, nodes, err := deployPools(ctx, plan, vpc, eks, tags, aws)
	if err != nil {
		return err
	}
	if _, err := cluster.NewAddons(ctx, env.Name.Value, &cluster.AddonsArgs{
		ClusterName: eks.Name, Version: env.KubernetesVersion.Value, Tags: tags,
	}, slices.Concat(aws, []pulumi.ResourceOption{pulumi.DependsOn(nodes)})...); err != nil {
		return err
	}
	if err := deployPlugins(ctx, plan, eks, nodes); err != nil {
		return err
	}
	exportOutputs(ctx, plan, vpc, eks, pools)
	return nil
}

// deployPools registers every pool, with a fabric of its own where it has one, and returns them by name.
func deployPools(ctx *pulumi.Context, plan *Plan, vpc *network.VPC, eks *cluster.Cluster, tags map[string]string,
	opts []pulumi.ResourceOption,
) (map[string]*gpunodes.Pool, []pulumi.Resource, error) {
	pools, nodes := map[string]*gpunodes.Pool{}, []pulumi.Resource{}
	for _, p := range plan.Pools {
		name := plan.Blueprint.Environment.Name.Value + "-" + p.Pool.Name.Value
		args := poolArgs(plan, p, vpc, eks, tags)
		if args.Fabric == "efa" {
			fabric, err := network.NewFabric(ctx, name, &network.FabricArgs{
				VpcID: vpc.VpcID, Placement: p.Placement, Tags: tags,
			}, opts...)
			if err != nil {
				return nil, nil, err
			}
			args.FabricSecurityGroupID = fabric.SecurityGroupID
			if p.Placement {
				args.PlacementGroupName = fabric.PlacementGroupName.Elem()
			}
		}
		// A node that cannot reach AWS from its subnet never joins. Its role waits for the add-ons that it needs.
		pool, err := gpunodes.NewPool(ctx, name, args, slices.Concat(opts, []pulumi.ResourceOption{pulumi.DependsOn(vpc.Ways())})...)
		if err != nil {
			return nil, nil, fmt.Errorf("node_pool %q: %w", p.Pool.Name.Value, err)
		}
		pools[p.Pool.Name.Value] = pool
		nodes = append(nodes, pool.Group())
	}
	return pools, nodes, nil
}

// poolArgs maps a planned pool to the arguments of its component.
func poolArgs(plan *Plan, p PoolPlan, vpc *network.VPC, eks *cluster.Cluster, tags map[string]string) *gpunodes.PoolArgs {
	var subnets pulumi.StringArray
	for _, zone := range p.Zones {
		subnets = append(subnets, vpc.PrivateSubnets.MapIndex(pulumi.String(zone)))
	}
	// The component is named after the environment as well, and jobs ask for the pool by the blueprint's name.
	labels := map[string]string{gpunodes.LabelPool: p.Pool.Name.Value}
	maps.Copy(labels, p.Pool.Labels)
	return &gpunodes.PoolArgs{
		ClusterName:            eks.Name,
		KubernetesVersion:      plan.Blueprint.Environment.KubernetesVersion.Value,
		NodeRoleARN:            eks.NodeRoleARN,
		SubnetIDs:              subnets,
		ClusterSecurityGroupID: eks.SecurityGroupID,
		InstanceTypes:          values(p.Pool.InstanceTypes),
		Fabric:                 p.Pool.Fabric.Value,
		Capacity:               p.Pool.Capacity.Kind.Value,
		Size:                   gpunodes.Size{Min: p.Pool.Size.Min.Value, Desired: p.Pool.Size.Desired.Value, Max: p.Pool.Size.Max.Value},
		Labels:                 labels,
		Taints:                 poolTaints(p.Pool),
		LocalStorage:           p.Pool.LocalStorage.Value,
		RootVolumeGiB:          p.Pool.RootVolume.Value,
		ImageRelease:           p.Pool.ImageRelease.Value,
		Kubelet:                gpunodes.Kubelet{CPUManager: p.Profile.CPUManager, TopologyManager: p.Profile.TopologyManager, MemoryManager: p.Profile.MemoryManager},
		Tags:                   tags,
	}
}

func poolTaints(pool *blueprint.NodePool) []gpunodes.Taint {
	var taints []gpunodes.Taint
	for _, t := range pool.Taints {
		taints = append(taints, gpunodes.Taint{Key: t.Key.Value, Value: t.Value.Value, Effect: t.Effect.Value})
	}
	return taints
}

// deployPlugins registers the device plugins that the pools need, in the cluster.
func deployPlugins(ctx *pulumi.Context, plan *Plan, eks *cluster.Cluster, nodes []pulumi.Resource) error {
	k8s, err := kubernetes.NewProvider(ctx, "kubernetes", &kubernetes.ProviderArgs{Kubeconfig: eks.Kubeconfig})
	if err != nil {
		return fmt.Errorf("registering the Kubernetes provider: %w", err)
	}
	args := &gpunodes.PluginsArgs{}
	for _, p := range plan.Pools {
		args.Pools = append(args.Pools, gpunodes.PluginPool{
			Name: p.Pool.Name.Value, InstanceTypes: values(p.Pool.InstanceTypes), Fabric: p.Pool.Fabric.Value, Taints: poolTaints(p.Pool),
		})
	}
	_, err = gpunodes.NewPlugins(ctx, plan.Blueprint.Environment.Name.Value, args, pulumi.Provider(k8s), pulumi.DependsOn(nodes))
	return err
}
