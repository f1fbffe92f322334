package stacks

import (
	"fmt"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/components/cluster"
	gpunodes "github.com/gpuyard/gpuyard/components/gpu-nodes"
	"github.com/gpuyard/gpuyard/components/network"
	"github.com/gpuyard/gpuyard/components/storage"
)

// Deploy registers the components that make the planned environment, and the stack's outputs.
func Deploy(ctx *pulumi.Context, plan *Plan) error {
	b := plan.Blueprint
	env, tags := b.Environment, environmentTags(plan)
	work := newServing(ctx, plan)
	if b.Network == nil && !hasServerless(b, "lambda") {
		return deployAlone(work) // nothing needs an account of AWS
	}
	provider, err := newAWSProvider(ctx, env.Region.Value, tags)
	if err != nil {
		return err
	}
	work.aws = provider
	if err := preflightServerless(work); err != nil {
		return err
	}
	if b.Network == nil {
		return deployAlone(work)
	}
	if err := preflightOfferings(ctx, plan, pulumi.Provider(provider)); err != nil {
		return err
	}
	aws := []pulumi.ResourceOption{pulumi.Provider(provider), pulumi.Protect(env.Protect.Value)}

	vpc, err := network.New(ctx, env.Name.Value, &network.VPCArgs{
		CIDR: b.Network.CIDR.Value, Zones: values(b.Network.Zones), NAT: b.Network.NAT.Value,
		Endpoints: endpoints(b), FlowLogs: b.Network.FlowLogs.Value,
		Region: env.Region.Value, Tags: tags,
	}, aws...)
	if err != nil {
		return err
	}
	eks, err := cluster.New(ctx, env.Name.Value, clusterArgs(b, vpc, tags), aws...)
	if err != nil {
		return err
	}
	d := &storing{
		ctx: ctx, plan: plan, vpc: vpc, eks: eks, tags: tags,
		pools: map[string]*gpunodes.Pool{}, fabrics: map[string]pulumi.StringOutput{}, buckets: map[string]*storage.S3{}, outputs: pulumi.Map{},
	}
	nodes, err := deployPools(d, aws)
	if err != nil {
		return err
	}
	if err := deployHosts(d, aws); err != nil {
		return err
	}
	kubernetes, early, pods, err := deployInCluster(ctx, plan, eks, nodes, pulumi.Provider(provider))
	if err != nil {
		return err
	}
	d.early, d.nodes, d.providers = early, pods, pulumi.Providers(provider, kubernetes)
	d.cloud = aws // a component that is given the cluster's provider waits for the cluster
	if err := deployStorage(d); err != nil {
		return err
	}
	work.vpc = vpc
	if err := deployServerless(work); err != nil {
		return err
	}
	exportOutputs(d)
	return nil
}

// endpoints are those that the blueprint names, and the one of S3 Express One Zone where a bucket is there: it is not that
// of S3, and costs nothing.
// Source: Amazon S3 User Guide, "Networking for S3 Express One Zone".
func endpoints(b *blueprint.Blueprint) []string {
	const express = "s3express"
	names := values(b.Network.PrivateEndpoints)
	if slices.ContainsFunc(b.Storage, isExpress) && !slices.Contains(names, express) {
		names = append(names, express)
	}
	return names
}

// deployAlone makes an environment without a cluster.
func deployAlone(work *serving) error {
	if work.aws == nil {
		if err := preflightServerless(work); err != nil {
			return err
		}
	}
	work.ctx.Export("region", pulumi.String(work.plan.Blueprint.Environment.Region.Value))
	return deployServerless(work)
}

func clusterArgs(b *blueprint.Blueprint, vpc *network.VPC, tags map[string]string) *cluster.ClusterArgs {
	args := &cluster.ClusterArgs{
		Version:        b.Environment.KubernetesVersion.Value,
		SubnetIDs:      vpc.PrivateSubnetIDs,
		PublicEndpoint: b.Network.ClusterEndpoint.Public.Value,
		AllowedCIDRs:   values(b.Network.ClusterEndpoint.AllowedCIDRs),
		Region:         b.Environment.Region.Value, Tags: tags,
	}
	if remote := b.Network.Remote; remote != nil {
		args.RemoteNodeCIDRs, args.RemotePodCIDRs = values(remote.Nodes), values(remote.Pods)
	}
	return args
}

// deployPools registers every pool, with a fabric of its own where it has one, and returns what pods need of them.
func deployPools(d *storing, opts []pulumi.ResourceOption) ([]pulumi.Resource, error) {
	var nodes []pulumi.Resource
	for _, p := range d.plan.Pools {
		if p.Pool.Hosts != nil {
			continue // what runs on nodes does not wait for servers: see deployHosts
		}
		name := poolName(d.plan, p.Pool.Name.Value)
		args := poolArgs(d.plan, p, siteOf(d.vpc, d.eks), d.tags)
		if args.Fabric == "efa" {
			fabric, err := network.NewFabric(d.ctx, name, &network.FabricArgs{
				VpcID: d.vpc.VpcID, Placement: p.Placement, Tags: d.tags,
			}, slices.Concat(opts, formerName(args.RenamedFrom))...)
			if err != nil {
				return nil, err
			}
			args.FabricSecurityGroupID = fabric.SecurityGroupID
			d.fabrics[p.Pool.Name.Value] = fabric.SecurityGroupID
			if p.Placement {
				args.PlacementGroupName = fabric.PlacementGroupName.Elem()
			}
		}
		// A node that cannot reach AWS from its subnet never joins. Its role waits for the add-ons that it needs.
		pool, err := gpunodes.NewPool(d.ctx, name, args, slices.Concat(opts, []pulumi.ResourceOption{pulumi.DependsOn(d.vpc.Ways())})...)
		if err != nil {
			return nil, fmt.Errorf("node_pool %q: %w", p.Pool.Name.Value, err)
		}
		d.pools[p.Pool.Name.Value] = pool
		nodes = append(nodes, pool.Group())
	}
	return nodes, nil
}

// formerName lets a renamed pool keep its fabric.
func formerName(name string) []pulumi.ResourceOption {
	if name == "" {
		return nil
	}
	return []pulumi.ResourceOption{pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String(name)}})}
}
