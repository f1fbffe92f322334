package pack

import (
	"slices"
)

var kubernetesVersionSupported = Policy{
	Name: "kubernetes-version-supported", Level: Mandatory, Area: Cluster,
	Summary: "The Kubernetes version is in EKS's standard support.",
	Why: "After standard support a cluster costs six times as much an hour, and a year later EKS upgrades it by itself, under whatever " +
		"runs on it.",
	Fix:    "Set `version` to a supported one. When EKS's calendar moves on, move `versions`.",
	Tokens: []string{tokenCluster},
	// Source: EKS User Guide, "Amazon EKS Kubernetes release calendar".
	Settings: []Setting{{Name: "versions", Kind: TextsSetting, Default: []string{"1.34", "1.35", "1.36"},
		Doc: "The versions that may be used."}},
	Resource: func(r *Resource, c Config) []Finding {
		version, versions := r.Get("version"), c.texts("versions")
		if text, ok := version.Text(); ok && !slices.Contains(versions, text) {
			return one("The version is %s, and %s are supported.", version.Quote(), join(versions))
		}
		return nil
	},
}
