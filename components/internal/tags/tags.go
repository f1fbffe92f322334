// Package tags puts the tags of AWS resources together.
package tags

import (
	"maps"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// nameKey is the tag that AWS consoles show as a resource's name.
const nameKey = "Name"

// Merge returns the base tags with the name of one resource. The name wins over a Name among the base tags,
// which would give every resource of an environment the same one.
func Merge(base map[string]string, name string) pulumi.StringMap {
	return pulumi.ToStringMap(Over(base, map[string]string{nameKey: name}))
}

// Over lays maps of tags over each other: a later map wins over an earlier one.
func Over(all ...map[string]string) map[string]string {
	merged := map[string]string{}
	for _, tags := range all {
		maps.Copy(merged, tags)
	}
	return merged
}
