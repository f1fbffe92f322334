package blueprint

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

var (
	labelName   = regexp.MustCompile(`^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$`)
	labelPrefix = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
)

// checkLabels refuses labels that Kubernetes refuses, or that a node may not give itself: it would never join.
//
// Sources: Kubernetes, "Labels and Selectors", syntax; kubelet, IsKubeletLabel, and admission NodeRestriction; EKS API,
// CreateNodegroup, labels.
func checkLabels(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, p := range b.NodePools {
		for _, key := range slices.Sorted(maps.Keys(p.Labels)) {
			at, value := p.LabelsAt[key], p.Labels[key]
			switch {
			case qualifiedNameProblem(key) != "":
				diags = append(diags, errorf(at, "Illegal label", "%q is no key of a label: %s.", key, qualifiedNameProblem(key)))
			case labelReserved(key):
				diags = append(diags, errorf(at, "Reserved label", "A node may not give itself the label %q: kubernetes.io and k8s.io belong to Kubernetes, and eks.amazonaws.com to EKS. Use a prefix of your own.", key))
			case value != "" && !labelName.MatchString(value):
				diags = append(diags, errorf(at, "Illegal label", "The value of %q, %q, is none of a label: up to 63 letters, digits, dashes, underscores and dots, beginning and ending with a letter or digit.", key, value))
			}
		}
	}
	return diags
}

// qualifiedNameProblem says what is wrong with the key of a label or taint, or nothing.
func qualifiedNameProblem(key string) string {
	prefix, name, qualified := strings.Cut(key, "/")
	if !qualified {
		name = prefix
	}
	switch {
	case !labelName.MatchString(name):
		return "the name is 1 to 63 letters, digits, dashes, underscores and dots, beginning and ending with a letter or digit"
	case qualified && (len(prefix) > 253 || !labelPrefix.MatchString(prefix)):
		return fmt.Sprintf("its prefix %q is no domain name in lower case", prefix)
	}
	return ""
}

// labelReserved reports whether a kubelet may not set the label of its own node.
func labelReserved(key string) bool {
	prefix, _, _ := strings.Cut(key, "/")
	within := func(domain string) bool { return prefix == domain || strings.HasSuffix(prefix, "."+domain) }
	if !strings.Contains(key, "/") {
		return false
	}
	if within("kubelet.kubernetes.io") || within("node.kubernetes.io") {
		return false
	}
	return within("kubernetes.io") || within("k8s.io") || within("eks.amazonaws.com")
}
