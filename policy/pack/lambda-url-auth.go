package pack

var lambdaURLAuth = Policy{
	Name: "lambda-url-auth", Level: Mandatory, Area: Serverless,
	Summary: "Function URLs ask for a signature.",
	Why:     "With the type NONE anybody who has the address calls the model, and you pay.",
	Fix:     "Set `authorizationType` to `AWS_IAM`.",
	Tokens:  []string{tokenFunctionURL},

	Resource: func(r *Resource, _ Config) []Finding {
		if text, ok := r.Get("authorizationType").Text(); ok && text == "NONE" {
			return one("authorizationType is NONE: anybody may call the function.")
		}
		return nil
	},
}
