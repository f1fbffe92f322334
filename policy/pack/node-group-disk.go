package pack

var nodeGroupDisk = Policy{
	Name: "node-group-disk", Level: Mandatory, Area: Nodes,
	Summary: "A node group with a launch template leaves disk size and remote access to the template.",
	Why:     "EKS refuses a group that has a launch template and also a disk size or remote access.",
	Fix:     "Map the root device in the template with the size that is wanted, and put the SSH key there, if there must be one.",
	Tokens:  []string{tokenNodeGroup},

	// Source: EKS User Guide, "Customize managed nodes with launch templates".
	Resource: func(r *Resource, _ Config) []Finding {
		if template, ok := r.Get("launchTemplate").Entries(); !ok || len(template) == 0 {
			return nil
		}
		var findings []Finding
		for _, name := range []string{"diskSize", "remoteAccess"} {
			v := r.Get(name)
			if n, isNumber := v.NumberOr(0); v.state == known && !(isNumber && n == 0) {
				findings = append(findings, one("The group has a launch template and %s: move it into the template.", name)...)
			}
		}
		return findings
	},
}
