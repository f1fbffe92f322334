package blueprint

import (
	"net/netip"
	"regexp"
	"slices"

	"github.com/hashicorp/hcl/v2"
)

var (
	hostName    = regexp.MustCompile(`^[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?)*$`)
	bastionForm = regexp.MustCompile(`^([A-Za-z_][-A-Za-z0-9_.]*@)?[A-Za-z0-9][-A-Za-z0-9.]*(:[0-9]{1,5})?$`)
	onlyDigits  = regexp.MustCompile(`^[0-9.]+$`)
)

// checkHosts refuses addresses that are none, that are listed twice, or that the cluster does not know as remote.
//
// Source: EKS User Guide, "Prepare networking for hybrid nodes": a host's address lies in the remote node networks.
func checkHosts(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	first := map[string]hcl.Range{}
	var remote []netip.Prefix
	if b.Network != nil && b.Network.Remote != nil {
		for _, v := range b.Network.Remote.Nodes {
			if prefix, ok := prefixOf(v); ok {
				remote = append(remote, prefix)
			}
		}
	}
	for _, p := range b.NodePools {
		h := p.Hosts
		if h == nil {
			continue
		}
		if b.Network != nil && b.Network.Remote == nil {
			diags = append(diags, errorf(h.Range, "No remote network", "Hosts join the cluster from a network of their own, and the network block has none. Add remote { nodes = [\"10.200.0.0/24\"] }."))
		}
		if h.Bastion.IsSet() && !bastionForm.MatchString(h.Bastion.Value) {
			diags = append(diags, errorf(h.Bastion.Range, "Illegal bastion", "%q is no jump host such as user@host or user@host:22.", h.Bastion.String()))
		}
		for _, a := range h.Addresses {
			if d := judgeHost(a, first, remote); d != nil {
				diags = append(diags, d)
			}
		}
	}
	return diags
}

func judgeHost(a Value[string], first map[string]hcl.Range, remote []netip.Prefix) *hcl.Diagnostic {
	before, twice := first[a.Value]
	if !twice {
		first[a.Value] = a.Range
	}
	ip, err := netip.ParseAddr(a.Value)
	switch {
	case err != nil && (onlyDigits.MatchString(a.Value) || len(a.Value) > 253 || !hostName.MatchString(a.Value)):
		return errorf(a.Range, "Illegal address", "%q is neither an IP address nor a host name.", a.String())
	case twice:
		return errorf(a.Range, "Duplicate host", "%s is already at %s: a host belongs to one pool.", a, position(before))
	case err == nil && len(remote) > 0 && !slices.ContainsFunc(remote, func(p netip.Prefix) bool { return p.Contains(ip) }):
		return errorf(a.Range, "Host outside the remote networks", "%s is in none of the remote node networks, so the cluster would not reach it. Add its network to nodes in remote.", a)
	}
	return nil
}
