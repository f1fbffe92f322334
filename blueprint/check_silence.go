package blueprint

import (
	"slices"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// checkSilence refuses to silence a rule that does not exist: a typing mistake would silence nothing, unnoticed.
func checkSilence(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	rules := Rules()
	for _, name := range b.Environment.Silence {
		if !slices.Contains(rules, name.Value) {
			diags = append(diags, errorf(name.Range, "Unknown rule", "There is no rule %q.%s Each warning of `gpuyard validate --json` names its rule.",
				name.String(), didYouMean("", catalog.Near(name.Value, rules))))
		}
	}
	return diags
}
