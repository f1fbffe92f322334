package pack

var imdsv2Required = Policy{
	Name: "imdsv2-required", Level: Mandatory, Area: Nodes,
	Summary: "Instances answer their metadata service to session tokens only (IMDSv2).",
	Why: "Version 1 of the metadata service gives the node's credentials to any request that can be made to come from the node, such " +
		"as one that a notebook or a model server forwards.",
	Fix:      "Set `metadataOptions.httpTokens` to `required`. The remediation `require-imdsv2` does it for you.",
	Tokens:   []string{tokenLaunchTemplate, tokenInstance},
	Resource: judgeIMDSv2,
}

// Source: EC2 User Guide, "Configure the instance metadata service"; a template without the option makes it optional.
func judgeIMDSv2(r *Resource, _ Config) []Finding {
	tokens := r.Get("metadataOptions", "httpTokens")
	text, ok := tokens.TextOr("optional")
	endpoint, known := r.Get("metadataOptions", "httpEndpoint").TextOr("enabled")
	if !ok || !known || text == "required" || endpoint == "disabled" {
		return nil
	}
	return one("metadataOptions.httpTokens is %s: set it to \"required\".", tokens.Quote())
}
