package network

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/internal/cidr"
)

// Subnets are the blocks of a VPC's subnets, in the order of its zones.
type Subnets struct {
	Private, Public []netip.Prefix
}

// Layout cuts a VPC's block into the subnets of its first zones: an eighth of the VPC for each private subnet,
// a sixty-fourth for each public one. A zone's subnets do not depend on how many zones come after it.
func Layout(vpc string, zones int) (Subnets, error) {
	prefix, err := netip.ParsePrefix(vpc)
	if err != nil {
		return Subnets{}, fmt.Errorf("VPC %q is not a block such as 10.0.0.0/16", vpc)
	}
	layout, err := cidr.Plan(prefix, zones)
	return Subnets(layout), err
}

// checkVPC judges the arguments and gives the layout that they ask for.
func checkVPC(name string, args *VPCArgs) (Subnets, error) {
	check := argument.For(TypeVPC, name)
	if args == nil {
		check.Failf("args", "a VPC needs arguments, at least cidr, zones, nat and region")
		return Subnets{}, check.Err()
	}
	if args.Region == "" {
		check.Failf("region", "it is not given")
	}
	if legal := []string{NATNone, NATSingle, NATPerZone}; !slices.Contains(legal, args.NAT) {
		check.Failf("nat", "%q is none of %s", args.NAT, strings.Join(legal, ", "))
	}
	checkZones(check, args)
	checkEndpoints(check, args.Endpoints)
	subnets := checkBlock(check, args)
	return subnets, check.Err()
}

func checkZones(check *argument.Checker, args *VPCArgs) {
	if n := len(args.Zones); n < 1 || n > cidr.MaxZones {
		check.Failf("zones", "there are %d, and a VPC is laid out over 1 to %d", n, cidr.MaxZones)
	}
	var ids, names []string
	for i, zone := range args.Zones {
		if slices.Contains(args.Zones[:i], zone) {
			check.Failf("zones", "%q is there twice", zone)
		}
		switch {
		case isZoneID(zone):
			ids = append(ids, zone)
		case args.Region != "" && !isZoneName(zone, args.Region):
			check.Failf("zones", "%q is neither an id, such as usw2-az1, nor a name in %s, such as %sa",
				zone, args.Region, args.Region)
		default:
			names = append(names, zone)
		}
	}
	if len(ids) > 0 && len(names) > 0 {
		check.Failf("zones", "%s is a name and %s is an id: only the account tells whether they are the same zone, so write all as ids or all as names",
			names[0], ids[0])
	}
}

// checkBlock judges the VPC's block by the room it has for every zone there could be.
func checkBlock(check *argument.Checker, args *VPCArgs) Subnets {
	zones := min(max(len(args.Zones), 1), cidr.MaxZones)
	subnets, err := Layout(args.CIDR, zones)
	if err != nil {
		check.Failf("cidr", "%v", err)
	}
	return subnets
}

// isZoneID tells a zone's id (usw2-az1) from its name.
func isZoneID(zone string) bool {
	return strings.Contains(zone, "-az")
}

// isZoneName tells whether a zone's name is one of a Region: us-west-2a, or us-west-2-lax-1a for a Local Zone.
func isZoneName(zone, region string) bool {
	rest, ok := strings.CutPrefix(zone, region)
	return ok && rest != ""
}
