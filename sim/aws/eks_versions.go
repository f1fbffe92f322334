package aws

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// kubernetesVersion is one Kubernetes version that the embedded EKS runs. The patch releases and dates are simulated:
// they have the right form and order, and are not to be looked up anywhere.
type kubernetesVersion struct {
	version string // 1.35
	patch   string // the node images' Kubernetes release
	date    string // the newest node images' date
}

// kubernetesVersions are the versions of the embedded EKS, oldest first.
// Source of the range: EKS User Guide, "Amazon EKS Kubernetes release calendar" (standard and extended support).
var kubernetesVersions = []kubernetesVersion{
	{"1.32", "1.32.13", "20261110"},
	{"1.33", "1.33.11", "20261110"},
	{"1.34", "1.34.8", "20261110"},
	{"1.35", "1.35.5", "20261110"},
	{"1.36", "1.36.2", "20261110"},
}

// bottlerocketVersion is the newest release of the Bottlerocket images, the same for all Kubernetes versions. It is
// simulated as well.
const bottlerocketVersion = "1.57.0-4c1d9a7e"

func versionNames() []string {
	var names []string
	for _, v := range kubernetesVersions {
		names = append(names, v.version)
	}
	return names
}

func knownVersion(version string) (kubernetesVersion, bool) {
	i := slices.IndexFunc(kubernetesVersions, func(v kubernetesVersion) bool { return v.version == version })
	if i < 0 {
		return kubernetesVersion{}, false
	}
	return kubernetesVersions[i], true
}

// release returns the newest node image release of a version.
func (v kubernetesVersion) release() string { return v.patch + "-" + v.date }

// minor returns the 35 of 1.35.
func minor(version string) int {
	_, text, _ := strings.Cut(version, ".")
	n, _ := strconv.Atoi(text)
	return n
}

// addonKind is an add-on that the embedded EKS has. Versions are simulated: the form is eksbuild's, the newest last.
type addonKind struct {
	name       string
	versions   []string // with %d for Kubernetes' minor version where the add-on follows it
	deployment bool     // it needs a node that takes ordinary pods before it is ACTIVE; a DaemonSet does not
}

// addonKinds are the add-ons of the embedded EKS.
// Source of the names: EKS User Guide, "AWS add-ons".
var addonKinds = []addonKind{
	{name: "amazon-cloudwatch-observability", versions: []string{"v4.4.0-eksbuild.1", "v4.6.0-eksbuild.1"}, deployment: true},
	{name: "aws-ebs-csi-driver", versions: []string{"v1.53.0-eksbuild.1", "v1.61.1-eksbuild.1"}, deployment: true},
	{name: "aws-efs-csi-driver", versions: []string{"v2.1.13-eksbuild.1", "v2.3.0-eksbuild.1"}, deployment: true},
	{name: "aws-fsx-csi-driver", versions: []string{"v1.7.0-eksbuild.1", "v1.9.0-eksbuild.1"}, deployment: true},
	{name: "aws-mountpoint-s3-csi-driver", versions: []string{"v2.2.2-eksbuild.1", "v2.9.2-eksbuild.1"}, deployment: true},
	{name: "coredns", versions: []string{"v1.13.1-eksbuild.1", "v1.13.2-eksbuild.4"}, deployment: true},
	{name: "eks-node-monitoring-agent", versions: []string{"v1.4.2-eksbuild.1", "v1.6.0-eksbuild.1"}},
	{name: "eks-pod-identity-agent", versions: []string{"v1.3.10-eksbuild.1", "v1.3.12-eksbuild.1"}},
	{name: "kube-proxy", versions: []string{"v1.%d.0-eksbuild.2", "v1.%d.2-eksbuild.1"}},
	{name: "metrics-server", versions: []string{"v0.8.0-eksbuild.3", "v0.8.1-eksbuild.1"}, deployment: true},
	{name: "snapshot-controller", versions: []string{"v8.3.0-eksbuild.1", "v8.4.0-eksbuild.1"}, deployment: true},
	{name: "vpc-cni", versions: []string{"v1.20.4-eksbuild.2", "v1.21.3-eksbuild.1"}},
}

func addonNames() []string {
	var names []string
	for _, k := range addonKinds {
		names = append(names, k.name)
	}
	return names
}

func knownAddon(name string) (addonKind, bool) {
	i := slices.IndexFunc(addonKinds, func(k addonKind) bool { return k.name == name })
	if i < 0 {
		return addonKind{}, false
	}
	return addonKinds[i], true
}

// versionsFor returns an add-on's versions for a Kubernetes version, oldest first. The oldest is EKS's default.
func (k addonKind) versionsFor(kubernetes string) []string {
	var all []string
	for _, v := range k.versions {
		if strings.Contains(v, "%d") {
			v = fmt.Sprintf(v, minor(kubernetes))
		}
		all = append(all, v)
	}
	return all
}
