package pack

import (
	"slices"
	"strings"
)

// localDiskDriver is the EKS add-on that makes volumes of instance disks.
const localDiskDriver = "aws-ec2-local-instance-store-csi-driver"

var localDiskDriverAlone = Policy{
	Name: "local-disk-driver-alone", Level: Mandatory, Area: Storage,
	Summary: "Where the driver of local instance store runs, nothing else holds instance disks.",
	Why: "The add-on `" + localDiskDriver + "` erases every instance disk of a node when it is installed: a RAID0, what Ceph " +
		"stores and what a cache keeps there are gone.",
	Fix: "Have one owner of instance disks: remove the add-on, or keep it to nodes of its own by a `nodeSelector` in its configuration values, " +
		"and leave RAID0, Ceph devices and the static provisioner out of those.",
	Stack: judgeLocalDiskDriverAlone,
}

// Source: EKS User Guide, "Amazon EC2 local instance store CSI driver".
func judgeLocalDiskDriverAlone(s *Stack, _ Config) []Finding {
	if !drivesAllDisks(s) {
		return nil
	}
	var findings []Finding
	for _, template := range s.Of(tokenLaunchTemplate) {
		text, _ := userData(template)
		if match := raid.FindStringSubmatch(text); match != nil {
			findings = append(findings, at(template, "The user data makes a %s of the instance disks, and the add-on %s erases them.", match[1], localDiskDriver))
		}
	}
	for _, ceph := range cephClusters(s) {
		if takesAllDevices(ceph) || takesDevices(cephSpec(ceph).Get("storage")) {
			findings = append(findings, at(ceph, "Ceph takes disks of the nodes, and the add-on %s erases them.", localDiskDriver))
		}
	}
	for _, chart := range charts(s, "local-static-provisioner") {
		findings = append(findings, at(chart, "The static provisioner makes volumes of local disks, and the add-on %s erases them.", localDiskDriver))
	}
	return findings
}

// drivesAllDisks says whether the driver is there and not kept to some nodes.
func drivesAllDisks(s *Stack) bool {
	for _, addon := range s.Of(tokenAddon) {
		name, _ := addon.Get("addonName").Text()
		settings := addon.Get("configurationValues")
		text, known := settings.TextOr("")
		if name == localDiskDriver && known && !strings.Contains(text, "nodeSelector") && !strings.Contains(text, "affinity") {
			return true
		}
	}
	return false
}

// takesDevices says whether the storage of a CephCluster is disks of nodes and not only volumes.
// Source: Rook, "CephCluster CRD", storage selection settings.
func takesDevices(storage Value) bool {
	for _, key := range []string{"deviceFilter", "devicePathFilter"} {
		if text, ok := storage.Get(key).Text(); ok && text != "" {
			return true
		}
	}
	devices, _ := storage.Get("devices").List()
	nodes, _ := storage.Get("nodes").List()
	return len(devices) > 0 || slices.ContainsFunc(nodes, takesDevices)
}
