package stacks

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/gpuyard/gpuyard/blueprint"
	gpunodes "github.com/gpuyard/gpuyard/components/gpu-nodes"
	"github.com/gpuyard/gpuyard/nodeprep"
)

// judgeProfiles has package nodeprep judge every profile, also those that no pool uses, and places what it says.
func judgeProfiles(b *blueprint.Blueprint) hcl.Diagnostics {
	var diags hcl.Diagnostics
	said := map[hcl.Range]bool{}
	for _, p := range b.NodeProfiles {
		for _, problem := range nodeprep.Check(HostProfile(p)) {
			at := keyOf(p, problem.Key, p.Range)
			if said[at] && at != p.Range {
				continue // it stands in a profile underneath
			}
			said[at] = true
			diags = append(diags, &hcl.Diagnostic{
				Severity: hcl.DiagError, Summary: "Profile cannot be applied", Subject: &at,
				Detail: fmt.Sprintf("%s, in the profile %s.", problem, p.Name.Value),
			})
		}
	}
	return diags
}

// judgeHugepages refuses huge pages that the nodes of a pool have no memory for.
func judgeHugepages(p PoolPlan) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, err := range gpunodes.CheckHugepages(p.Profile.Hugepages, p.Pool.Types) {
		size := "2Mi"
		if p.Profile.Hugepages["1Gi"] > p.Profile.Hugepages[size]/512 {
			size = "1Gi" // which takes more of it
		}
		diags = append(diags, &hcl.Diagnostic{
			Severity: hcl.DiagError, Summary: "Too many huge pages", Subject: placeOf(p.Pool, "hugepages."+size).Ptr(),
			Detail: fmt.Sprintf("On the nodes of %s, %v.", p.Pool.Name.Value, err),
		})
	}
	return diags
}

// placeOf is where a key of a pool's profile was written: its own line, or else the pool.
func placeOf(pool *blueprint.NodePool, key string) hcl.Range {
	return keyOf(pool.Profile, key, pool.Range)
}

// keyOf is where a key of a profile was written, or else another place.
func keyOf(p *blueprint.NodeProfile, key string, otherwise hcl.Range) hcl.Range {
	if at := p.At(key); at != (hcl.Range{}) {
		return at
	}
	return otherwise
}
