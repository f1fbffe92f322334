package pack

import (
	"net/netip"
	"strconv"
)

var publicSSH = Policy{
	Name: "public-ssh", Level: Mandatory, Area: Nodes,
	Summary: "Nobody outside reaches port 22.",
	Why:     "An SSH port that is open to the world is found within minutes and tried for ever after. GPU servers are wanted.",
	Fix:     "Use Session Manager, or open the port to the addresses of your bastion.",
	Tokens:  []string{tokenSecurityGroup, tokenDefaultGroup, tokenGroupRule, tokenIngressRule},

	Resource: func(r *Resource, _ Config) []Finding {
		for _, o := range openings(r) {
			if o.ports(22, 22) {
				return one("%s may connect to port 22.", o.from)
			}
		}
		return nil
	},
}

// opening is an ingress rule that lets the whole world in.
type opening struct {
	from     string // such as 0.0.0.0/0 or ::/0
	protocol string
	low      float64
	high     float64
	span     string // how messages show the ports
}

// ports says whether the rule opens some port from low to high. A rule for every protocol opens all.
func (o opening) ports(low, high float64) bool {
	switch o.protocol {
	case "-1", "all":
		return true
	case "icmp", "icmpv6", "1", "58":
		return false
	}
	return o.low <= high && low <= o.high
}

// openings returns the ingress rules of a security group or rule whose source is the whole world.
func openings(r *Resource) []opening {
	switch r.Type {
	case tokenGroupRule:
		if kind, _ := r.Get("type").Text(); kind != "ingress" {
			return nil
		}
		return openingsOf(r.Get)
	case tokenIngressRule:
		return openingsOf(r.Get)
	}
	rules, _ := r.Get("ingress").List()
	var found []opening
	for _, rule := range rules {
		found = append(found, openingsOf(rule.Get)...)
	}
	return found
}

// openingsOf reads one rule, of whichever resource: their properties have different names and do not overlap.
func openingsOf(get func(path ...string) Value) []opening {
	protocol := get("protocol")
	if protocol.Absent() {
		protocol = get("ipProtocol")
	}
	text, ok := protocol.Text()
	if n, isNumber := protocol.Number(); isNumber {
		text, ok = strconv.Itoa(int(n)), true
	}
	low, okLow := get("fromPort").NumberOr(0)
	high, okHigh := get("toPort").NumberOr(65535)
	if !ok || !okLow || !okHigh {
		return nil
	}
	sources := []Value{get("cidrIpv4"), get("cidrIpv6")}
	for _, name := range []string{"cidrBlocks", "ipv6CidrBlocks"} {
		list, _ := get(name).List()
		sources = append(sources, list...)
	}
	var found []opening
	for _, source := range sources {
		if from, all := world(source); all {
			found = append(found, opening{from: from, protocol: text, low: low, high: high, span: span(get("fromPort"), get("toPort"))})
		}
	}
	return found
}

// world says whether a range of addresses is all there are, however it is written, and returns it as 0.0.0.0/0 or ::/0.
func world(cidr Value) (string, bool) {
	text, _ := cidr.Text()
	prefix, err := netip.ParsePrefix(text)
	return prefix.Masked().String(), err == nil && prefix.Bits() == 0
}

// span shows a range of ports.
func span(low, high Value) string {
	if low.Absent() || high.Absent() {
		return "every port"
	}
	if low.Quote() == high.Quote() {
		return "port " + low.Quote()
	}
	return "the ports " + low.Quote() + " to " + high.Quote()
}
