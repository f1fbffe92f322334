package gpunodes

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
)

// NodeSpec is everything about a pool that its user data depends on.
type NodeSpec struct {
	// Types are the pool's instance types.
	Types []*catalog.InstanceType
	// Plan is their common interface plan.
	Plan catalog.InterfacePlan
	// Kubelet are the settings of kubelet, System those of the operating system.
	Kubelet Kubelet
	System  System
	// LocalStorage is "none", "raw" or "raid0". Raw leaves the disks to somebody else.
	LocalStorage string
	// OS is "al2023", also when it is empty, or "bottlerocket".
	OS string
	// MIGProfile is what every GPU is split into, empty for whole GPUs.
	MIGProfile string
	// Cluster is nil when EKS tells a node of its cluster, as it does with its own images.
	Cluster *NodeCluster
}

// NodeCluster is what a node of an image of one's own must be told, since EKS adds nothing to its user data.
type NodeCluster struct {
	Name, Endpoint, CertificateAuthority, ServiceCIDR string
	// Labels and Taints are set as the node registers. EKS sets those of the node group as well, but only half a minute
	// after the node is Ready, when pods that the taints should keep off may be running on it.
	// Source: containers-roadmap, issue 1962.
	Labels map[string]string
	Taints []Taint
}

const mimeBoundary = "==gpuyard=="

// UserData returns the user data of a pool's launch template: a MIME message with scripts for cloud-init, when huge
// pages, MIG or a set-up of the system are asked for, and a NodeConfig for nodeadm; or the settings of Bottlerocket. It is empty when EKS's own
// defaults say everything.
//
// EKS adds the cluster's coordinates, labels and taints, and the node merges the two; so none of those is repeated
// here. Only what EKS cannot know is. With an image of one's own EKS adds nothing, and Cluster says it all.
// Source: EKS User Guide, "Customize managed nodes with launch templates"; nodeadm, "Merging multiple
// configuration objects".
func UserData(s NodeSpec) (string, error) {
	problems := append(s.Kubelet.check(s.Types), checkLocalStorage(s.LocalStorage, s.Types)...)
	problems = append(problems, s.System.check(s.OS)...)
	if s.OS == osBottlerocket {
		problems = append(problems, checkBottlerocket(s)...)
	}
	if len(problems) > 0 {
		return "", errors.Join(problems...)
	}
	data := userData(s)
	return data, checkUserData(data, s.Cluster != nil)
}

// checkUserData returns an error for user data that EC2, with what EKS adds, would not take. whole says that EKS adds
// nothing.
func checkUserData(data string, whole bool) error {
	most := MaxUserData
	if whole {
		most += userDataOfEKS
	}
	if len(data) > most {
		return fmt.Errorf("the user data is %d bytes long, and may be %d: leave something out of setup", len(data), most)
	}
	return nil
}

// userData is UserData for a specification that was checked.
func userData(s NodeSpec) string {
	if s.OS == osBottlerocket {
		return bottlerocketSettings(s)
	}
	var parts []string
	for _, script := range []string{hugepageScript(s), s.System.Setup, migScript(s.MIGProfile, s.Types)} {
		if script != "" {
			parts = append(parts, "Content-Type: text/x-shellscript; charset=\"us-ascii\"\n\n"+script)
		}
	}
	if config := nodeConfig(s); config != "" {
		parts = append(parts, "Content-Type: application/node.eks.aws\n\n"+config)
	}
	if len(parts) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"%s\"\n\n", mimeBoundary)
	for _, part := range parts {
		fmt.Fprintf(&b, "--%s\n%s\n", mimeBoundary, part)
	}
	fmt.Fprintf(&b, "--%s--\n", mimeBoundary)
	return b.String()
}

// hugepageScript returns a script that reserves huge pages beyond those that EKS's image reserves for EFA; what an image of
// one's own reserves is not known, so there it reserves those as well. cloud-init runs it before nodeadm starts kubelet,
// which counts the pages only once.
// Source: amazon-eks-ami, nodeadm-run.service; Linux, Documentation/admin-guide/mm/hugetlbpage.rst.
func hugepageScript(s NodeSpec) string {
	byImage := catalog.Hugepages2Mi(s.Plan)
	wanted := map[string]int{"1Gi": s.Kubelet.Hugepages["1Gi"], "2Mi": max(s.Kubelet.Hugepages["2Mi"], byImage)}
	if s.Cluster != nil {
		byImage = 0
	}
	var b strings.Builder
	for _, size := range sortedKeys(wanted) {
		pages := wanted[size]
		if pages == 0 || size == "2Mi" && pages <= byImage {
			continue
		}
		kib := hugepageKiB(size)
		fmt.Fprintf(&b, "reserve %d %d\n", kib, pages)
	}
	if b.Len() == 0 {
		return ""
	}
	return `#!/bin/bash
# Reserves huge pages and fails, for the boot log to show it, when memory is too fragmented to give them all.
set -euo pipefail
reserve() {
  local file="/sys/kernel/mm/hugepages/hugepages-${1}kB/nr_hugepages"
  echo "$2" > "$file"
  [ "$(cat "$file")" -ge "$2" ]
}
` + b.String()
}
