package blueprint

import "github.com/hashicorp/hcl/v2"

// checkRename refuses a former name that a pool has today, its own or another's: the running nodes would belong to two.
func checkRename(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	taken, claimed := map[string]bool{}, map[string]bool{}
	for _, p := range b.NodePools {
		taken[p.Name.Value] = true
	}
	for _, p := range b.NodePools {
		old := p.RenamedFrom
		switch {
		case !old.IsSet():
		case taken[old.Value]:
			diags = append(diags, errorf(old.Range, "Former name in use", "There is a node_pool %q in this blueprint, so its nodes cannot go over to %q.", old.String(), p.Name))
		case claimed[old.Value]:
			diags = append(diags, errorf(old.Range, "Former name in use", "Another pool was renamed from %q already.", old.String()))
		}
		claimed[old.Value] = true
	}
	return diags
}
