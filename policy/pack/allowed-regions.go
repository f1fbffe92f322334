package pack

import (
	"slices"
	"strings"
)

var allowedRegions = Policy{
	Name: "allowed-regions", Level: Mandatory, Area: Spending,
	Summary: "Resources are made in the regions that the configuration allows.",
	Why:     "Data may have to stay in a country, quotas and contracts are a region's, and traffic between regions is paid for.",
	Fix:     "Set the provider's `region`, or add the region to `regions`.",
	Tokens:  []string{tokenAWSProvider},
	Settings: []Setting{{Name: "regions", Kind: TextsSetting,
		Doc: "The regions that may be used, such as `us-east-2`. Left out: every region."}},
	Resource: func(r *Resource, c Config) []Finding {
		regions := c.texts("regions")
		region, ok := r.Get("region").Text()
		if !ok || len(regions) == 0 || slices.Contains(regions, region) {
			return nil
		}
		return one("The provider's region is %s, and %s may be used.", r.Get("region").Quote(), strings.Join(regions, ", "))
	},
}
