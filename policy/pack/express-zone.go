package pack

import (
	"slices"
)

var expressZone = Policy{
	Name: "express-zone", Level: Advisory, Area: Storage,
	Summary: "A bucket of S3 Express One Zone is in the zone of a pool of accelerated nodes.",
	Why: "It lives in one zone, and being near is what it is paid for: from another zone each request takes as long as to a bucket that " +
		"is in all zones.",
	Fix:   "Put the bucket into the zone of the pool that reads it: `location.name` is a zone id, such as usw2-az1.",
	Stack: judgeExpressZone,
}

// Source: Amazon S3 User Guide, "S3 Express One Zone: Single Availability Zone".
func judgeExpressZone(s *Stack, _ Config) []Finding {
	zones, ok := zonesOfPools(s, acceleratedPools(s), zoneIDsOf)
	if !ok {
		return nil
	}
	slices.Sort(zones)
	zones = slices.Compact(zones)
	var findings []Finding
	for _, bucket := range s.Of(tokenDirectoryBucket) {
		own, ok := bucket.Get("location", "name").Text()
		if ok && len(zones) > 0 && !slices.Contains(zones, own) {
			findings = append(findings, at(bucket, "The bucket is in %s, and the pools of accelerated nodes are in %s.",
				bucket.Get("location", "name").Quote(), join(zones)))
		}
	}
	return findings
}

// zoneIDsOf returns the ids of the zones of a node group's subnets, unless one of them is not known: a subnet that is not
// in the stack, or that is still to be made and has only the name of its zone, which means another zone in each account.
func zoneIDsOf(s *Stack, group *Resource) ([]string, bool) {
	ids, ok := group.Get("subnetIds").List()
	var zones []string
	for _, id := range ids {
		subnet := s.Named(id, tokenSubnet)
		if subnet == nil {
			return nil, false
		}
		zone, known := subnet.Get("availabilityZoneId").Text()
		if !known {
			return nil, false
		}
		zones = append(zones, zone)
	}
	return zones, ok
}
