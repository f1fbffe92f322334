package pack

var addonVersionPinned = Policy{
	Name: "addon-version-pinned", Level: Mandatory, Area: Cluster,
	Summary: "EKS add-ons state their version.",
	Why: "Without a version EKS takes its default of the day. Two environments from one program then differ, and a new VPC CNI arrives " +
		"in production untried.",
	Fix:    "Set `addonVersion`, from `aws.eks.getAddonVersion` or by hand.",
	Tokens: []string{tokenAddon},

	Resource: func(r *Resource, _ Config) []Finding {
		if version, ok := r.Get("addonVersion").TextOr(""); ok && version == "" {
			return one("addonVersion is left out for %s.", r.Get("addonName").Quote())
		}
		return nil
	},
}
