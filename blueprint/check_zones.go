package blueprint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/internal/cidr"
	"github.com/hashicorp/hcl/v2"
)

var (
	zoneID   = regexp.MustCompile(`^[a-z]{2,6}[0-9]-az[0-9]{1,2}$`)
	zoneName = regexp.MustCompile(`^[a-z]{2}(-[a-z]+)+-[0-9][a-z]$`)
)

// IsZoneID tells an id, which means the same zone to everybody, from a name, which is private to an account.
func IsZoneID(zone string) bool { return isZoneID(zone) }

func isZoneID(zone string) bool { return zoneID.MatchString(zone) }

// zonesWithoutEKS are zones in which EKS places no control plane.
//
// Source: EKS User Guide, "View Amazon EKS networking requirements for VPC and subnets".
func zonesWithoutEKS() []string { return []string{"use1-az3", "usw1-az2", "cac1-az3"} }

// checkZones judges the zones of the network: of the region, all ids or all names, each once, at least two.
//
// Source: EC2 User Guide, "Availability Zones"; EKS User Guide, networking requirements (subnets in two zones).
func checkZones(b *Blueprint, k known) hcl.Diagnostics {
	n := b.Network
	if n == nil || len(n.Zones) == 0 {
		return nil
	}
	var diags hcl.Diagnostics
	seen := map[string]bool{}
	first := n.Zones[0]
	for _, z := range n.Zones {
		d := judgeZone(z, b.Environment.Region, k)
		switch {
		case seen[z.Value]:
			d = errorf(z.Range, "Duplicate zone", "%s is listed twice.", z)
		case d == nil && wellFormed(first.Value) && isZoneID(z.Value) != isZoneID(first.Value):
			d = errorf(z.Range, "Zone ids and names mixed",
				"%s and %s may be the same zone: which name has which id differs from account to account. Write all zones as ids, or all as names.", first, z)
		}
		seen[z.Value] = true
		if d != nil {
			diags = append(diags, d)
		}
	}
	switch {
	case len(n.Zones) < 2:
		diags = append(diags, errorf(first.Range, "Too few zones", "EKS needs subnets in at least two zones. Add a second zone; pools can still keep to one."))
	case len(n.Zones) > cidr.MaxZones:
		diags = append(diags, errorf(n.Zones[cidr.MaxZones].Range, "Too many zones", "A VPC is laid out over at most %d zones.", cidr.MaxZones))
	}
	return diags
}

func wellFormed(zone string) bool { return zoneID.MatchString(zone) || zoneName.MatchString(zone) }

// judgeZone judges one zone by itself. Which names a region has only an account can tell, so only their form is judged.
func judgeZone(z, region Value[string], k known) *hcl.Diagnostic {
	zones := k.catalog.Zones(region.Value)
	switch {
	case !wellFormed(z.Value):
		return errorf(z.Range, "Illegal zone", "%q is neither a zone id such as usw2-az1 nor a zone name such as us-west-2a.", z.String())
	case len(zones) == 0: // the region is in error, or unknown
		return nil
	case isZoneID(z.Value) && slices.Contains(zonesWithoutEKS(), z.Value):
		return errorf(z.Range, "Zone without EKS", "EKS places no control plane in %s. Use others of %s.", z, list(zones))
	case isZoneID(z.Value) && !slices.Contains(zones, z.Value):
		return errorf(z.Range, "Zone not in region", "%s is no zone of %s that gpuyard knows. Known: %s.", z, region, list(zones))
	case !isZoneID(z.Value) && strings.TrimRight(z.Value, "abcdefghijklmnopqrstuvwxyz") != region.Value:
		return errorf(z.Range, "Zone not in region", "%s is no zone of %s, whose zones are named %sa, %sb and so on.", z, region, region, region)
	}
	return nil
}
