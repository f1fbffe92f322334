package pack

import (
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
)

var gpuStandardImage = Policy{
	Name: "gpu-standard-image", Level: Mandatory, Area: Nodes,
	Summary: "Accelerated nodes run an image that has the driver of their accelerator.",
	Why: "On a standard image nothing offers the accelerators: the node joins, NVML is not found, and jobs stay pending on a pool that " +
		"is paid for.",
	Fix:      "Take the image type of the maker: `AL2023_x86_64_NVIDIA`, `AL2023_ARM_64_NVIDIA` or `AL2023_x86_64_NEURON`.",
	Tokens:   []string{tokenNodeGroup},
	Resource: judgeGPUStandardImage,
}

// judgeGPUStandardImage knows the images of NVIDIA and Neuron devices. For other makers EKS has none, so any may be right.
// Source: EKS API, Nodegroup, amiType; the plain Bottlerocket images carry the Neuron driver.
func judgeGPUStandardImage(r *Resource, _ Config) []Finding {
	image, ok := r.Get("amiType").TextOr("")
	if !ok || image == "CUSTOM" || image == "" && !r.Get("launchTemplate").Absent() {
		return nil
	}
	shown := r.Get("amiType").Quote()
	for _, t := range typesAt(r) {
		if t.Accelerator == nil {
			continue
		}
		fits := true
		switch t.Accelerator.Maker {
		case catalog.MakerNVIDIA:
			fits = strings.Contains(image, "NVIDIA") || strings.HasSuffix(image, "_GPU")
		case catalog.MakerNeuron:
			fits = strings.Contains(image, "NEURON") || strings.HasSuffix(image, "_GPU") || strings.HasPrefix(image, "BOTTLEROCKET") && !strings.Contains(image, "NVIDIA")
		}
		if !fits {
			return one("amiType is %s, and %s needs an image with the driver of %s.", shown, t.Name, t.Accelerator.Name)
		}
	}
	return nil
}
