package blueprint

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// expressZones are the zones that have S3 Express One Zone, by region, of the regions whose list was to be had whole. In
// others the zone is left to AWS.
//
// Source: Amazon S3 User Guide, "Regions and Zones for directory buckets".
func expressZones() map[string][]string {
	return map[string][]string{
		"ap-northeast-1": {"apne1-az1", "apne1-az4"},
		"ap-south-1":     {"aps1-az1", "aps1-az3"},
		"us-east-1":      {"use1-az4", "use1-az5", "use1-az6"},
		"us-east-2":      {"use2-az1", "use2-az2"},
		"us-west-2":      {"usw2-az1", "usw2-az3", "usw2-az4"},
	}
}

// longestExpress is how long the names of environment and store may be together, so that what S3 wants at the end of the
// name fits: a dash, seven characters, the zone and --x-s3 in 63.
//
// Source: Amazon S3 User Guide, "Directory bucket naming rules".
const longestExpress = 37

// checkExpressZone judges buckets of S3 Express One Zone: they are in a zone that has it, beside the pools that read them,
// and lack what other buckets have.
//
// Source: Amazon S3 User Guide, "Differences for directory buckets".
func checkExpressZone(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, s := range b.Storage {
		if s.S3 == nil || !s.S3.ExpressZone.IsSet() {
			continue
		}
		zone := s.S3.ExpressZone
		if !isZoneID(zone.Value) {
			diags = append(diags, errorf(zone.Range, "Express zone by name", "%s is a zone's name, and a directory bucket is named after the zone's id, such as use2-az1.", zone))
			continue
		}
		if d := judgeExpressZone(b, zone); d != nil {
			diags = append(diags, d)
		}
		if n := len(b.Environment.Name.Value) + 1 + len(s.Name.Value); n > longestExpress {
			diags = append(diags, errorf(s.Name.Range, "Name too long",
				"The names of environment and store make %d characters, and a directory bucket leaves room for %d.", n, longestExpress))
		}
		diags = append(diags, judgeExpressLacks(s)...)
	}
	return diags
}

func judgeExpressZone(b *Blueprint, zone Value[string]) *hcl.Diagnostic {
	region := b.Environment.Region.Value
	offered, listed := expressZones()[region]
	if listed && !slices.Contains(offered, zone.Value) {
		return errorf(zone.Range, "Zone without S3 Express One Zone", "%s has no S3 Express One Zone. In %s these have it: %s; other regions are %s.",
			zone, region, list(offered), list(slices.Sorted(maps.Keys(expressZones()))))
	}
	if n := b.Network; n != nil && len(n.Zones) > 0 && isZoneID(n.Zones[0].Value) {
		var zones []string
		for _, z := range n.Zones {
			zones = append(zones, z.Value)
		}
		if !slices.Contains(zones, zone.Value) {
			return errorf(zone.Range, "Zone not in network", "%s is not in the zones of the network, so every read of the bucket crosses zones. Write one of %s.", zone, list(zones))
		}
	}
	for _, p := range b.NodePools {
		if slices.ContainsFunc(p.Types, hasAccelerator) && slices.Contains(p.Zones(b.Network), zone.Value) {
			return nil
		}
	}
	if !slices.ContainsFunc(b.NodePools, func(p *NodePool) bool { return slices.ContainsFunc(p.Types, hasAccelerator) }) {
		return nil
	}
	return warnf(zone.Range, "Bucket in another zone than its nodes", "No pool with accelerators is in %s: each read crosses zones, and what the bucket is paid for is lost.", zone)
}

func judgeExpressLacks(s *Storage) hcl.Diagnostics {
	var diags hcl.Diagnostics
	lacks := func(at hcl.Range, what string) {
		diags = append(diags, errorf(at, "Not in a directory bucket", "A bucket of S3 Express One Zone has no %s here. Leave it out, or express_zone.", what))
	}
	if s.S3.Versioned.Value {
		lacks(s.S3.Versioned.Range, "versions")
	}
	if s.S3.ExpireAfter.IsSet() {
		lacks(s.S3.ExpireAfter.Range, "expiry")
	}
	if s.S3.ArchiveAfter.IsSet() {
		lacks(s.S3.ArchiveAfter.Range, "archive")
	}
	if c := s.S3.Checkpoints; c != nil && c.CrossZone.Value {
		lacks(c.CrossZone.Range, "copy in another zone")
	}
	return diags
}
