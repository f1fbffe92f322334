package pack

import (
	"fmt"
)

var iamAdminStatement = Policy{
	Name: "iam-admin-statement", Level: Mandatory, Area: Identity,
	Summary: "No policy allows every action on every resource.",
	Why:     "Whoever gets onto a node or into a pod with that role has the account.",
	Fix:     "Name the actions and resources. The finding says which statement it is.",
	Tokens:  []string{tokenIAMPolicy, tokenRolePolicy, tokenUserPolicy, tokenGroupPolicy, tokenIAMRole},

	Resource: func(r *Resource, _ Config) []Finding {
		var findings []Finding
		look := func(where string, document Value) {
			for i, s := range statements(document) {
				if s.Effect == "Allow" && (s.Action.has("*") || s.Action.has("*:*")) && s.Resource.has("*") {
					findings = append(findings, one("Statement %d of %s allows every action on every resource.", i+1, where)...)
				}
			}
		}
		look("the policy", r.Get("policy"))
		inline, _ := r.Get("inlinePolicies").List()
		for i, p := range inline {
			look(fmt.Sprintf("inlinePolicies[%d]", i), p.Get("policy"))
		}
		return findings
	},
}
