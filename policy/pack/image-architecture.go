package pack

import (
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
)

var imageArchitecture = Policy{
	Name: "image-architecture", Level: Mandatory, Area: Nodes,
	Summary: "The image of a node group is of the architecture of its instance types.",
	Why:     "EKS refuses a group whose image does not run on its types, and a group that mixes architectures cannot be right for all.",
	Fix:     "Take an `ARM_64` image type for Graviton and Grace types, and put types of the two architectures into two groups.",
	Tokens:  []string{tokenNodeGroup},

	Resource: func(r *Resource, _ Config) []Finding {
		image, ok := r.Get("amiType").Text()
		if !ok || image == "CUSTOM" {
			return nil
		}
		arch := catalog.ArchAMD64
		if strings.Contains(image, "ARM_64") {
			arch = catalog.ArchARM64
		}
		for _, t := range typesAt(r) {
			if t.Arch != arch {
				return one("amiType %s is for %s, and %s is %s.", r.Get("amiType").Quote(), arch, t.Name, t.Arch)
			}
		}
		return nil
	},
}
