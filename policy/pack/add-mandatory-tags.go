package pack

import (
	"maps"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

var addMandatoryTags = Policy{
	Name: "add-mandatory-tags", Level: Remediate, Area: Spending,
	Summary: "Missing tags whose value the configuration knows are added.",
	Why:     "Most tags are the same for a whole environment, and nobody should be stopped by one.",
	Fix:     "Nothing to do. What it adds is in `values`; `mandatory-tags` reports what is then still missing.",
	Tokens:  tagged,
	Settings: []Setting{{Name: "values", Kind: PairsSetting,
		Doc: "The tags to add where they are missing, with their values. Left out: none."}},
	Remedy: func(r *Resource, c Config) (property.Map, bool) {
		values := c.pairs("values")
		missing, ok := missingTags(r, slices.Sorted(maps.Keys(values)))
		if !ok || len(missing) == 0 {
			return property.Map{}, false
		}
		props := r.Properties
		for _, key := range missing {
			props = set(props, property.New(values[key]), "tags", key)
		}
		return props, true
	},
}
