package pack

var iamWildcardPrincipal = Policy{
	Name: "iam-wildcard-principal", Level: Mandatory, Area: Identity,
	Summary: "Trust and resource policies name who they trust.",
	Why:     "A role that `*` may assume, or a queue that `*` may write to, is open to every AWS account there is.",
	Fix:     "Name the accounts, roles or services, or add a condition such as `aws:PrincipalOrgID`.",
	Tokens:  []string{tokenIAMRole, tokenKey, tokenQueuePolicy, tokenTopicPolicy, tokenRepositoryPolicy},

	// Buckets have a policy of their own: bucket-public.
	Resource: func(r *Resource, _ Config) []Finding {
		for _, name := range []string{"assumeRolePolicy", "policy"} {
			for i, s := range statements(r.Get(name)) {
				if s.Effect == "Allow" && s.anyone() && !s.conditional() {
					return one("Statement %d of %s trusts everybody, without a condition.", i+1, name)
				}
			}
		}
		return nil
	},
}
