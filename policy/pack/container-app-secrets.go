package pack

var containerAppSecrets = Policy{
	Name: "container-app-secrets", Level: Mandatory, Area: Serverless,
	Summary: "Container apps get secrets by reference.",
	Why:     "An environment variable's value is shown to everybody who may read the app, and stays in every revision.",
	Fix:     "Put the value into `configuration.secrets`, best as a reference to Key Vault, and use `secretRef` in the container.",
	Tokens:  []string{tokenContainerApp, tokenContainerJob},

	Resource: func(r *Resource, _ Config) []Finding {
		var findings []Finding
		for _, kind := range []string{"containers", "initContainers"} {
			containers, _ := r.Get("template", kind).List()
			for i, c := range containers {
				variables, _ := c.Get("env").List()
				for _, v := range variables {
					name, _ := v.Get("name").Text()
					if value, ok := v.Get("value").Text(); ok && value != "" && secretName(name) {
						findings = append(findings, one("template.%s[%d] has the variable %s with its value: use secretRef.", kind, i, v.Get("name").Quote())...)
					}
				}
			}
		}
		return findings
	},
}
