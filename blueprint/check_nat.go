package blueprint

import (
	"slices"

	"github.com/gpuyard/gpuyard/internal/awsendpoint"
	"github.com/hashicorp/hcl/v2"
)

// checkNAT refuses a network whose nodes could not join: they always sit in private subnets, since a node with several
// network interfaces, as EFA needs, gets no public address.
func checkNAT(b *Blueprint, _ known) hcl.Diagnostics {
	n := b.Network
	if n == nil || n.NAT.Value != "none" || !n.NAT.IsSet() || len(b.NodePools) == 0 {
		return nil
	}
	var absent []string
	for _, service := range awsendpoint.ForPrivateNodes() {
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
