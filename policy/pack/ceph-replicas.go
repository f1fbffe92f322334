package pack

import (
	"fmt"
)

var cephReplicas = Policy{
	Name: "ceph-replicas", Level: Mandatory, Area: Storage,
	Summary: "Ceph pools keep three replicas, apart.",
	Why: "With two replicas a second failure while the first is being repaired loses data, and with one failure domain both are on one " +
		"host. On instance storage a stopped node is a lost disk.",
	Fix:    "Set `replicated.size` to 3 and `failureDomain` to `host` or `zone` in every pool.",
	Tokens: []string{tokenCephPool, tokenCephFilesystem, tokenCephStore, tokenRelease, tokenChart},

	Resource: judgeCephReplicas,
}

func judgeCephReplicas(r *Resource, _ Config) []Finding {
	var findings []Finding
	for _, p := range cephPools(r) {
		if !p.spec.Get("erasureCoded").Absent() {
			continue
		}
		size := p.spec.Get("replicated", "size")
		if n, ok := size.NumberOr(1); ok && n < 3 {
			findings = append(findings, one("%s.replicated.size is %s: three are needed.", p.path, size.Quote())...)
		}
		domain := p.spec.Get("failureDomain")
		if text, ok := domain.TextOr("host"); ok && text == "osd" {
			findings = append(findings, one("%s.failureDomain is %s, which lets all replicas be on one host.", p.path, domain.Quote())...)
		}
	}
	return findings
}

type cephPool struct {
	path string
	spec Value
}

// cephPools returns the pools that a custom resource, or a release of the chart rook-ceph-cluster, describes. A pool of
// a release that lists none comes from the chart's own values, which have three replicas.
// Source: Rook, CephBlockPool, CephFilesystem and CephObjectStore CRDs; chart rook-ceph-cluster v1.20.6.
func cephPools(r *Resource) []cephPool {
	var pools []cephPool
	add := func(path string, v Value) {
		if !v.Absent() {
			pools = append(pools, cephPool{path, v})
		}
	}
	spec := func(kind, path string, v Value) {
		switch kind {
		case tokenCephPool:
			add(path, v)
		case tokenCephFilesystem:
			add(path+".metadataPool", v.Get("metadataPool"))
			list, _ := v.Get("dataPools").List()
			for i, p := range list {
				add(fmt.Sprintf("%s.dataPools[%d]", path, i), p)
			}
		case tokenCephStore:
			add(path+".metadataPool", v.Get("metadataPool"))
			add(path+".dataPool", v.Get("dataPool"))
		}
	}
	if r.Type != tokenRelease && r.Type != tokenChart {
		spec(r.Type, "spec", r.Get("spec"))
		return pools
	}
	for _, kind := range []struct{ name, token string }{
		{"cephBlockPools", tokenCephPool}, {"cephFileSystems", tokenCephFilesystem}, {"cephObjectStores", tokenCephStore},
	} {
		list, _ := r.Get("values", kind.name).List()
		for i, v := range list {
			spec(kind.token, fmt.Sprintf("values.%s[%d].spec", kind.name, i), v.Get("spec"))
		}
	}
	return pools
}
