package stacks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/components/storage"
)

func alluxioKind() cacheKind {
	return cacheKind{kind: "alluxio", explain: explainAlluxio, deploy: deployAlluxio}
}

// alluxioArgs maps a cache of the blueprint to the arguments of its component. It reads its source through the claim of
// the bucket: the driver that mounts it has the role, and Alluxio no keys.
func alluxioArgs(p *Plan, c *blueprint.Cache) *storage.AlluxioArgs {
	b := p.Blueprint
	pool := b.CacheNodes(c.Alluxio)
	memory, _ := b.MemoryFit(c.Alluxio)
	args := &storage.AlluxioArgs{
		Placement: placement(pool), Workers: pool.Size.Desired.Value, MemoryMiB: memory, Warm: warmTier(c),
		Source:  pulumi.String("pvc://" + c.Alluxio.Source.Value.Name.Value),
		Preload: values(c.Alluxio.Preload),
	}
	for _, p := range b.NodePools {
		args.Readers = append(args.Readers, storageTaints(p)...)
	}
	return args
}

// warmTier is a folder on the RAID of the nodes, or on their root disk where they have no local disks.
func warmTier(c *blueprint.Cache) *storage.WarmTier {
	if c.Alluxio.Warm.Value == nil {
		return nil
	}
	local := c.Alluxio.Warm.Value.LocalNVMe
	pool := local.Pool.Value
	if local.Kind() == blueprint.LocalRAID {
		// The rest is for containers, images and the volumes of claims.
		size := 0
		for _, t := range pool.Types {
			if of := t.Disks.Count * gibOfGB(t.Disks.SizeGB); size == 0 || of < size {
				size = of
			}
		}
		return &storage.WarmTier{Path: "/mnt/k8s-disks/0/alluxio", QuotaGiB: size * 7 / 10}
	}
	return &storage.WarmTier{Path: "/var/lib/alluxio", QuotaGiB: blueprint.RootTierGiB(pool)}
}

// cacheName is the name of a cache's component and claim. The bucket's own claim has the name of the bucket.
func (d *storing) cacheName(c *blueprint.Cache) string { return d.name(c.Name.Value) + "-cache" }

func deployAlluxio(d *storing, caches []*blueprint.Cache) error {
	fluid, err := storage.NewFluid(d.ctx, environment(d.plan)+"-fluid", d.providers, pulumi.DependsOn(d.nodes))
	if err != nil {
		return err
	}
	for _, c := range caches {
		cache, err := storage.NewAlluxio(d.ctx, d.cacheName(c), alluxioArgs(d.plan, c), d.providers, pulumi.DependsOn(slices.Concat(fluid.Ready(), d.claims)))
		if err != nil {
			return err
		}
		d.outputs[c.Name.Value+"-cache"] = pulumi.Map{"kind": pulumi.String("alluxio"), "claim": cache.ClaimName, "namespace": cache.Namespace}
	}
	return nil
}

func explainAlluxio(p *Plan, c *blueprint.Cache) []Fact {
	var x Section
	args := alluxioArgs(p, c)
	why := "the pool of its warm tier"
	switch {
	case c.Alluxio.Pool.IsSet():
		why = stated(c.Alluxio.Pool)
	case c.Alluxio.Warm.Value == nil:
		why = "the pool whose nodes have most memory to spare"
	}
	x.add("nodes", fmt.Sprintf("%d of pool %s", args.Workers, args.Placement.Pool), why)
	x.add("source", "storage."+c.Alluxio.Source.Value.Name.Value, "read through the bucket's claim, so that the cache holds no keys")
	_, why = p.Blueprint.MemoryFit(c.Alluxio)
	x.add("memory", fmt.Sprintf("%.4g GiB a node", float64(args.MemoryMiB)/1024), why)
	if args.Warm != nil {
		x.add("warm tier", fmt.Sprintf("%d GiB a node in %s", args.Warm.QuotaGiB, args.Warm.Path), stated(c.Alluxio.Warm))
	}
	preload := "nothing"
	if len(args.Preload) > 0 {
		preload = strings.Join(args.Preload, ", ")
	}
	x.add("loaded ahead", preload, "once, with the names of all files")
	x.add("claim", environment(p)+"-"+c.Name.Value+"-cache in namespace default, to read", "checkpoints do not go through a cache")
	return x.Facts
}
