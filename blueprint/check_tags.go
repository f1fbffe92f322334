package blueprint

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// mostTags leaves ten of AWS's fifty to gpuyard and the components.
const mostTags = 40

// checkTags refuses tags that AWS refuses.
//
// Source: AWS, "Tag your Amazon EC2 resources", tag restrictions.
func checkTags(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, key := range slices.Sorted(maps.Keys(b.Environment.Tags)) {
		at := b.Environment.TagsAt[key]
		switch {
		case strings.HasPrefix(strings.ToLower(key), "aws:"):
			diags = append(diags, errorf(at, "Illegal tag", "Tags that begin with aws: are AWS's own."))
		case key == "" || len(key) > 128:
			diags = append(diags, errorf(at, "Illegal tag", "The key of a tag has 1 to 128 characters, and this one has %d.", len(key)))
		case len(b.Environment.Tags[key]) > 256:
			diags = append(diags, errorf(at, "Illegal tag", "The value of a tag has at most 256 characters, and that of %q has %d.", key, len(b.Environment.Tags[key])))
		}
	}
	if n := len(b.Environment.Tags); n > mostTags {
		diags = append(diags, errorf(b.Environment.Range, "Too many tags", "A resource has 50 tags at most and gpuyard adds its own, so %d are left; here are %d.", mostTags, n))
	}
	return diags
}
