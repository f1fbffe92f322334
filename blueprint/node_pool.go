package blueprint

import (
	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// NodePool is a group of equal nodes: EC2 instances of an EKS node group, or hosts prepared over SSH.
type NodePool struct {
	// Name is the block's label.
	Name Value[string]
	// InstanceTypes are EC2 types in order of preference; empty for a pool of hosts.
	InstanceTypes []Value[string] `bp:"instance_types" form:"instance type" doc:"EC2 instance types in order of preference, alike in architecture and accelerator."`
	// Zone narrows the pool to one zone; unset, it spreads over all zones of the network.
	Zone Value[string] `bp:"zone" form:"zone" doc:"The one zone of the pool, written as in network.zones; left out, all of them."`
	// Size bounds the number of nodes.
	Size Size `bp:"size" doc:"How many nodes: { min, desired, max }."`
	// Schedules are a timetable of the number of nodes.
	Schedules []PoolSchedule `bp:"schedules" doc:"Times at which the number of nodes changes, again and again."`
	// Fabric is the RDMA network between the nodes.
	Fabric Value[string] `bp:"fabric" default:"none" legal:"none efa roce" doc:"The RDMA network between nodes: efa on EC2, roce on hosts."`
	// LocalStorage says what becomes of the instance store.
	LocalStorage Value[string] `bp:"local_storage" default:"none" legal:"none raid0 raw" doc:"Local disks: left alone, one RAID 0 file system, or raw for a storage system."`
	// AMI names an image of one's own instead of EKS's.
	AMI Value[string] `bp:"ami" form:"image id" doc:"Image id to use instead of the EKS optimized image."`
	// ImageRelease pins the release of the EKS optimized image.
	ImageRelease Value[string] `bp:"image_release" doc:"Release of the EKS optimized image, such as 1.35.0-20261115; left out, today's is taken and kept."`
	// RootVolume is the size of the root disk in GiB.
	RootVolume Value[int] `bp:"root_volume" default:"100GiB" unit:"GiB" min:"20" max:"16384" doc:"Size of the root disk."`
	// OS is the operating system of the EKS optimized image.
	OS Value[string] `bp:"os" default:"al2023" legal:"al2023 bottlerocket" doc:"Operating system of the nodes: Amazon Linux 2023 or Bottlerocket."`
	// NodeRepair lets EKS replace nodes whose hardware or system fails.
	NodeRepair Value[bool] `bp:"node_repair" default:"false" doc:"Let EKS reboot or replace nodes that its health checks find broken."`
	// Update says how many nodes a change may take away at once.
	Update Update `bp:"update" doc:"How many nodes a change takes away at once: { max_unavailable } or { max_unavailable_percentage }."`
	// RenamedFrom is the pool's former name: the running pool is kept under its new one.
	RenamedFrom Value[string] `bp:"renamed_from" doc:"Former name of the pool, so that a new name does not replace the running nodes."`
	// Profile tunes the nodes' system; nil for none.
	Profile *NodeProfile `bp:"profile" doc:"How the nodes' system is tuned."`
	// Labels are Kubernetes labels of the nodes.
	Labels   map[string]string `bp:"labels" doc:"Kubernetes labels of the nodes."`
	LabelsAt map[string]hcl.Range
	// Taints are Kubernetes taints of the nodes, besides those that accelerators get by default.
	Taints []Taint `bp:"taints" doc:"Kubernetes taints of the nodes."`
	// Capacity says how the instances are bought.
	Capacity Capacity `bp:"capacity,block" doc:"How the instances are bought."`
	// GPUSharing splits each GPU among pods; nil for none.
	GPUSharing *GPUSharing `bp:"gpu_sharing" doc:"How each GPU is shared among pods."`
	// Accelerator says what the hosts of a pool hold; EC2 types say so themselves.
	Accelerator *PoolAccelerator `bp:"accelerator" doc:"The accelerators of each host, for a pool of hosts."`
	// Hosts are servers prepared over SSH; nil for a pool on EC2.
	Hosts *Hosts `bp:"hosts,block" doc:"Servers that are prepared over SSH and join as EKS hybrid nodes."`
	// Range is the block's header.
	Range hcl.Range
	// Types are the InstanceTypes that the catalog knows, in the same order.
	Types []*catalog.InstanceType
}

// Zones returns the zones that the pool uses, as they are written.
func (p *NodePool) Zones(n *Network) []string {
	if p.Zone.Value != "" {
		return []string{p.Zone.Value}
	}
	if n == nil || p.Hosts != nil {
		return nil
	}
	out := make([]string, len(n.Zones))
	for i, z := range n.Zones {
		out[i] = z.Value
	}
	return out
}

// Size bounds the number of nodes of a pool.
type Size struct {
	// Min is what autoscaling keeps at least.
	Min Value[int] `bp:"min,required" min:"0" max:"5000" doc:"Fewest nodes."`
	// Desired is how many there are to begin with. With schedules it counts only then.
	Desired Value[int] `bp:"desired,required" min:"0" max:"5000" doc:"Nodes to begin with."`
	// Max is what autoscaling makes at most.
	Max Value[int] `bp:"max,required" max:"5000" doc:"Most nodes."`
	// Range is the whole object.
	Range hcl.Range
}

// PoolSchedule sets the number of nodes at a time that recurs.
//
// Source: EC2 Auto Scaling User Guide, "Scheduled scaling for Amazon EC2 Auto Scaling".
type PoolSchedule struct {
	Name     Value[string] `bp:"name,required" doc:"Name of the schedule."`
	Cron     Value[string] `bp:"cron,required" doc:"Five fields as cron has them, such as 0 7 * * MON-FRI."`
	Timezone Value[string] `bp:"timezone" default:"Etc/UTC" doc:"Time zone of the schedule, such as Europe/Berlin."`
	Desired  Value[int]    `bp:"desired,required" min:"0" max:"5000" doc:"Nodes from then on, until another schedule comes: min to max of size."`
	Range    hcl.Range
}

// Wanted bounds how many nodes the pool wants by itself: the desired ones, and what its schedules make of them.
func (p *NodePool) Wanted() (least, most int) {
	least, most = p.Size.Desired.Value, p.Size.Desired.Value
	for _, s := range p.Schedules {
		least, most = min(least, s.Desired.Value), max(most, s.Desired.Value)
	}
	return least, most
}

// Taint keeps pods off a node that do not tolerate it.
type Taint struct {
	Key    Value[string] `bp:"key,required" doc:"Key of the taint."`
	Value  Value[string] `bp:"value" default:"" doc:"Value of the taint."`
	Effect Value[string] `bp:"effect,required" legal:"NoSchedule PreferNoSchedule NoExecute" doc:"What happens to pods that do not tolerate it."`
	Range  hcl.Range
}

// Capacity says how the instances of a pool are bought.
type Capacity struct {
	// Kind is on_demand, spot, reservation (On-Demand Capacity Reservation) or capacity_block.
	Kind Value[string] `bp:"kind" default:"on_demand" legal:"on_demand spot reservation capacity_block" doc:"How the instances are bought."`
	// Reservation is the id of the reservation or capacity block.
	Reservation Value[string] `bp:"reservation" form:"reservation id" doc:"Id of the reservation or Capacity Block, such as cr-0123456789abcdef0."`
	// Reservations are several On-Demand Capacity Reservations that the pool draws from, by ARN.
	Reservations []Value[string] `bp:"reservations" form:"reservation ARN" doc:"Several reservations to draw from, by ARN, instead of one."`
	// Start and End bound the time of a Capacity Block, in RFC 3339. The nodes come at its start and go before its end.
	Start Value[string] `bp:"start" form:"time" doc:"When a Capacity Block begins, such as 2026-12-01T11:30:00Z: the pool has no node before."`
	End   Value[string] `bp:"end" form:"time" doc:"When a Capacity Block ends: the pool is emptied in time before."`
	// Range is the block's header.
	Range hcl.Range
}

// Update says how many nodes of a pool a change takes away at once; EKS's own one node if neither is set.
type Update struct {
	MaxUnavailable           Value[int] `bp:"max_unavailable" min:"1" max:"100" doc:"Nodes."`
	MaxUnavailablePercentage Value[int] `bp:"max_unavailable_percentage" min:"1" max:"100" doc:"Percentage of the nodes."`
	Range                    hcl.Range
}

// GPUSharing says how each GPU of a node is shared among pods.
type GPUSharing struct {
	Kind Value[string] `bp:"kind,required" legal:"mig time_slicing mps" doc:"mig splits the hardware; time_slicing and mps share it."`
	// Profile is the MIG profile that each GPU is split into.
	Profile Value[string] `bp:"profile" doc:"MIG profile of every slice, such as 1g.5gb."`
	// Replicas is how many pods share a GPU.
	Replicas Value[int] `bp:"replicas" min:"2" max:"48" doc:"Pods per GPU, for time_slicing and mps."`
	Range    hcl.Range
}

// PoolAccelerator says what each host of a pool holds.
type PoolAccelerator struct {
	Kind  Value[string] `bp:"kind,required" legal:"gaudi2 gaudi3 a100 h100 h200 b200 b300 l40s" doc:"Model of the accelerator."`
	Count Value[int]    `bp:"count,required" min:"1" max:"16" doc:"Accelerators per host."`
	Range hcl.Range
}

// Hosts are servers prepared over SSH.
type Hosts struct {
	Addresses []Value[string] `bp:"addresses,required" form:"address" doc:"IP addresses or names of the servers."`
	User      Value[string]   `bp:"user" default:"root" doc:"User to log in as; it needs sudo without a password."`
	Port      Value[int]      `bp:"port" default:"22" min:"1" max:"65535" doc:"SSH port."`
	// KeyFile is the private key; unset, the SSH agent is asked.
	KeyFile Value[string] `bp:"key_file" doc:"Private key file; left out, the SSH agent is asked."`
	// KnownHosts holds the host keys. There is no way to accept an unknown key.
	KnownHosts Value[string] `bp:"known_hosts" default:"~/.ssh/known_hosts" doc:"File with the servers' host keys; unknown keys are refused."`
	Bastion    Value[string] `bp:"bastion" doc:"Jump host, as user@host or user@host:port."`
	// Reboot says whether an update may reboot the servers, one after the other.
	Reboot Value[string] `bp:"reboot" default:"never" legal:"never when_needed" doc:"Whether an update may reboot the servers, one after the other, for what counts only then."`
	// OnDestroy says what becomes of a server that is no longer in the pool.
	OnDestroy Value[string] `bp:"on_destroy" default:"leave" legal:"leave revert" doc:"Whether a server that leaves the pool stays as it was prepared, or is given back what it had before."`
	// Range is the block's header.
	Range hcl.Range
}

func nodePoolBlock() blockType {
	return blockType{
		Name: "node_pool", Labels: []string{"name"},
		Doc:   "A group of equal nodes: EC2 instances of an EKS node group, or hosts prepared over SSH.",
		model: typeOf[NodePool](),
		ref:   "node_pool",
		add: func(b *Blueprint, h header) any {
			p := &NodePool{Name: h.name, Range: h.at}
			b.NodePools = append(b.NodePools, p)
			return p
		},
	}
}
