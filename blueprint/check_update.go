package blueprint

import "github.com/hashicorp/hcl/v2"

// checkUpdate refuses two bounds of one update. Source: EKS API, NodegroupUpdateConfig.
func checkUpdate(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, p := range b.NodePools {
		if u := p.Update; u.MaxUnavailable.IsSet() && u.MaxUnavailablePercentage.IsSet() {
			diags = append(diags, errorf(u.MaxUnavailablePercentage.Range, "Update bounded twice", "Write max_unavailable or max_unavailable_percentage, not both."))
		}
	}
	return diags
}
