package pack

var efaPrimaryInterface = Policy{
	Name: "efa-primary-interface", Level: Mandatory, Area: Fabric,
	Summary: "The primary network interface has an IP address.",
	Why:     "An `efa-only` interface has no IP address, so it cannot be the one at card 0, device 0: EC2 refuses the launch.",
	Fix:     "Make the interface at card 0, device 0 of type `interface` (or `efa`), and put the `efa-only` one at device 1.",
	Tokens:  []string{tokenLaunchTemplate},

	Resource: func(r *Resource, _ Config) []Finding {
		for _, n := range interfaces(r) {
			if n.placed && n.card == 0 && n.device == 0 && n.kind == "efa-only" {
				return one("The primary interface (0/0) is efa-only: make it \"interface\", and put the efa-only one at device 1.")
			}
		}
		return nil
	},
}
