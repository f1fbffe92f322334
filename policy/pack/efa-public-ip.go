package pack

import (
	"strings"
)

var efaPublicIP = Policy{
	Name: "efa-public-ip", Level: Mandatory, Area: Fabric,
	Summary: "A node with several network interfaces asks for no public IP address.",
	Why:     "EC2 assigns a public address at launch only to instances with one interface, and refuses the launch otherwise.",
	Fix:     "Leave `associatePublicIpAddress` out, and put the nodes into private subnets with a NAT gateway or endpoints.",
	Tokens:  []string{tokenLaunchTemplate},

	Resource: func(r *Resource, _ Config) []Finding {
		nics := interfaces(r)
		for _, n := range nics {
			if len(nics) > 1 && n.public {
				return one("%s asks for a public IP address, and there are %d interfaces: EC2 refuses that launch.", upperFirst(n.String()), len(nics))
			}
		}
		return nil
	},
}

// upperFirst begins a sentence.
func upperFirst(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
