package blueprint

import (
	"net/netip"

	"github.com/gpuyard/gpuyard/internal/cidr"
	"github.com/hashicorp/hcl/v2"
)

// checkCIDR refuses what is no IPv4 network, and a VPC of a size that cannot be laid out.
//
// Source: VPC User Guide, "VPC CIDR blocks": /16 to /28.
func checkCIDR(b *Blueprint, _ known) hcl.Diagnostics {
	n := b.Network
	if n == nil {
		return nil
	}
	var diags hcl.Diagnostics
	written := append([]Value[string]{n.CIDR}, n.ClusterEndpoint.AllowedCIDRs...)
	if n.Remote != nil {
		written = append(append(written, n.Remote.Nodes...), n.Remote.Pods...)
	}
	for _, v := range written {
		if !v.IsSet() {
			continue
		}
		prefix, err := netip.ParsePrefix(v.Value)
		switch {
		case err != nil || !prefix.Addr().Is4():
			diags = append(diags, errorf(v.Range, "Illegal network", "%q is no IPv4 network such as 10.20.0.0/16.", v.String()))
		case prefix != prefix.Masked():
			diags = append(diags, errorf(v.Range, "Illegal network", "%s has bits set behind its prefix. Write %s.", v, prefix.Masked()))
		}
	}
	if vpc, ok := prefixOf(n.CIDR); ok {
		if reserved := reservedBy(vpc); reserved != "" {
			return append(diags, errorf(n.CIDR.Range, "Reserved network", "%s is %s: no VPC can have it. Take a private range, inside 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16.", vpc, reserved))
		}
		if _, err := cidr.Plan(vpc, 1); err != nil {
			diags = append(diags, errorf(n.CIDR.Range, "Illegal size of network", "%v.", err))
		}
	}
	return diags
}

// reservedBy says what a network that no VPC can have is for, or nothing.
//
// Source: RFC 6890, section 2.2.2; EC2 API, CreateVpc.
func reservedBy(vpc netip.Prefix) string {
	for _, r := range []struct{ network, what string }{
		{"0.0.0.0/8", "this host's own network"},
		{"127.0.0.0/8", "loopback"},
		{"169.254.0.0/16", "link-local, where instances find their metadata"},
		{"224.0.0.0/3", "multicast or reserved"},
	} {
		if netip.MustParsePrefix(r.network).Overlaps(vpc) {
			return r.what
		}
	}
	return ""
}

// prefixOf reads a network that checkCIDR has nothing against.
func prefixOf(v Value[string]) (netip.Prefix, bool) {
	prefix, err := netip.ParsePrefix(v.Value)
	return prefix, err == nil && prefix.Addr().Is4() && prefix == prefix.Masked()
}
