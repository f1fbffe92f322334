package pack

var rootVolumeEncrypted = Policy{
	Name: "root-volume-encrypted", Level: Mandatory, Area: Nodes,
	Summary: "The volumes of nodes are encrypted.",
	Why: "A node's root volume holds container layers, logs and whatever a job writes without a volume: data sets and keys among it. An " +
		"image's own setting, or the account's, decides where a template is silent, and that differs between accounts.",
	Fix: "Set `ebs.encrypted` to `true` in every block device mapping, and map the root device. The remediation `encrypt-volumes` sets " +
		"the flag where a mapping exists.",
	Tokens:   []string{tokenLaunchTemplate, tokenInstance},
	Resource: judgeRootVolumeEncrypted,
}

func judgeRootVolumeEncrypted(r *Resource, _ Config) []Finding {
	if r.Type == tokenInstance {
		return judgeInstanceVolumes(r)
	}
	mappings, ok := r.Get("blockDeviceMappings").List()
	if !ok {
		return nil
	}
	if len(mappings) == 0 {
		return one("No block device is mapped, so the image decides: map the root device with ebs.encrypted = \"true\".")
	}
	var findings []Finding
	for i, m := range mappings {
		ebs := m.Get("ebs")
		if encrypted, ok := ebs.Get("encrypted").FlagOr(false); !ebs.Absent() && ok && !encrypted {
			findings = append(findings, one("blockDeviceMappings[%d].ebs.encrypted is %s: set it to \"true\".", i, ebs.Get("encrypted").Quote())...)
		}
	}
	return findings
}

func judgeInstanceVolumes(r *Resource) []Finding {
	root := r.Get("rootBlockDevice", "encrypted")
	var findings []Finding
	if encrypted, ok := root.FlagOr(false); ok && !encrypted {
		findings = one("rootBlockDevice.encrypted is %s: set it to true.", root.Quote())
	}
	devices, _ := r.Get("ebsBlockDevices").List()
	for i, d := range devices {
		if encrypted, ok := d.Get("encrypted").FlagOr(false); ok && !encrypted {
			findings = append(findings, one("ebsBlockDevices[%d].encrypted is %s: set it to true.", i, d.Get("encrypted").Quote())...)
		}
	}
	return findings
}
