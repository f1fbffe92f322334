package gpunodes

import (
	"fmt"

	"github.com/gpuyard/gpuyard/catalog"
)

// AMI types that EKS publishes for Amazon Linux 2023.
// Source: EKS API, Nodegroup, amiType.
const (
	amiStandardAMD64 = "AL2023_x86_64_STANDARD"
	amiStandardARM64 = "AL2023_ARM_64_STANDARD"
	amiNVIDIAAMD64   = "AL2023_x86_64_NVIDIA"
	amiNVIDIAARM64   = "AL2023_ARM_64_NVIDIA"
	amiNeuronAMD64   = "AL2023_x86_64_NEURON"
)

// AMIType returns the EKS image type for an instance type: by the maker of its accelerator, because a standard
// image has no driver for it, and by its architecture.
//
// EKS publishes no image for Gaudi and AMD accelerators: a pool of them needs a named image.
// Source: EKS API, Nodegroup, amiType; EKS User Guide, "Create nodes with optimized Amazon Linux images".
func AMIType(t *catalog.InstanceType) (string, error) {
	var maker catalog.Maker
	if t.Accelerator != nil {
		maker = t.Accelerator.Maker
	}
	arm := t.Arch == catalog.ArchARM64

	switch {
	case maker == "" && arm:
		return amiStandardARM64, nil
	case maker == "":
		return amiStandardAMD64, nil
	case maker == catalog.MakerNVIDIA && arm:
		return amiNVIDIAARM64, nil
	case maker == catalog.MakerNVIDIA:
		return amiNVIDIAAMD64, nil
	case maker == catalog.MakerNeuron && !arm:
		return amiNeuronAMD64, nil
	}
	return "", fmt.Errorf("%s has %s accelerators and EKS publishes no image with a driver for them: "+
		"such a pool needs a named image, which gpuyard does not build pools from yet", t.Name, t.Accelerator.Name)
}

// poolAMIType returns the one image type that serves all types of a pool.
func poolAMIType(types []*catalog.InstanceType) (string, error) {
	var common string
	for i, t := range types {
		ami, err := AMIType(t)
		if err != nil {
			return "", err
		}
		if i > 0 && ami != common {
			return "", fmt.Errorf("%s takes the image %s but %s takes %s: a node group has one image, "+
				"so put them into two pools", types[0].Name, common, t.Name, ami)
		}
		common = ami
	}
	return common, nil
}

// ReleaseParameter returns the name of the public SSM parameter that holds the newest release of an image type
// for a Kubernetes version such as "1.35". It panics on an image type that AMIType does not return.
// Source: EKS User Guide, "Retrieve recommended Amazon Linux AMI IDs".
func ReleaseParameter(version, amiType string) string {
	var variant string
	switch amiType {
	case amiStandardAMD64:
		variant = "x86_64/standard"
	case amiStandardARM64:
		variant = "arm64/standard"
	case amiNVIDIAAMD64:
		variant = "x86_64/nvidia"
	case amiNVIDIAARM64:
		variant = "arm64/nvidia"
	case amiNeuronAMD64:
		variant = "x86_64/neuron"
	default:
		panic(fmt.Sprintf("gpunodes: no release parameter is known for image type %q", amiType))
	}
	return "/aws/service/eks/optimized-ami/" + version + "/amazon-linux-2023/" + variant + "/recommended/release_version"
}
