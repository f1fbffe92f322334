package pack

var containerAppIngress = Policy{
	Name: "container-app-ingress", Level: Mandatory, Area: Serverless,
	Summary: "Container apps are not reachable from outside unless that is said.",
	Why:     "External ingress gives the app a public address. A model server has no login of its own, and each call starts a GPU.",
	Fix: "Set `configuration.ingress.external` to false, or tag an app that is meant to be public with `gpuyard.dev/public: \"true\"`, and " +
		"limit `ipSecurityRestrictions`.",
	Tokens: []string{tokenContainerApp},

	Resource: func(r *Resource, _ Config) []Finding {
		external, ok := r.Get("configuration", "ingress", "external").FlagOr(false)
		meant, known := r.Get("tags", "gpuyard.dev/public").FlagOr(false)
		if !ok || !external || meant || !known {
			return nil
		}
		return one("The ingress is external, and the app has no tag gpuyard.dev/public.")
	},
}
