package blueprint

import "github.com/hashicorp/hcl/v2"

// Cache is a cache in front of a storage, labelled with its kind and name. Exactly one of the pointers is set.
type Cache struct {
	// Kind is alluxio.
	Kind Value[string]
	Name Value[string]
	// Range is the block's header.
	Range hcl.Range

	Alluxio *Alluxio
}

// Alluxio is a cache of memory and local disks that Fluid runs.
type Alluxio struct {
	Tier   Value[string]   `bp:"tier" default:"hot" legal:"hot warm" doc:"Where the data stands among the tiers."`
	Source Value[*Storage] `bp:"source,required" doc:"Storage that is cached."`
	Warm   Value[*Storage] `bp:"warm" doc:"Local storage for what does not fit into memory."`
	// Pool is where the cached data is kept: see CacheNodes.
	Pool Value[*NodePool] `bp:"pool" doc:"Pool whose nodes keep the cached data; left out, that of warm, or the one with most memory to spare."`
	// Memory is the quota a node in MiB.
	Memory  Value[int]      `bp:"memory" default:"16GiB" unit:"MiB" min:"1024" doc:"Memory for the cache on each node."`
	Preload []Value[string] `bp:"preload" doc:"Paths of the source that are loaded ahead."`
}

func cacheBlock() blockType {
	return blockType{
		Name: "cache", Labels: []string{"kind", "name"},
		Doc: "A cache in front of a storage.",
		ref: "cache",
		Kinds: []blockKind{
			{"alluxio", "Memory and local disks in front of a bucket.", typeOf[Alluxio](), func(m any) any { return made(&m.(*Cache).Alluxio) }},
		},
		add: func(b *Blueprint, h header) any {
			c := &Cache{Kind: h.kind, Name: h.name, Range: h.at}
			b.Caches = append(b.Caches, c)
			return c
		},
	}
}
