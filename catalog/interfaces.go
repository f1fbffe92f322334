package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Fabric is the network that the nodes of a pool exchange gradients over.
type Fabric string

// The fabrics. RoCE is for servers prepared over SSH: on EC2 it asks for nothing.
const (
	FabricNone Fabric = "none"
	FabricEFA  Fabric = "efa"
	FabricRoCE Fabric = "roce"
)

// InterfaceKind is the type of a network interface, in the words of EC2's launch templates.
type InterfaceKind string

// The kinds of interfaces. Only an EFA-only interface takes no IP address.
const (
	KindENA     InterfaceKind = "interface"
	KindEFA     InterfaceKind = "efa" // an ENA and an EFA in one
	KindEFAOnly InterfaceKind = "efa-only"
)

// Interface is one network interface of a node.
type Interface struct {
	// Card is the network card index.
	Card int
	// Device is the device index on that card.
	Device int
	Kind   InterfaceKind
}

// InterfacePlan is what network interfaces a node is launched with, the primary one first.
type InterfacePlan []Interface

// InterfacePlan says what interfaces an instance of the type needs for the fabric.
//
// The primary interface is an ENA at card 0, device 0. With the EFA fabric every card that can carry an EFA gets
// exactly one, EFA-only, so that it costs no IP address: at device 1 of card 0, since EFA-only cannot be primary,
// and at device 0 of every other card. Where card 0 holds a single interface, that one is ENA and EFA at once.
// Source: EC2 User Guide, "Maximize network bandwidth on instances with multiple network cards" and "EFA basics".
//
// The error is a [*NoEFAError] if the type has no EFA. A type whose number of EFAs does not follow from its cards is
// refused too: additions.json has to say which cards carry none.
func (t *InstanceType) InterfacePlan(f Fabric) (InterfacePlan, error) {
	plan := InterfacePlan{{Card: 0, Device: 0, Kind: KindENA}}
	switch f {
	case FabricNone, FabricRoCE:
		return plan, nil
	case FabricEFA:
	default:
		return nil, fmt.Errorf("unknown fabric %q; want %s, %s or %s", f, FabricNone, FabricEFA, FabricRoCE)
	}
	if !t.HasEFA() {
		return nil, &NoEFAError{Type: t.Name, Near: t.nearWithEFA()}
	}
	for _, card := range t.Cards {
		switch {
		case !card.EFA:
		case card.Index > 0:
			plan = append(plan, Interface{Card: card.Index, Device: 0, Kind: KindEFAOnly})
		case card.MaxInterfaces > 1:
			plan = append(plan, Interface{Card: 0, Device: 1, Kind: KindEFAOnly})
		default:
			plan[0].Kind = KindEFA
		}
	}
	if n := plan.EFAs(); n != t.MaxEFA {
		return nil, fmt.Errorf("%s takes %d EFAs but %d of its %d network cards could carry one, and the catalog does not say which do",
			t.Name, t.MaxEFA, n, len(t.Cards))
	}
	return plan, nil
}

// EFAs counts the EFAs of the plan, which is what a node with it offers as vpc.amazonaws.com/efa.
func (p InterfacePlan) EFAs() int {
	return p.count(func(i Interface) bool { return i.Kind != KindENA })
}

// ENAsOnCard counts the interfaces on a card that take IP addresses.
func (p InterfacePlan) ENAsOnCard(card int) int {
	return p.count(func(i Interface) bool { return i.Card == card && i.Kind != KindEFAOnly })
}

func (p InterfacePlan) count(match func(Interface) bool) int {
	n := 0
	for _, i := range p {
		if match(i) {
			n++
		}
	}
	return n
}

// String sums the plan up in a line, with card/device in brackets: "1 ENA (0/0) + 32 efa-only (0/1, 1-31/0)".
func (p InterfacePlan) String() string {
	var parts []string
	for _, kind := range []struct {
		kind InterfaceKind
		word string
	}{{KindENA, "ENA"}, {KindEFA, "efa"}, {KindEFAOnly, "efa-only"}} {
		n := p.count(func(i Interface) bool { return i.Kind == kind.kind })
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s (%s)", n, kind.word, p.places(kind.kind)))
		}
	}
	return strings.Join(parts, " + ")
}

// places lists where the interfaces of a kind sit, neighbouring cards with the same device index drawn together.
func (p InterfacePlan) places(kind InterfaceKind) string {
	type run struct{ first, last, device int }
	var runs []run
	for _, i := range p {
		if i.Kind != kind {
			continue
		}
		if n := len(runs) - 1; n >= 0 && runs[n].device == i.Device && runs[n].last == i.Card-1 {
			runs[n].last = i.Card
			continue
		}
		runs = append(runs, run{i.Card, i.Card, i.Device})
	}
	var texts []string
	for _, r := range runs {
		cards := fmt.Sprint(r.first)
		if r.last > r.first {
			cards += fmt.Sprintf("-%d", r.last)
		}
		texts = append(texts, fmt.Sprintf("%s/%d", cards, r.device))
	}
	return strings.Join(texts, ", ")
}

// NoEFAError says that an instance type cannot have an EFA.
type NoEFAError struct {
	// Type is the instance type that was asked for.
	Type string
	// Near holds up to three similar types that can, the most similar first.
	Near []string
}

func (e *NoEFAError) Error() string {
	msg := e.Type + " has no EFA"
	if len(e.Near) > 0 {
		msg += "; similar types that have one: " + strings.Join(e.Near, ", ")
	}
	return msg
}

// nearWithEFA finds up to three types of the same architecture that have an EFA: first of the same family, then with
// the same accelerator, then of the same maker, and among those the nearest in size.
func (t *InstanceType) nearWithEFA() []string {
	if t.catalog == nil {
		return nil
	}
	var found []*InstanceType
	for _, other := range t.catalog.Types() {
		if other.HasEFA() && other.Arch == t.Arch && t.kinship(other) < unrelated {
			found = append(found, other)
		}
	}
	slices.SortStableFunc(found, func(a, b *InstanceType) int {
		return cmp.Or(
			cmp.Compare(t.kinship(a), t.kinship(b)),
			cmp.Compare(distance(a.VCPUs, t.VCPUs), distance(b.VCPUs, t.VCPUs)),
		)
	})
	var names []string
	for _, other := range found[:min(3, len(found))] {
		names = append(names, other.Name)
	}
	return names
}

// unrelated is the kinship of two types that have nothing in common.
const unrelated = 4

// kinship says how close another type is: 0 for the same family, then the same accelerator, the same kind of CPU
// type (the family's first letter), the same maker.
func (t *InstanceType) kinship(other *InstanceType) int {
	a, b := t.Accelerator, other.Accelerator
	switch {
	case t.family() == other.family():
		return 0
	case a != nil && b != nil && a.Name == b.Name:
		return 1
	case a == nil && b == nil && t.Name[0] == other.Name[0]:
		return 2
	case a != nil && b != nil && a.Maker == b.Maker, a == nil && b == nil:
		return 3
	}
	return unrelated
}

func distance(a, b int) int { return max(a-b, b-a) }
