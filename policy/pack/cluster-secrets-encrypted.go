package pack

import (
	"slices"
)

var clusterSecretsEncrypted = Policy{
	Name: "cluster-secrets-encrypted", Level: Mandatory, Area: Cluster,
	Summary: "Kubernetes secrets are encrypted with a key of the account.",
	Why: "Tokens for data sets, registries and trackers are Kubernetes secrets. With a key of your own, who reads them is in your audit " +
		"log, and disabling the key is a way to stop it.",
	Fix:    "Set `encryptionConfig` with a KMS key and `resources: [secrets]`.",
	Tokens: []string{tokenCluster},

	Resource: func(r *Resource, _ Config) []Finding {
		if r.Get("encryptionConfig").Absent() {
			return one("encryptionConfig is left out.")
		}
		resources, ok := r.Get("encryptionConfig", "resources").Texts()
		if ok && !slices.Contains(resources, "secrets") {
			return one("encryptionConfig.resources does not have secrets.")
		}
		return nil
	},
}
