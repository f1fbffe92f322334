package headroom

import (
	"fmt"
	"strings"
)

// The heaps of Alluxio's processes on a node that keeps a part of the cache, in MiB: the worker's and its job worker's,
// and the FUSE client's. Fluid's own defaults (12 GiB and 32 GiB of direct memory for a worker, 16 and 32 for a client)
// are sized for nodes with hundreds of GiB.
// Source: Fluid 1.0.8, pkg/ddc/alluxio/transform_optimization.go.
const (
	WorkerHeapMiB = 4096
	FuseHeapMiB   = 4096
)

// The share of a node's memory, in thousandths, that the hypervisor and the kernel keep to themselves, and the share that
// jobs keep whatever the cache asks for.
// Source of the first: Karpenter, VM_MEMORY_OVERHEAD_PERCENT, 7.5 by default. The second is our own judgement: a node
// that only caches loads nothing.
const (
	overheadThousandths = 75
	jobsThousandths     = 250
)

// Node is what counts of a node.
type Node struct {
	// Name is how messages call it, such as an instance type.
	Name string
	// MemoryMiB is the memory of its type, and MaxPods how many pods it takes.
	MemoryMiB, MaxPods int
	// HugepagesMiB is what is set aside as huge pages, which nothing else can use.
	HugepagesMiB int
	// TakenMiB is what other storage on the node asks for, such as Ceph's daemons.
	TakenMiB int
}

// AllocatableMiB is what pods can ask for: the memory that the kernel sees, without what kubelet keeps for the system and
// what it starts to evict at.
// Source: amazon-eks-ami, nodeadm, kubelet configuration: 255 MiB and 11 MiB a pod are reserved, eviction begins at 100 MiB.
func (n Node) AllocatableMiB() int {
	seen := n.MemoryMiB - n.MemoryMiB*overheadThousandths/1000
	return max(seen-255-11*n.MaxPods-100, 0)
}

// Spare is how much of a node a cache may take, and why.
type Spare struct {
	// MiB is what is left for cached data; it is zero where nothing is.
	MiB int
	// Why is the arithmetic, in words.
	Why string
}

// Cache works out what a node can spare for cached data.
func Cache(n Node) Spare {
	allocatable, jobs := n.AllocatableMiB(), n.MemoryMiB*jobsThousandths/1000
	parts := []string{fmt.Sprintf("%s of %s is allocatable", gib(allocatable), n.Name)}
	left := allocatable
	for _, p := range []struct {
		what string
		mib  int
	}{
		{"huge pages", n.HugepagesMiB}, {"other storage", n.TakenMiB},
		{"Alluxio's heaps", WorkerHeapMiB + FuseHeapMiB}, {"jobs", jobs},
	} {
		if p.mib > 0 {
			left -= p.mib
			parts = append(parts, fmt.Sprintf("%s for %s", gib(p.mib), p.what))
		}
	}
	left = max(left, 0)
	return Spare{MiB: left, Why: fmt.Sprintf("%s; without %s, %s is left", parts[0], strings.Join(parts[1:], ", "), gib(left))}
}

// What each of Ceph's daemons asks for, in MiB.
// Source: Rook 1.20.6, chart rook-ceph-cluster, values.yaml; Ceph, "Hardware recommendations" (4 GiB an OSD).
const (
	OSDMiB     = 4096
	MonitorMiB = 1024
	ManagerMiB = 512
	MDSMiB     = 4096
)

// CephMiB is what Ceph's daemons ask for on the fullest node of a pool with so many disks a node: one for each disk, a
// monitor, a manager and a metadata server.
func CephMiB(disks int) int { return disks*OSDMiB + MonitorMiB + ManagerMiB + MDSMiB }

// gib prints MiB as people read them.
func gib(mib int) string {
	text := strings.TrimSuffix(fmt.Sprintf("%.1f", float64(mib)/1024), ".0")
	return text + " GiB"
}
