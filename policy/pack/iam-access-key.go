package pack

var iamAccessKey = Policy{
	Name: "iam-access-key", Level: Mandatory, Area: Identity,
	Summary: "There are no long-lived access keys.",
	Why:     "A key works from anywhere until somebody remembers it, and its secret lies in the state of this stack.",
	Fix:     "Use roles: Pod Identity for pods, the node's role for nodes, OIDC for pipelines.",
	Tokens:  []string{tokenAccessKey},

	Resource: func(r *Resource, _ Config) []Finding {
		status := r.Get("status")
		if text, ok := status.TextOr("Active"); ok && text != "Inactive" {
			return one("The access key of %s is long-lived.", user(r.Get("user")))
		}
		return nil
	},
}

// user shows a user's name where it is known.
func user(v Value) string {
	if _, ok := v.Text(); ok {
		return v.Quote()
	}
	return "a user"
}
