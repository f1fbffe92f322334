package pack

import (
	"regexp"
)

var cephDiskOwner = Policy{
	Name: "ceph-disk-owner", Level: Mandatory, Area: Storage,
	Summary: "A disk has one owner: Ceph, or the RAID0 of the node.",
	Why: "A node that makes a RAID0 of its instance disks leaves Ceph none: the disks carry a signature, Ceph skips them without an error, " +
		"and the cluster reports ready with no storage.",
	Fix:   "Leave the local storage strategy out of the user data of that pool (`local_storage = \"raw\"`).",
	Stack: judgeCephDiskOwner,
}

// raid matches the local storage strategies of nodeadm that take all instance disks.
// Source: amazon-eks-ami, nodeadm, NodeConfig: spec.instance.localStorage.strategy.
var raid = regexp.MustCompile(`(?m)strategy["']?:\s*["']?(RAID0|RAID10|Mount)\b`)

func judgeCephDiskOwner(s *Stack, _ Config) []Finding {
	var findings []Finding
	for _, p := range cephNodes(s) {
		if p.template == nil {
			continue
		}
		text, _ := userData(p.template)
		if match := raid.FindStringSubmatch(text); match != nil {
			findings = append(findings, at(p.template, "The user data takes the instance disks (%s), and Ceph stores data on this pool.", match[1]))
		}
	}
	return findings
}
