package pack

import (
	"fmt"
	"regexp"
	"strings"
)

var defaultStorageClass = Policy{
	Name: "default-storage-class", Level: Mandatory, Area: Storage,
	Summary: "A cluster has one default storage class at most.",
	Why: "Of two, a claim that names none gets the one that was made last, so where data lies depends on the order of installations. " +
		"The chart rook-ceph-cluster makes its block volumes the default, and the driver of EBS may, too.",
	Fix:   "Leave the annotation `" + isDefaultClass + "` (in values of a chart, `isDefault`) on one class.",
	Stack: judgeDefaultStorageClass,
}

// isDefaultClass is the annotation of the default storage class.
// Source: Kubernetes, "Storage Classes", default StorageClass.
const isDefaultClass = "storageclass.kubernetes.io/is-default-class"

// defaultByAddon matches the setting by which the add-on of EBS makes the default class.
// Source: EKS add-on aws-ebs-csi-driver, configuration schema, defaultStorageClass.enabled.
var defaultByAddon = regexp.MustCompile(`"?defaultStorageClass"?\s*:\s*\{?\s*"?enabled"?\s*:\s*true`)

func judgeDefaultStorageClass(s *Stack, _ Config) []Finding {
	var names []string
	var last *Resource
	found := func(r *Resource, name string) { names, last = append(names, name), r }
	for _, class := range s.Of(tokenStorageClass) {
		if text, _ := class.Get("metadata", "annotations", isDefaultClass).Text(); text == "true" {
			found(class, class.Name)
		}
	}
	for _, ceph := range charts(s, "rook-ceph-cluster") {
		pools, _ := ceph.Get("values", "cephBlockPools").List()
		for i, pool := range pools {
			if isDefault, _ := pool.Get("storageClass", "isDefault").Flag(); isDefault {
				found(ceph, fmt.Sprintf("%s (values.cephBlockPools[%d])", ceph.Name, i))
			}
		}
	}
	for _, addon := range s.Of(tokenAddon) {
		settings, _ := addon.Get("configurationValues").Text()
		if defaultByAddon.MatchString(settings) {
			found(addon, addon.Name+" (configurationValues)")
		}
	}
	if len(names) < 2 {
		return nil
	}
	return []Finding{at(last, "These are the default storage class at once: %s.", strings.Join(names, ", "))}
}
