package pack

var lambdaProvisionedAlias = Policy{
	Name: "lambda-provisioned-alias", Level: Mandatory, Area: Serverless,
	Summary: "Provisioned concurrency is on an alias or a version.",
	Why:     "Lambda refuses it for `$LATEST`: an environment that is kept warm has to know which code it runs.",
	Fix:     "Publish the function (`publish: true`), and name an alias as the qualifier.",
	Tokens:  []string{tokenProvisioned},

	Resource: func(r *Resource, _ Config) []Finding {
		if text, ok := r.Get("qualifier").Text(); ok && text == "$LATEST" {
			return one("The qualifier is $LATEST: name an alias or a version.")
		}
		return nil
	},
}
