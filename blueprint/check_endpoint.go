package blueprint

import "github.com/hashicorp/hcl/v2"

// checkEndpoint refuses a public Kubernetes API that does not say for whom, or says everybody, and warns of addresses
// that an endpoint inside the VPC does not heed.
//
// Source: EKS User Guide, "Control network access to cluster API server endpoint": without a list, all addresses.
func checkEndpoint(b *Blueprint, _ known) hcl.Diagnostics {
	if b.Network == nil {
		return nil
	}
	e := b.Network.ClusterEndpoint
	var diags hcl.Diagnostics
	switch {
	case e.Public.Value && e.AllowedCIDRs == nil, e.Public.Value && e.Public.IsSet() && len(e.AllowedCIDRs) == 0:
		diags = append(diags, errorf(e.Public.Range, "Public endpoint without addresses", `Say who may reach the API, such as allowed_cidrs = ["203.0.113.0/24"]: left out, EKS would let in everybody.`))
	case !e.Public.Value && !e.Public.failed && len(e.AllowedCIDRs) > 0:
		diags = append(diags, warnf(e.AllowedCIDRs[0].Range, "Addresses of a private endpoint", "The API is reached from inside the VPC only, so allowed_cidrs has no effect. Write public = true, or leave it out."))
	case e.Public.Value:
		for _, v := range e.AllowedCIDRs {
			if prefix, ok := prefixOf(v); ok && prefix.Bits() == 0 {
				diags = append(diags, errorf(v.Range, "Public endpoint for everybody", "%s lets every address reach the API. Name those of an office or a VPN.", v))
			}
		}
	}
	return diags
}
