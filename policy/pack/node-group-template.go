package pack

var nodeGroupTemplate = Policy{
	Name: "node-group-template", Level: Mandatory, Area: Nodes,
	Summary: "A launch template and its node group state each thing in one place.",
	Why: "EKS takes instance types and image from the template or from the group, and refuses a group where both have them. It finds " +
		"out after everything before the group has been made.",
	Fix: "Keep `instanceTypes` in the group and out of the template. With an image in the template, leave `amiType`, `releaseVersion` and " +
		"`version` out of the group. Subnets, instance profile and shutdown behaviour never go into the template.",
	Stack: judgeNodeGroupTemplate,
}

// Source: EKS User Guide, "Customize managed nodes with launch templates".
func judgeNodeGroupTemplate(s *Stack, _ Config) []Finding {
	var findings []Finding
	for _, p := range s.pools {
		if p.group == nil || p.template == nil {
			continue
		}
		states := func(r *Resource, path ...string) bool {
			v := r.Get(path...)
			text, isText := v.Text()
			list, isList := v.List()
			return !v.Absent() && !(isText && text == "") && !(isList && len(list) == 0)
		}
		say := func(format string, args ...any) { findings = append(findings, at(p.group, format, args...)) }
		if states(p.template, "instanceType") && states(p.group, "instanceTypes") {
			say("The template states instanceType and the group instanceTypes: remove the template's.")
		}
		// Outputs of a group that exists have a version whether one was stated or not; its image type is then CUSTOM.
		if image, _ := p.group.Get("amiType").Text(); states(p.template, "imageId") && image != "CUSTOM" {
			for _, name := range []string{"amiType", "releaseVersion", "version"} {
				if text, _ := p.group.Get(name).Text(); text != "" {
					say("The template names an image and the group sets %s: leave that out of the group.", name)
				}
			}
		}
		for _, name := range []string{"iamInstanceProfile", "instanceInitiatedShutdownBehavior", "hibernationOptions"} {
			if states(p.template, name) {
				say("The template sets %s, which a managed node group does not allow.", name)
			}
		}
		nics, _ := p.template.Get("networkInterfaces").List()
		for _, n := range nics {
			if subnet, ok := n.Get("subnetId").Text(); ok && subnet != "" {
				say("A network interface of the template names a subnet: the group's subnetIds decide.")
				break
			}
		}
	}
	return findings
}
