package stacks

import (
	"fmt"
	"slices"

	"github.com/pulumi/pulumi-kubernetes/sdk/v4/go/kubernetes"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/components/cluster"
	gpunodes "github.com/gpuyard/gpuyard/components/gpu-nodes"
	"github.com/gpuyard/gpuyard/components/platform"
)

// deployInCluster registers what runs on the nodes: the chained CNI, the add-ons that need nodes, the device plugins and
// the priority classes. None of it is protected with the environment: it holds nothing, and comes and goes with pools. It
// returns the cluster's provider, what pods wait for that need neither names nor volumes, and what all others wait for.
func deployInCluster(ctx *pulumi.Context, plan *Plan, eks *cluster.Cluster, nodes []pulumi.Resource, aws pulumi.ResourceOption) (provider pulumi.ProviderResource, early, pods []pulumi.Resource, err error) {
	b := plan.Blueprint
	name, version := b.Environment.Name.Value, b.Environment.KubernetesVersion.Value
	provider, err = kubernetes.NewProvider(ctx, "kubernetes", &kubernetes.ProviderArgs{Kubeconfig: eks.Kubeconfig})
	if err != nil {
		return nil, nil, nil, fmt.Errorf("registering the Kubernetes provider: %w", err)
	}
	k8s := pulumi.Provider(provider)
	// A pod that is older than the chained CNI escapes its policies until it is restarted, so everything that brings
	// pods waits for it.
	early = slices.Clip(nodes)
	if b.Network.CNI.Kind.Value == "cilium" {
		cilium, err := platform.NewCilium(ctx, name+"-cilium", nil, k8s, pulumi.DependsOn(nodes))
		if err != nil {
			return nil, nil, nil, err
		}
		early = append(early, cilium.Release())
	}
	addons, err := cluster.NewAddons(ctx, name, &cluster.AddonsArgs{
		ClusterName: eks.Name, Version: version, Tags: environmentTags(plan), NodeMonitoring: repairsNodes(plan),
	}, aws, pulumi.DependsOn(early))
	if err != nil {
		return nil, nil, nil, err
	}
	if _, err := gpunodes.NewPlugins(ctx, name, pluginsArgs(plan), k8s, pulumi.DependsOn(early)); err != nil {
		return nil, nil, nil, err
	}
	_, err = platform.NewPriorityClasses(ctx, name+"-priority", k8s)
	// Other pods ask for names, and some of them for volumes of EBS.
	return provider, early, slices.Concat(early, addons.Ready()), err
}

// repairsNodes says whether some pool has its broken nodes repaired, for which EKS has to see that they are broken.
func repairsNodes(plan *Plan) bool {
	return slices.ContainsFunc(plan.Pools, func(p PoolPlan) bool { return p.Pool.NodeRepair.Value })
}

func pluginsArgs(plan *Plan) *gpunodes.PluginsArgs {
	args := &gpunodes.PluginsArgs{Catalog: plan.catalog}
	for _, p := range plan.Pools {
		pool := gpunodes.PluginPool{
			Name: p.Pool.Name.Value, InstanceTypes: values(p.Pool.InstanceTypes), Fabric: p.Pool.Fabric.Value,
			Taints: poolTaints(p.Pool), GPUSharing: poolSharing(p.Pool), OS: p.Pool.OS.Value,
		}
		if p.Pool.Hosts != nil && p.Pool.Accelerator == nil {
			continue // no plugin is for servers without accelerators
		}
		if acc := p.Pool.Accelerator; acc != nil {
			pool.Accelerator, pool.AcceleratorCount = acc.Kind.Value, acc.Count.Value
		}
		args.Pools = append(args.Pools, pool)
	}
	return args
}
