package pack

import (
	"slices"
	"strings"
)

var allowedInstanceFamilies = Policy{
	Name: "allowed-instance-families", Level: Mandatory, Area: Nodes,
	Summary: "Instance types are of the families that the configuration allows.",
	Why:     "A sandbox should not start an 8-GPU server by a typing error, and a quota is worth little where nobody meant the type.",
	Fix:     "Take a type of an allowed family, or add the family to `families`.",
	Tokens:  []string{tokenNodeGroup, tokenLaunchTemplate, tokenInstance},
	Settings: []Setting{{Name: "families", Kind: TextsSetting,
		Doc: "The families that may be used, such as `g6` or `m7i`. Left out: every family."}},
	Resource: judgeAllowedInstanceFamilies,
}

func judgeAllowedInstanceFamilies(r *Resource, c Config) []Finding {
	families := c.texts("families")
	if len(families) == 0 {
		return nil
	}
	names, _ := r.Get("instanceTypes").List()
	var findings []Finding
	for _, v := range append(names, r.Get("instanceType")) {
		name, ok := v.Text()
		family, _, _ := strings.Cut(name, ".")
		if ok && !slices.Contains(families, family) {
			findings = append(findings, one("%s is not of the families %s.", v.Quote(), strings.Join(families, ", "))...)
		}
	}
	return findings
}
