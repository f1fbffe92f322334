package nodeprep

import "github.com/gpuyard/gpuyard/nodeprep/profile"

// Wanted are the keys of the items that a profile wants something of, in the order in which a host is prepared.
func Wanted(p profile.Profile) []string {
	var keys []string
	for _, i := range items() {
		if i.wanted(p) {
			keys = append(keys, i.Key)
		}
	}
	return keys
}
