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
	// Kubelet are the settings of kubelet.
	Kubelet Kubelet
	// LocalStorage is "none", "raw" or "raid0". Raw leaves the disks to somebody else.
	LocalStorage string
}

const mimeBoundary = "==gpuyard=="

// UserData returns the user data of a pool's launch template: a MIME message with a part for cloud-init, when huge
// pages are asked for, and a NodeConfig for nodeadm. It is empty when EKS's own defaults say everything.
//
// EKS adds a NodeConfig with the cluster's coordinates, labels and taints, and nodeadm merges the two; so none of
// those is repeated here. Only what EKS cannot know is.
// Source: EKS User Guide, "Customize managed nodes with launch templates"; nodeadm, "Merging multiple
// configuration objects".
func UserData(s NodeSpec) (string, error) {
	problems := append(s.Kubelet.check(s.Types), checkLocalStorage(s.LocalStorage, s.Types)...)
	if len(problems) > 0 {
		return "", errors.Join(problems...)
	}
	return userData(s), nil
}

// userData is UserData for a specification that was checked.
func userData(s NodeSpec) string {
	var parts []string
	if script := hugepageScript(s); script != "" {
		parts = append(parts, "Content-Type: text/x-shellscript; charset=\"us-ascii\"\n\n"+script)
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

// hugepageScript returns a script that reserves huge pages beyond those the image reserves for EFA. cloud-init
// runs it before nodeadm starts kubelet, which counts the pages only once.
// Source: amazon-eks-ami, nodeadm-run.service; Linux, Documentation/admin-guide/mm/hugetlbpage.rst.
func hugepageScript(s NodeSpec) string {
	var b strings.Builder
	for _, size := range sortedKeys(s.Kubelet.Hugepages) {
		pages := s.Kubelet.Hugepages[size]
		if pages == 0 || size == "2Mi" && pages <= catalog.Hugepages2Mi(s.Plan) {
			continue
		}
		kib, _ := hugepageKiB(size)
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
