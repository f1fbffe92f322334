package blueprint

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// joinEndpoints are the services that a node calls before it is ready.
//
// Source: EKS User Guide, "Deploy private clusters with limited internet access".
func joinEndpoints() []string { return []string{"ec2", "ecr", "eks", "s3", "sts"} }

// checkNAT refuses a network whose nodes could not join: they always sit in private subnets, since a node with several
// network interfaces, as EFA needs, gets no public address.
func checkNAT(b *Blueprint, _ known) hcl.Diagnostics {
	n := b.Network
	if n == nil || n.NAT.Value != "none" || !n.NAT.IsSet() || len(b.NodePools) == 0 {
		return nil
	}
	var absent []string
	for _, service := range joinEndpoints() {
		if !slices.ContainsFunc(n.PrivateEndpoints, func(v Value[string]) bool { return v.Value == service }) {
			absent = append(absent, service)
		}
	}
	if len(absent) == 0 {
		return nil
	}
	return hcl.Diagnostics{errorf(n.NAT.Range, "Nodes could not join",
		`Nodes sit in private subnets, and without NAT they reach neither the registry nor the cluster. Write nat = "single", or add %s to private_endpoints.`, list(absent))}
}
