package pack

import (
	"slices"
	"strings"
)

var clusterLogs = Policy{
	Name: "cluster-logs", Level: Mandatory, Area: Cluster,
	Summary: "The control plane writes the logs that the configuration asks for.",
	Why:     "Who deleted the job, and with which identity, is in the audit log only, and only from the moment it is on.",
	Fix:     "Set `enabledClusterLogTypes`.",
	Tokens:  []string{tokenCluster},
	Settings: []Setting{{Name: "types", Kind: TextsSetting, Default: []string{"api", "audit", "authenticator"},
		Legal: []string{"api", "audit", "authenticator", "controllerManager", "scheduler"}, Doc: "The log types that must be on."}},
	Resource: func(r *Resource, c Config) []Finding {
		types, ok := r.Get("enabledClusterLogTypes").Texts()
		if !ok {
			return nil
		}
		var missing []string
		for _, want := range c.texts("types") {
			if !slices.Contains(types, want) {
				missing = append(missing, want)
			}
		}
		if len(missing) == 0 {
			return nil
		}
		return one("Logs that are off: %s.", strings.Join(missing, ", "))
	},
}
