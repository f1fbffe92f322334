package stacks

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/gpuyard/gpuyard/blueprint"
)

// refuseUnbuilt names every part of a blueprint that the language knows and the components cannot make yet. Such a part
// is refused, never ignored: an environment that lacks what its blueprint says is worse than none.
func refuseUnbuilt(b *blueprint.Blueprint) hcl.Diagnostics {
	var diags hcl.Diagnostics
	refuse := func(at hcl.Range, what string) {
		diags = append(diags, &hcl.Diagnostic{
			Severity: hcl.DiagError,
			Summary:  "Not built yet",
			Detail: fmt.Sprintf("The blueprint language has %s, and this version of gpuyard cannot make it. "+
				"Remove it to bring up the rest.", what),
			Subject: at.Ptr(),
			Extra:   blueprint.RuleUnbuilt,
		})
	}
	if b.Network == nil {
		refuseWithoutNetwork(b, refuse)
	}
	for _, s := range b.Storage {
		if !slices.ContainsFunc(storageKinds(), func(k storageKind) bool { return k.kind == s.Kind.Value }) {
			refuse(s.Range, fmt.Sprintf("storage %q", s.Kind))
		}
	}
	for _, c := range b.Caches {
		if !slices.ContainsFunc(cacheKinds(), func(k cacheKind) bool { return k.kind == c.Kind.Value }) {
			refuse(c.Range, fmt.Sprintf("cache %q", c.Kind))
		}
	}
	for _, s := range b.Serverless {
		if !slices.ContainsFunc(serverlessKinds(), func(k serverlessKind) bool { return k.kind == s.Kind.Value }) {
			refuse(s.Range, fmt.Sprintf("serverless %q", s.Kind))
		}
	}
	if b.Platform != nil {
		refuse(b.Platform.Range, "the platform block")
	}
	return diags
}

// refuseWithoutNetwork names what needs a cluster, and so a network block, to stand in.
func refuseWithoutNetwork(b *blueprint.Blueprint, refuse func(hcl.Range, string)) {
	for _, s := range b.Storage {
		refuse(s.Range, "storage without a network block")
	}
	for _, c := range b.Caches {
		refuse(c.Range, "a cache without a network block")
	}
	if len(b.Serverless) == 0 {
		refuse(b.Environment.Range, "environments of nothing at all")
	}
}
