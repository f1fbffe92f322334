package pack

var clusterAccessEntries = Policy{
	Name: "cluster-access-entries", Level: Mandatory, Area: Cluster,
	Summary: "Access to a cluster is by access entries, not by the aws-auth config map.",
	Why: "A mistake in the config map locks everybody out, nobody but the cluster's creator can repair it, and what it grants is in no " +
		"API. Node groups add their roles to access entries by themselves.",
	Fix:    "Set `accessConfig.authenticationMode` to `API`, and replace the `aws-auth` map with `aws.eks.AccessEntry` resources.",
	Tokens: []string{tokenCluster, tokenConfigMap},

	Resource: func(r *Resource, _ Config) []Finding {
		if r.Type == tokenConfigMap {
			name, _ := r.Get("metadata", "name").Text()
			namespace, _ := r.Get("metadata", "namespace").Text()
			if name == "aws-auth" && namespace == "kube-system" {
				return one("This is the aws-auth config map: use access entries.")
			}
			return nil
		}
		mode := r.Get("accessConfig", "authenticationMode")
		if text, ok := mode.TextOr("CONFIG_MAP"); ok && text == "CONFIG_MAP" {
			return one("accessConfig.authenticationMode is %s, which means the config map: set it to \"API\".", mode.Quote())
		}
		return nil
	},
}
