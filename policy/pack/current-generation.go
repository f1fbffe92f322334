package pack

var currentGeneration = Policy{
	Name: "current-generation", Level: Advisory, Area: Nodes,
	Summary: "Instance types are of a current generation.",
	Why:     "AWS calls a type past when a successor does the same for less. Capacity of past types shrinks, and driver support ends.",
	Fix:     "Take a newer family; `gpuyard catalog list` shows what there is.",
	Tokens:  []string{tokenNodeGroup, tokenLaunchTemplate, tokenInstance},

	Resource: func(r *Resource, _ Config) []Finding {
		var findings []Finding
		for _, t := range typesAt(r) {
			if !t.CurrentGeneration {
				findings = append(findings, one("%s is of a past generation.", t.Name)...)
			}
		}
		return findings
	},
}
