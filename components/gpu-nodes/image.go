package gpunodes

import (
	"fmt"

	"github.com/gpuyard/gpuyard/catalog"
)

// The operating systems that a pool may run.
const (
	osAL2023       = "al2023"
	osBottlerocket = "bottlerocket"
)

// AMI types that EKS publishes for Amazon Linux 2023 and Bottlerocket.
// Source: EKS API, Nodegroup, amiType.
const (
	amiStandardAMD64 = "AL2023_x86_64_STANDARD"
	amiStandardARM64 = "AL2023_ARM_64_STANDARD"
	amiNVIDIAAMD64   = "AL2023_x86_64_NVIDIA"
	amiNVIDIAARM64   = "AL2023_ARM_64_NVIDIA"
	amiNeuronAMD64   = "AL2023_x86_64_NEURON"

	amiBottlerocketAMD64       = "BOTTLEROCKET_x86_64"
	amiBottlerocketARM64       = "BOTTLEROCKET_ARM_64"
	amiBottlerocketNVIDIAAMD64 = "BOTTLEROCKET_x86_64_NVIDIA"
	amiBottlerocketNVIDIAARM64 = "BOTTLEROCKET_ARM_64_NVIDIA"
)

// AMIType returns the EKS image type of Amazon Linux 2023 for an instance type: by the maker of its accelerator, because a standard
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
	return "", noImage(t)
}

// BottlerocketAMIType returns the EKS image type of Bottlerocket for an instance type. The plain images carry the
// driver of Neuron devices.
// Source: EKS API, Nodegroup, amiType; eksctl, AMI types of Bottlerocket.
func BottlerocketAMIType(t *catalog.InstanceType) (string, error) {
	var maker catalog.Maker
	if t.Accelerator != nil {
		maker = t.Accelerator.Maker
	}
	arm := t.Arch == catalog.ArchARM64
	switch {
	case maker == catalog.MakerNVIDIA && arm:
		return amiBottlerocketNVIDIAARM64, nil
	case maker == catalog.MakerNVIDIA:
		return amiBottlerocketNVIDIAAMD64, nil
	case maker == "" && arm:
		return amiBottlerocketARM64, nil
	case maker == "" || maker == catalog.MakerNeuron && !arm:
		return amiBottlerocketAMD64, nil
	}
	return "", noImage(t)
}

// noImage says that EKS has no image for a type.
func noImage(t *catalog.InstanceType) error {
	return fmt.Errorf("%s has %s accelerators and EKS publishes no image with a driver for them: "+
		"such a pool needs a named image, given as ami", t.Name, t.Accelerator.Name)
}

// checkNamedImage reports types that no image of one's own serves together: an image is for one architecture.
func checkNamedImage(types []*catalog.InstanceType) error {
	for _, t := range types[1:] {
		if t.Arch != types[0].Arch {
			return fmt.Errorf("%s is %s but %s is %s: an image is for one architecture, so put them into two pools",
				types[0].Name, types[0].Arch, t.Name, t.Arch)
		}
	}
	return nil
}

// poolAMIType returns the one image type that serves all types of a pool.
func poolAMIType(os string, types []*catalog.InstanceType) (string, error) {
	of := AMIType
	if os == osBottlerocket {
		of = BottlerocketAMIType
	}
	var common string
	for i, t := range types {
		ami, err := of(t)
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
// for a Kubernetes version such as "1.35". It panics on an image type that neither AMIType nor BottlerocketAMIType
// returns.
// Source: EKS User Guide, "Retrieve recommended Amazon Linux AMI IDs" and "Retrieve recommended Bottlerocket AMI IDs".
func ReleaseParameter(version, amiType string) string {
	al2023 := func(variant string) string {
		return "/aws/service/eks/optimized-ami/" + version + "/amazon-linux-2023/" + variant + "/recommended/release_version"
	}
	bottlerocket := func(variant, arch string) string {
		return "/aws/service/bottlerocket/aws-k8s-" + version + variant + "/" + arch + "/latest/image_version"
	}
	switch amiType {
	case amiStandardAMD64:
		return al2023("x86_64/standard")
	case amiStandardARM64:
		return al2023("arm64/standard")
	case amiNVIDIAAMD64:
		return al2023("x86_64/nvidia")
	case amiNVIDIAARM64:
		return al2023("arm64/nvidia")
	case amiNeuronAMD64:
		return al2023("x86_64/neuron")
	case amiBottlerocketAMD64:
		return bottlerocket("", "x86_64")
	case amiBottlerocketARM64:
		return bottlerocket("", "arm64")
	case amiBottlerocketNVIDIAAMD64:
		return bottlerocket("-nvidia", "x86_64")
	case amiBottlerocketNVIDIAARM64:
		return bottlerocket("-nvidia", "arm64")
	}
	panic(fmt.Sprintf("gpunodes: no release parameter is known for image type %q", amiType))
}
