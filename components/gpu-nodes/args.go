package gpunodes

import (
	"cmp"
	"time"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// PoolArgs describes a node pool. What decides which resources exist is plain; what may come from another resource
// is an input.
type PoolArgs struct {
	// ClusterName is the EKS cluster that the nodes join.
	ClusterName pulumi.StringInput `pulumi:"clusterName"`
	// KubernetesVersion is the cluster's, "1.35" say; it selects the image when ImageRelease is empty.
	KubernetesVersion string `pulumi:"kubernetesVersion"`
	// NodeRoleARN is the nodes' IAM role.
	NodeRoleARN pulumi.StringInput `pulumi:"nodeRoleArn"`
	// SubnetIDs are where nodes are placed: private subnets, and exactly one for a pool with EFA.
	SubnetIDs pulumi.StringArrayInput `pulumi:"subnetIds"`
	// ClusterSecurityGroupID is the group that EKS made for the cluster. EKS does not add it to nodes of a template
	// that names any group, so it is always named.
	ClusterSecurityGroupID pulumi.StringInput `pulumi:"clusterSecurityGroupId"`

	// InstanceTypes are the types that EKS may choose from, preferred first.
	InstanceTypes []string `pulumi:"instanceTypes"`
	// Catalog is what the types are; nil means catalog.Default. It is no input: what follows from it is.
	Catalog *catalog.Catalog `pulumi:"-"`
	// Fabric is "none", the default, or "efa".
	Fabric string `pulumi:"fabric,optional"`
	// FabricSecurityGroupID is the group of the EFA fabric; needed with EFA.
	FabricSecurityGroupID pulumi.StringInput `pulumi:"fabricSecurityGroupId,optional"`
	// PlacementGroupName is a cluster placement group; nil for none.
	PlacementGroupName pulumi.StringInput `pulumi:"placementGroupName,optional"`

	// Capacity is how the instances are bought: "on_demand", the default, "spot", "reservation" for a capacity
	// reservation, or "capacity_block" for a Capacity Block for ML.
	Capacity string `pulumi:"capacity,optional"`
	// Reservation is the id of the reservation or Capacity Block, "cr-0123456789abcdef0" say.
	Reservation string `pulumi:"reservation,optional"`
	// Reservations are the ARNs of several capacity reservations in one zone, used as one; instead of Reservation.
	// They are ARNs because a reservation may be shared by another account. When all of them are full, EC2 launches
	// ordinary on-demand instances, where with one Reservation it launches none. A Capacity Block is used by its id alone:
	// EC2 would take a group of them, and EKS asks for the id.
	// Source: EC2 User Guide, "Capacity Reservation groups"; EKS User Guide, "Create a managed node group with Capacity
	// Blocks for ML".
	Reservations []string `pulumi:"reservations,optional"`
	// CapacityWindow is when a Capacity Block begins and ends.
	CapacityWindow Window `pulumi:"capacityWindow,optional"`
	// Now is the time to judge CapacityWindow by, in RFC 3339; the machine's clock when it is empty. It is no input that
	// the state remembers: as time goes on, a pool without a window does not change.
	Now string `pulumi:"now,optional"`
	// Size is how many nodes the pool has.
	Size Size `pulumi:"size"`
	// Schedules change how many, again and again. With any, Size.Desired counts only when the pool is made: an update
	// leaves the size as the last of them has set it.
	Schedules []Schedule `pulumi:"schedules,optional"`

	// Labels are added to DefaultLabels.
	Labels map[string]string `pulumi:"labels,optional"`
	// Taints are added to DefaultTaints; one with the key and effect of a default replaces it.
	Taints []Taint `pulumi:"taints,optional"`
	// NoDefaultTaints leaves DefaultTaints out.
	NoDefaultTaints bool `pulumi:"noDefaultTaints,optional"`

	// LocalStorage is "none", the default, "raid0" for one volume of all local disks that containers and pods use,
	// or "raw" to leave the disks to a storage system.
	LocalStorage string `pulumi:"localStorage,optional"`
	// RootVolumeGiB is the size of the encrypted root volume, 100 when it is 0.
	RootVolumeGiB int `pulumi:"rootVolumeGiB,optional"`
	// OS is "al2023", the default, or "bottlerocket".
	OS string `pulumi:"os,optional"`
	// ImageRelease is the release of the EKS image, "1.35.2-20261110" say. When empty, the newest release is looked
	// up as the pool is made, and kept from then on.
	ImageRelease string `pulumi:"imageRelease,optional"`
	// AMI is the id of an image of one's own: Amazon Linux 2023 with nodeadm, and with the drivers that the instance
	// types need. EKS then bootstraps nothing, so Bootstrap is needed. Gaudi pools need one.
	AMI string `pulumi:"ami,optional"`
	// Bootstrap is what nodes of AMI must know of the cluster.
	Bootstrap Bootstrap `pulumi:"bootstrap,optional"`
	// Kubelet says how kubelet hands out CPUs, memory and huge pages.
	Kubelet Kubelet `pulumi:"kubelet,optional"`
	// System tunes the operating system of the nodes.
	System System `pulumi:"system,optional"`
	// GPUSharing lets several pods share a GPU; nil gives whole GPUs.
	GPUSharing *GPUSharing `pulumi:"gpuSharing,optional"`

	// NodeRepair lets EKS reboot or replace nodes that are broken. Broken accelerators are seen only with the add-on
	// eks-node-monitoring-agent.
	NodeRepair bool `pulumi:"nodeRepair,optional"`
	// Update says how many nodes an update takes away at a time, one when left out.
	Update Update `pulumi:"update,optional"`
	// RenamedFrom is the name that the pool had before. What runs is then taken over under the new name and not
	// replaced. Leave it in place: what is called by the old name in AWS would be replaced without it. A pool that is
	// renamed a second time is not replaced either, but its nodes are rolled.
	RenamedFrom string `pulumi:"renamedFrom,optional"`

	// Tags are put on the template, the node group, and the instances, volumes and interfaces of the nodes.
	Tags map[string]string `pulumi:"tags,optional"`
}

// Size is how many nodes a pool has.
type Size struct {
	Min     int `pulumi:"min"`
	Desired int `pulumi:"desired"`
	Max     int `pulumi:"max"`
}

// Window is when capacity begins and ends, in RFC 3339, "2026-12-01T11:30:00Z" say. Either may be left out.
type Window struct {
	Start string `pulumi:"start,optional"`
	End   string `pulumi:"end,optional"`
}

// Bootstrap is what a node must know of its cluster to join it, when EKS does not tell it.
type Bootstrap struct {
	// ClusterEndpoint is the URL of the API server.
	ClusterEndpoint pulumi.StringInput `pulumi:"clusterEndpoint"`
	// ClusterCA is the certificate authority of the API server, in base64.
	ClusterCA pulumi.StringInput `pulumi:"clusterCa"`
	// ServiceCIDR is the block of Service addresses, from which the address of cluster DNS follows.
	ServiceCIDR pulumi.StringInput `pulumi:"serviceCidr"`
}

// Update says how many nodes of a pool an update takes away at a time: a number or a percentage, not both.
//
// EKS launches the new nodes first and drains the old ones then, so an update needs room beyond the pool: one that
// fills its reservation or Capacity Block cannot be updated unless its desired size is zero.
type Update struct {
	MaxUnavailable           int `pulumi:"maxUnavailable,optional"`
	MaxUnavailablePercentage int `pulumi:"maxUnavailablePercentage,optional"`
}

// resolved returns the arguments with defaults filled in.
func (a PoolArgs) resolved() PoolArgs {
	a.Fabric = fabricOrNone(a.Fabric)
	if a.Capacity == "" {
		a.Capacity = "on_demand"
	}
	if a.LocalStorage == "" {
		a.LocalStorage = "none"
	}
	if a.RootVolumeGiB == 0 {
		a.RootVolumeGiB = 100
	}
	if a.OS == "" {
		a.OS = osAL2023
	}
	if a.Update == (Update{}) {
		a.Update.MaxUnavailable = 1
	}
	a.Catalog = cmp.Or(a.Catalog, catalog.Default())
	if a.Now == "" {
		a.Now = time.Now().UTC().Format(time.RFC3339)
	}
	return a
}

// fabricOrNone returns the fabric, "none" when it is left out.
func fabricOrNone(fabric string) string {
	if fabric == "" {
		return string(catalog.FabricNone)
	}
	return fabric
}
