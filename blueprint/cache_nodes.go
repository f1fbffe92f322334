package blueprint

import (
	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/internal/headroom"
)

// CacheNodes is the pool whose nodes keep the data of a cache: its own, or that of the warm tier, or else the one whose
// nodes have most memory to spare; nil where none has any.
func (b *Blueprint) CacheNodes(a *Alluxio) *NodePool {
	if a.Pool.IsSet() {
		return a.Pool.Value
	}
	if w := a.Warm.Value; w != nil && w.LocalNVMe != nil {
		return w.LocalNVMe.Pool.Value
	}
	var best *NodePool
	most := 0
	for _, p := range b.NodePools {
		least, _ := p.Wanted()
		if spare, known := b.poolSpare(p); known && least > 0 && spare.MiB > most {
			best, most = p, spare.MiB
		}
	}
	return best
}

// MemoryFit is how much of its memory a cache gets on each node, in MiB, and why. Where a warm tier stands behind it, the
// memory tier shrinks to what a node can spare and the rest of the data is one tier below.
func (b *Blueprint) MemoryFit(a *Alluxio) (int, string) {
	spare, known := b.cacheSpare(a)
	switch {
	case !known || a.Memory.Value <= spare.MiB:
		return a.Memory.Value, "as asked for"
	default:
		return spare.MiB, spare.Why
	}
}

// cacheSpare is what the smallest node of a cache's pool can spare.
func (b *Blueprint) cacheSpare(a *Alluxio) (headroom.Spare, bool) {
	return b.poolSpare(b.CacheNodes(a))
}

// poolSpare is what the smallest node of a pool can spare; of hosts, nothing is known.
func (b *Blueprint) poolSpare(pool *NodePool) (headroom.Spare, bool) {
	var least headroom.Spare
	if pool == nil {
		return least, false
	}
	for i, t := range pool.Types {
		spare := headroom.Cache(poolNode(pool, t, b.cephMiB(pool, t)))
		if i == 0 || spare.MiB < least.MiB {
			least = spare
		}
	}
	return least, len(pool.Types) > 0
}

// cephMiB is the memory that Ceph takes on a pool's nodes.
func (b *Blueprint) cephMiB(pool *NodePool, t *catalog.InstanceType) int {
	for _, s := range b.Storage {
		if s.Ceph != nil && s.Ceph.Pool.Value == pool {
			return headroom.CephMiB(s.Ceph.DisksPerNode(t))
		}
	}
	return 0
}

// DisksPerNode is how many disks of a node of a type hold data.
func (c *Ceph) DisksPerNode(t *catalog.InstanceType) int {
	switch {
	case c.VolumeSize.IsSet():
		return 1
	case t.Disks == nil:
		return 0
	default:
		return t.Disks.Count
	}
}

// poolNode is a node of a pool, as far as its memory counts.
func poolNode(pool *NodePool, t *catalog.InstanceType, taken int) headroom.Node {
	n := headroom.Node{Name: t.Name, MemoryMiB: t.MemoryMiB, TakenMiB: taken}
	plan, err := t.InterfacePlan(catalog.Fabric(pool.Fabric.Value))
	if err == nil {
		n.MaxPods = t.MaxPods(plan)
	}
	pages := map[string]int{}
	if pool.Profile != nil {
		pages = pool.Profile.Resolved().Hugepages
	}
	n.HugepagesMiB = 2*max(pages["2Mi"], catalog.Hugepages2Mi(plan)) + 1024*pages["1Gi"]
	return n
}
