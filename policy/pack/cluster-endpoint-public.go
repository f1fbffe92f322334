package pack

var clusterEndpointPublic = Policy{
	Name: "cluster-endpoint-public", Level: Mandatory, Area: Cluster,
	Summary: "The API server of a cluster is not open to the world.",
	Why: "EKS makes the endpoint public to everybody unless told otherwise. Behind it are a login and every bug of the API server " +
		"that has no patch yet.",
	Fix:    "Set `vpcConfig.endpointPublicAccess` to false, or `publicAccessCidrs` to the addresses that need it.",
	Tokens: []string{tokenCluster},

	// Source: EKS API, VpcConfigRequest: public access is on, and from 0.0.0.0/0, by default.
	Resource: func(r *Resource, _ Config) []Finding {
		public, ok := r.Get("vpcConfig", "endpointPublicAccess").FlagOr(true)
		cidrs, known := r.Get("vpcConfig", "publicAccessCidrs").List()
		if !ok || !public || !known || r.Get("vpcConfig").Absent() {
			return nil
		}
		if len(cidrs) == 0 {
			return one("The endpoint is public and publicAccessCidrs is left out, which means 0.0.0.0/0.")
		}
		for _, v := range cidrs {
			if cidr, all := world(v); all {
				return one("The endpoint is public to %s.", cidr)
			}
		}
		return nil
	},
}
