package cidr

import (
	"encoding/binary"
	"fmt"
	"net/netip"
)

// MaxZones is how many zones one VPC can be laid out over.
const MaxZones = 6

// The block of a VPC is cut into eighths. The first MaxZones of them are the private subnets, the seventh is
// left free, and the last is cut into eighths again, which are the public subnets.
const (
	sliceBits   = 3
	privateBits = sliceBits
	publicBits  = 2 * sliceBits
	publicSlice = 1<<sliceBits - 1
)

// EC2's bounds on the size of an IPv4 block, in bits of prefix. They are the same for VPCs and subnets.
// Source: Amazon VPC User Guide, "VPC CIDR blocks" and "Subnet CIDR blocks".
const (
	largest  = 16
	smallest = 28
)

// SmallestVPC is the longest prefix of a VPC that can be laid out: its public subnets have the smallest size
// that EC2 allows.
const SmallestVPC = smallest - publicBits

// reserved is how many addresses of a subnet EC2 keeps: the network's, the router's, the resolver's, one for
// the future and the broadcast address. Source: Amazon VPC User Guide, "Subnet sizing for IPv4".
const reserved = 5

// Layout is how a VPC is cut, one private and one public subnet a zone, in the order of the zones.
type Layout struct {
	Private, Public []netip.Prefix
}

// SizeError says that a VPC is too small or too large to be laid out.
type SizeError struct {
	// VPC is the block that was given.
	VPC netip.Prefix
	// Nearest is the block of a legal size that lies nearest: the smallest VPC that would do, or the largest.
	Nearest netip.Prefix
}

// Error says which block would do.
func (e *SizeError) Error() string {
	if e.VPC.Bits() > SmallestVPC {
		return fmt.Sprintf("VPC %s is too small for %d zones of a private and a public subnet: "+
			"the smallest VPC that would do is a /%d, such as %s", e.VPC, MaxZones, SmallestVPC, e.Nearest)
	}
	return fmt.Sprintf("VPC %s is larger than EC2 allows: the largest VPC is a /%d, such as %s",
		e.VPC, largest, e.Nearest)
}

// Plan cuts a VPC into the subnets of its first zones.
func Plan(vpc netip.Prefix, zones int) (Layout, error) {
	if err := check(vpc, zones); err != nil {
		return Layout{}, err
	}
	var l Layout
	for zone := range zones {
		l.Private = append(l.Private, block(vpc, privateBits, zone))
		l.Public = append(l.Public, block(vpc, publicBits, publicSlice<<sliceBits+zone))
	}
	return l, nil
}

// Usable is how many addresses of a subnet EC2 gives out: all but the five that it keeps.
func Usable(p netip.Prefix) int {
	return max(0, 1<<(32-p.Bits())-reserved)
}

func check(vpc netip.Prefix, zones int) error {
	switch {
	case !vpc.IsValid() || !vpc.Addr().Is4():
		return fmt.Errorf("VPC %s is not an IPv4 block, such as 10.0.0.0/16", vpc)
	case vpc != vpc.Masked():
		return fmt.Errorf("VPC %s has bits set beyond its prefix: its block is %s", vpc, vpc.Masked())
	case vpc.Bits() > SmallestVPC:
		return &SizeError{VPC: vpc, Nearest: resized(vpc, SmallestVPC)}
	case vpc.Bits() < largest:
		return &SizeError{VPC: vpc, Nearest: resized(vpc, largest)}
	case zones < 1 || zones > MaxZones:
		return fmt.Errorf("a VPC is laid out over 1 to %d zones, not %d", MaxZones, zones)
	}
	return nil
}

func resized(p netip.Prefix, bits int) netip.Prefix {
	return netip.PrefixFrom(p.Addr(), bits).Masked()
}

// block is the nth block of p when p is cut by newBits bits.
func block(p netip.Prefix, newBits, n int) netip.Prefix {
	bits := p.Bits() + newBits
	base := p.Addr().As4()
	var addr [4]byte
	binary.BigEndian.PutUint32(addr[:], binary.BigEndian.Uint32(base[:])|uint32(n)<<(32-bits))
	return netip.PrefixFrom(netip.AddrFrom4(addr), bits)
}
