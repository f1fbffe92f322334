package pack

import (
	"fmt"
	"strings"
)

// nic is one network interface of a launch template.
type nic struct {
	position     int // in the template's list
	card, device int
	kind         string // "interface", "efa" or "efa-only"
	placed       bool   // card and device are known
	public       bool   // it asks for a public IP address
	groups       Value
}

// efa says whether the interface is an EFA.
func (n nic) efa() bool { return n.kind == "efa" || n.kind == "efa-only" }

// String is how messages call an interface: by card and device where they are known.
func (n nic) String() string {
	if !n.placed {
		return fmt.Sprintf("interface %d of the list", n.position)
	}
	return fmt.Sprintf("interface %d/%d", n.card, n.device)
}

// interfaces reads the network interfaces of a launch template. What is not known of one is left at its zero value.
// Card and device default to 0, the kind to "interface".
// Source: EC2 API, LaunchTemplateInstanceNetworkInterfaceSpecificationRequest.
func interfaces(template *Resource) []nic {
	list, _ := template.Get("networkInterfaces").List()
	nics := make([]nic, 0, len(list))
	for i, v := range list {
		kind, _ := v.Get("interfaceType").TextOr("interface")
		public, _ := v.Get("associatePublicIpAddress").FlagOr(false)
		card, cardKnown := v.Get("networkCardIndex").NumberOr(0)
		device, deviceKnown := v.Get("deviceIndex").NumberOr(0)
		nics = append(nics, nic{
			position: i, card: int(card), device: int(device), placed: cardKnown && deviceKnown,
			kind: kind, public: public, groups: v.Get("securityGroups"),
		})
	}
	return nics
}

// efas returns the EFA interfaces of a launch template.
func efas(template *Resource) []nic {
	var found []nic
	for _, n := range interfaces(template) {
		if n.efa() {
			found = append(found, n)
		}
	}
	return found
}

// join writes a list as a sentence has it: a, b and c.
func join(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// one makes findings of at most one message.
func one(format string, args ...any) []Finding {
	return []Finding{{Message: fmt.Sprintf(format, args...)}}
}

// at makes a finding about a resource of the stack.
func at(r *Resource, format string, args ...any) Finding {
	return Finding{URN: r.URN, Message: fmt.Sprintf(format, args...)}
}
