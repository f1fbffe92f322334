package blueprint

import (
	"cmp"
	"net/netip"
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// A place is a network with its part in the cluster.
type place struct {
	what   string
	prefix netip.Prefix
	at     hcl.Range
	remote bool
}

// checkNetworkOverlap refuses networks that share addresses: the VPC, the cluster's services, and the remote networks,
// which must be private ones as well.
//
// Sources: EKS User Guide, "Prepare networking for hybrid nodes" (no overlap; RFC 1918 or 100.64.0.0/10; at most 15
// networks of each kind) and "Create an Amazon EKS cluster" (the service range is 10.100.0.0/16 or 172.20.0.0/16;
// which one, amazon-eks-ami's bootstrap.sh tells).
func checkNetworkOverlap(b *Blueprint, _ known) hcl.Diagnostics {
	n := b.Network
	if n == nil || n.Remote == nil {
		return nil
	}
	var diags hcl.Diagnostics
	var places []place
	if vpc, ok := prefixOf(n.CIDR); ok {
		places = append(places, place{what: "the VPC", prefix: vpc},
			place{what: "the range that EKS takes for services", prefix: serviceRange(vpc)})
	}
	for _, group := range []struct {
		what     string
		networks []Value[string]
	}{{"a network of remote nodes", n.Remote.Nodes}, {"a network of remote pods", n.Remote.Pods}} {
		if len(group.networks) > 15 {
			diags = append(diags, errorf(group.networks[15].Range, "Too many remote networks", "EKS takes at most 15 of each kind."))
		}
		for _, v := range group.networks {
			if prefix, ok := prefixOf(v); ok {
				places = append(places, place{group.what, prefix, v.Range, true})
			}
		}
	}
	return append(diags, judgePlaces(places)...)
}

// judgePlaces compares each remote network with the ones before it, sorted by address: of networks in that order, one
// overlaps an earlier one only if it overlaps the earlier one that reaches furthest.
func judgePlaces(places []place) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, p := range places {
		if p.remote && !private(p.prefix) {
			diags = append(diags, errorf(p.at, "Remote network not private",
				"%s is not private. EKS takes 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 and 100.64.0.0/10, and parts of them.", p.prefix))
		}
	}
	slices.SortStableFunc(places, func(a, b place) int {
		return cmp.Or(a.prefix.Addr().Compare(b.prefix.Addr()), cmp.Compare(a.prefix.Bits(), b.prefix.Bits()))
	})
	for i := 1; i < len(places); i++ {
		outer, inner := places[i-1], places[i]
		if !outer.prefix.Overlaps(inner.prefix) {
			continue
		}
		guilty, other := inner, outer
		if !guilty.remote || other.remote && other.at.Start.Byte > guilty.at.Start.Byte {
			guilty, other = outer, inner
		}
		if guilty.remote {
			diags = append(diags, errorf(guilty.at, "Networks overlap", "%s, %s, shares addresses with %s, %s.", guilty.prefix, guilty.what, other.prefix, other.what))
		}
		places[i] = outer // which reaches further
	}
	return diags
}

func private(p netip.Prefix) bool {
	for _, text := range []string{"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"} {
		if whole := netip.MustParsePrefix(text); whole.Bits() <= p.Bits() && whole.Contains(p.Addr()) {
			return true
		}
	}
	return false
}

// serviceRange is the range of service addresses that EKS chooses for a VPC.
func serviceRange(vpc netip.Prefix) netip.Prefix {
	if netip.MustParsePrefix("10.0.0.0/8").Contains(vpc.Addr()) {
		return netip.MustParsePrefix("172.20.0.0/16")
	}
	return netip.MustParsePrefix("10.100.0.0/16")
}
