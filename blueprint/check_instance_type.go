package blueprint

import (
	"errors"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

// checkInstanceType refuses types that the catalog does not know, and one that is listed twice.
func checkInstanceType(b *Blueprint, k known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	near := map[string][]string{} // a mistake is often made in many pools
	for _, p := range b.NodePools {
		seen := map[string]bool{}
		for _, name := range p.InstanceTypes {
			if seen[name.Value] {
				diags = append(diags, errorf(name.Range, "Duplicate instance type", "%s is listed twice.", name))
			}
			seen[name.Value] = true
			if lookupType(p, name.Value) != nil {
				continue
			}
			if _, asked := near[name.Value]; !asked && len(near) < 100 {
				var unknown *catalog.UnknownTypeError
				if _, err := k.catalog.Lookup(name.Value); errors.As(err, &unknown) {
					near[name.Value] = unknown.Near
				}
			}
			diags = append(diags, errorf(name.Range, "Unknown instance type", "%q is no instance type that gpuyard knows.%s `gpuyard catalog refresh` asks AWS for newer ones.",
				name.String(), didYouMean("", near[name.Value])))
		}
	}
	return diags
}
