package pack

import (
	"maps"
	"slices"
)

var efaOnePerCard = Policy{
	Name: "efa-one-per-card", Level: Mandatory, Area: Fabric,
	Summary: "A network card carries one EFA.",
	Why:     "EC2 refuses to launch an instance with two EFAs on a card. The node group then stays at zero with a launch error an hour later.",
	Fix:     "Put each EFA on a `networkCardIndex` of its own. `gpuyard catalog show TYPE` prints the plan for a type.",
	Tokens:  []string{tokenLaunchTemplate},

	Resource: judgeEFAOnePerCard,
}

// Source: EC2 User Guide, "Elastic Fabric Adapter", limitations.
func judgeEFAOnePerCard(r *Resource, _ Config) []Finding {
	count := map[int]int{}
	for _, n := range efas(r) {
		if n.placed {
			count[n.card]++
		}
	}
	var findings []Finding
	for _, card := range slices.Sorted(maps.Keys(count)) {
		if count[card] > 1 {
			findings = append(findings, one("Network card %d has %d EFAs, and one is the limit.", card, count[card])...)
		}
	}
	return findings
}
