package pack

var nodeGroupRemoteAccess = Policy{
	Name: "node-group-remote-access", Level: Mandatory, Area: Nodes,
	Summary: "Remote access to a node group names the security groups that may use it.",
	Why:     "Where `remoteAccess` has a key and no source groups, EKS opens port 22 of every node to 0.0.0.0/0.",
	Fix:     "Set `remoteAccess.sourceSecurityGroupIds`, or leave `remoteAccess` out and use Session Manager.",
	Tokens:  []string{tokenNodeGroup},

	// Source: EKS API, RemoteAccessConfig.
	Resource: func(r *Resource, _ Config) []Finding {
		access := r.Get("remoteAccess")
		key, okKey := access.Get("ec2SshKey").TextOr("")
		groups, ok := access.Get("sourceSecurityGroupIds").List()
		if okKey && key != "" && ok && len(groups) == 0 {
			return one("remoteAccess has a key and no source security groups: EKS opens port 22 to the world.")
		}
		return nil
	},
}
