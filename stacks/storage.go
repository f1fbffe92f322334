package stacks

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/components/cluster"
	gpunodes "github.com/gpuyard/gpuyard/components/gpu-nodes"
	"github.com/gpuyard/gpuyard/components/network"
	"github.com/gpuyard/gpuyard/components/storage"
)

// storageKind says how one kind of storage is explained and made.
type storageKind struct {
	kind string
	// explain lists what a store comes to.
	explain func(p *Plan, s *blueprint.Storage) []Fact
	// deploy makes all stores of the kind, in the blueprint's order, and the driver that they share before them.
	deploy func(d *storing, stores []*blueprint.Storage) error
}

// storageKinds lists the kinds that can be made, in the order in which they are: a store may refer to one of a kind
// above its own.
func storageKinds() []storageKind {
	return []storageKind{
		s3Kind(),
		lustreKind(),
		cephKind(),
		localNVMeKind(),
	}
}

// cacheKind says how one kind of cache is explained and made.
type cacheKind struct {
	kind    string
	explain func(p *Plan, c *blueprint.Cache) []Fact
	deploy  func(d *storing, caches []*blueprint.Cache) error
}

// cacheKinds lists the kinds of caches that can be made. Caches are made after all stores.
func cacheKinds() []cacheKind {
	return []cacheKind{alluxioKind()}
}

// storing is what the builders of all kinds share.
type storing struct {
	ctx  *pulumi.Context
	plan *Plan
	vpc  *network.VPC
	eks  *cluster.Cluster
	// pools are the node pools by name, and fabrics the security groups of those with a fabric.
	pools   map[string]*gpunodes.Pool
	fabrics map[string]pulumi.StringOutput
	// nodes is what pods need before they start: the node groups, the chained CNI, names and volumes; early is that without
	// names and volumes.
	nodes, early []pulumi.Resource
	tags         map[string]string
	// cloud are the options of a component that makes resources of AWS, of the cluster or of both: the providers, and
	// the environment's protection.
	cloud []pulumi.ResourceOption
	// providers are those of cloud without the protection, for drivers and other things that hold nothing.
	providers pulumi.ResourceOption
	// buckets are the buckets that were made, by name.
	buckets map[string]*storage.S3
	// claims are the claims of mounted buckets.
	claims []pulumi.Resource
	// outputs is the stack's output "storage": what is to be known of each store, by name.
	outputs pulumi.Map
}

// name is the name of a store's component.
func (d *storing) name(store string) string {
	return d.plan.Blueprint.Environment.Name.Value + "-" + store
}

// deployStorage makes every store and cache of the blueprint.
func deployStorage(d *storing) error {
	b := d.plan.Blueprint
	for _, k := range storageKinds() {
		var stores []*blueprint.Storage
		for _, s := range b.Storage {
			if s.Kind.Value == k.kind {
				stores = append(stores, s)
			}
		}
		if len(stores) == 0 {
			continue
		}
		if err := k.deploy(d, stores); err != nil {
			return fmt.Errorf("storage %q: %w", k.kind, err)
		}
	}
	for _, k := range cacheKinds() {
		var caches []*blueprint.Cache
		for _, c := range b.Caches {
			if c.Kind.Value == k.kind {
				caches = append(caches, c)
			}
		}
		if len(caches) == 0 {
			continue
		}
		if err := k.deploy(d, caches); err != nil {
			return fmt.Errorf("cache %q: %w", k.kind, err)
		}
	}
	return nil
}

// ExplainStorage has a section for each store and cache.
func (p *Plan) ExplainStorage() []Section {
	var sections []Section
	for _, s := range p.Blueprint.Storage {
		for _, k := range storageKinds() {
			if k.kind == s.Kind.Value {
				sections = append(sections, Section{Title: fmt.Sprintf("storage %s %s", s.Kind.Value, s.Name.Value), Facts: k.explain(p, s)})
			}
		}
	}
	for _, c := range p.Blueprint.Caches {
		for _, k := range cacheKinds() {
			if k.kind == c.Kind.Value {
				sections = append(sections, Section{Title: fmt.Sprintf("cache %s %s", c.Kind.Value, c.Name.Value), Facts: k.explain(p, c)})
			}
		}
	}
	return sections
}
