package pack

import (
	"regexp"
)

var cephDiskOwner = Policy{
	Name: "ceph-disk-owner", Level: Mandatory, Area: Storage,
	Summary: "A disk has one owner: Ceph, the RAID0 of the node, or what makes volumes of disks.",
	Why: "A node that makes a RAID0 of its instance disks leaves Ceph none: the disks carry a signature, Ceph skips them without an error, " +
		"and the cluster reports ready with no storage. One that takes every disk it finds takes those of other drivers, too.",
	Fix:   "Leave the local storage strategy out of the user data of that pool (`local_storage = \"raw\"`), and list Ceph's devices.",
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
	for _, other := range charts(s, localVolumes()...) {
		for _, ceph := range cephClusters(s) {
			if takesAllDevices(ceph) {
				chart, _ := other.Get("chart").Text()
				findings = append(findings, at(ceph, "Ceph takes every disk (useAllDevices), and %s makes volumes of disks: name Ceph's devices.", chart))
			}
		}
	}
	return findings
}

// localVolumes are the charts that make volumes of the disks of nodes.
func localVolumes() []string {
	return []string{"local-static-provisioner", "topolvm", "openebs", "lvm-localpv", "zfs-localpv"}
}

// takesAllDevices says whether a Ceph cluster takes every empty disk that it finds, as it does by the chart's values
// unless they say otherwise.
// Source: Rook 1.20.6, deploy/charts/rook-ceph-cluster/values.yaml.
func takesAllDevices(ceph *Resource) bool {
	storage := cephSpec(ceph).Get("storage")
	all, known := storage.Get("useAllDevices").FlagOr(ceph.Type != tokenCephCluster)
	return known && all && storage.Get("deviceFilter").Absent() && storage.Get("devices").Absent()
}
