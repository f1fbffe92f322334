package blueprint

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/hashicorp/hcl/v2"
)

var (
	amiID        = regexp.MustCompile(`^ami-[0-9a-f]{8,17}$`)
	imageRelease = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+-[0-9]{8}$`)
)

// checkImage refuses pools for whose accelerators there is no image: EKS has images for NVIDIA and Neuron, and none
// for Gaudi, so that one has to be named. The standard image is never put on an accelerated type.
//
// Source: EKS API, Nodegroup, amiType; amazon-eks-ami#1817 (a standard image on a GPU type runs without its GPUs).
func checkImage(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, p := range b.NodePools {
		if p.AMI.IsSet() && !amiID.MatchString(p.AMI.Value) {
			diags = append(diags, errorf(p.AMI.Range, "Illegal image", "%q is no id of an image such as ami-0123456789abcdef0.", p.AMI.String()))
		}
		if r := p.ImageRelease; r.IsSet() && !imageRelease.MatchString(r.Value) {
			diags = append(diags, errorf(r.Range, "Illegal image release", "%q is no release of the EKS optimized image such as 1.35.0-20261115.", r.String()))
		} else if skew := versionSkew(r.Value, b.Environment.KubernetesVersion.Value); r.IsSet() && skew < 0 {
			diags = append(diags, errorf(r.Range, "Image newer than cluster", "The release %s is of a later Kubernetes version than the cluster's %s. Nodes may be older than the control plane, never newer: raise kubernetes_version first.",
				r.String(), b.Environment.KubernetesVersion))
		} else if r.IsSet() && skew > oldestNode {
			diags = append(diags, errorf(r.Range, "Image too old for cluster", "The release %s is %d minor versions older than the cluster's %s, and nodes may be %d older at most. Pin a later release, or none for the newest.",
				r.String(), skew, b.Environment.KubernetesVersion, oldestNode))
		} else if r.IsSet() && p.AMI.IsSet() {
			diags = append(diags, errorf(r.Range, "Release of a named image", "image_release pins the EKS optimized image, and this pool names its own. Leave one of them out."))
		}
		for _, name := range p.InstanceTypes {
			if d := judgeImage(p, name); d != nil {
				diags = append(diags, d)
			}
		}
	}
	return diags
}

func judgeImage(p *NodePool, name Value[string]) *hcl.Diagnostic {
	t := lookupType(p, name.Value)
	if t == nil || t.Accelerator == nil {
		return nil
	}
	switch t.Accelerator.Maker {
	case catalog.MakerNVIDIA, catalog.MakerNeuron:
		return nil
	case catalog.MakerHabana:
		if p.AMI.IsSet() {
			return nil
		}
		return errorf(name.Range, "No image for accelerator", `EKS has no image with drivers for the %s of %s. Name one with ami = "ami-…", or use hosts.`, t.Accelerator.Name, name)
	}
	return errorf(name.Range, "Accelerator not supported", "gpuyard has no image, driver and device plugin for the %s of %s (%s). Use a type with NVIDIA, Neuron or Gaudi accelerators.",
		t.Accelerator.Name, name, t.Accelerator.Maker)
}

// oldestNode is how many minor versions a node may be older than the control plane.
//
// Source: Kubernetes, "Version Skew Policy", kubelet.
const oldestNode = 3

// versionSkew is how many minor versions an image release such as 1.33.0-20261115 is older than a cluster of 1.35, and
// negative where it is newer. Where one of them is no version, whose own rule says so, it is 0.
func versionSkew(release, cluster string) int {
	minor := func(version string) int {
		parts := strings.SplitN(version, ".", 3)
		if len(parts) < 2 {
			return 0
		}
		n, err := strconv.Atoi(parts[1])
		if err != nil {
			return 0
		}
		return n
	}
	if minor(cluster) == 0 || minor(release) == 0 {
		return 0
	}
	return minor(cluster) - minor(release)
}
