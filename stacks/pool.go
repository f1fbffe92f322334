package stacks

import (
	"maps"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/components/cluster"
	gpunodes "github.com/gpuyard/gpuyard/components/gpu-nodes"
	"github.com/gpuyard/gpuyard/components/network"
)

// site is what the network and the cluster hand out to the pools that join them.
type site struct {
	subnet                                      func(zone string) pulumi.StringInput
	cluster, nodeRole, securityGroup            pulumi.StringInput
	endpoint, certificateAuthority, serviceCIDR pulumi.StringInput // for nodes of images of one's own
}

func siteOf(vpc *network.VPC, eks *cluster.Cluster) site {
	return site{
		subnet:  func(zone string) pulumi.StringInput { return vpc.PrivateSubnets.MapIndex(pulumi.String(zone)) },
		cluster: eks.Name, nodeRole: eks.NodeRoleARN, securityGroup: eks.SecurityGroupID,
		endpoint: eks.Endpoint, certificateAuthority: eks.CertificateAuthority, serviceCIDR: eks.ServiceCIDR,
	}
}

// poolArgs maps a planned pool to the arguments of its component.
func poolArgs(plan *Plan, p PoolPlan, at site, tags map[string]string) *gpunodes.PoolArgs {
	pool := p.Pool
	var subnets pulumi.StringArray
	for _, zone := range p.Zones {
		subnets = append(subnets, at.subnet(zone))
	}
	// The component is named after the environment as well, and jobs ask for the pool by the blueprint's name.
	labels := map[string]string{gpunodes.LabelPool: pool.Name.Value}
	maps.Copy(labels, pool.Labels)
	args := &gpunodes.PoolArgs{
		Catalog:                plan.catalog,
		ClusterName:            at.cluster,
		KubernetesVersion:      plan.Blueprint.Environment.KubernetesVersion.Value,
		NodeRoleARN:            at.nodeRole,
		SubnetIDs:              subnets,
		ClusterSecurityGroupID: at.securityGroup,
		InstanceTypes:          values(pool.InstanceTypes),
		Fabric:                 pool.Fabric.Value,
		Capacity:               pool.Capacity.Kind.Value,
		Reservation:            pool.Capacity.Reservation.Value,
		Reservations:           values(pool.Capacity.Reservations),
		CapacityWindow:         gpunodes.Window{Start: pool.Capacity.Start.Value, End: pool.Capacity.End.Value},
		Size:                   gpunodes.Size{Min: pool.Size.Min.Value, Desired: pool.Size.Desired.Value, Max: pool.Size.Max.Value},
		Schedules:              poolSchedules(pool),
		Labels:                 labels,
		Taints:                 poolTaints(pool),
		LocalStorage:           pool.LocalStorage.Value,
		RootVolumeGiB:          pool.RootVolume.Value,
		OS:                     pool.OS.Value,
		ImageRelease:           pool.ImageRelease.Value,
		Kubelet:                p.kubelet(),
		System:                 p.System,
		GPUSharing:             poolSharing(pool),
		NodeRepair:             pool.NodeRepair.Value,
		Update: gpunodes.Update{
			MaxUnavailable:           pool.Update.MaxUnavailable.Value,
			MaxUnavailablePercentage: pool.Update.MaxUnavailablePercentage.Value,
		},
		Tags: tags,
	}
	if pool.AMI.Value != "" {
		args.AMI = pool.AMI.Value
		args.Bootstrap = gpunodes.Bootstrap{ClusterEndpoint: at.endpoint, ClusterCA: at.certificateAuthority, ServiceCIDR: at.serviceCIDR}
	}
	if old := pool.RenamedFrom.Value; old != "" {
		args.RenamedFrom = poolName(plan, old)
	}
	return args
}

// kubelet are the settings of kubelet on the pool's nodes.
func (p PoolPlan) kubelet() gpunodes.Kubelet {
	return gpunodes.Kubelet{
		CPUManager: p.Profile.CPUManager, TopologyManager: p.Profile.TopologyManager, MemoryManager: p.Profile.MemoryManager,
		Hugepages: kubeletHugepages(p.Pool, p.Profile),
	}
}

// poolName is the name of a pool's component.
func poolName(plan *Plan, pool string) string {
	return plan.Blueprint.Environment.Name.Value + "-" + pool
}

func poolSchedules(pool *blueprint.NodePool) []gpunodes.Schedule {
	var schedules []gpunodes.Schedule
	for _, s := range pool.Schedules {
		schedules = append(schedules, gpunodes.Schedule{Name: s.Name.Value, Cron: s.Cron.Value, Timezone: s.Timezone.Value, Desired: s.Desired.Value})
	}
	return schedules
}

func poolTaints(pool *blueprint.NodePool) []gpunodes.Taint {
	var taints []gpunodes.Taint
	for _, t := range pool.Taints {
		taints = append(taints, gpunodes.Taint{Key: t.Key.Value, Value: t.Value.Value, Effect: t.Effect.Value})
	}
	return taints
}

func poolSharing(pool *blueprint.NodePool) *gpunodes.GPUSharing {
	s := pool.GPUSharing
	if s == nil {
		return nil
	}
	return &gpunodes.GPUSharing{Kind: s.Kind.Value, Profile: s.Profile.Value, Replicas: s.Replicas.Value}
}
