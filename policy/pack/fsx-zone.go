package pack

import (
	"slices"
)

var fsxZone = Policy{
	Name: "fsx-zone", Level: Mandatory, Area: Storage,
	Summary: "A Lustre file system is in the zone of a pool of accelerated nodes.",
	Why: "It lives in one zone. From another one each read crosses zones, which adds a millisecond and is paid by the gigabyte; over EFA " +
		"it does not work at all.",
	Fix:   "Put the file system into the subnet of the pool that reads it.",
	Stack: judgeFSxZone,
}

func judgeFSxZone(s *Stack, _ Config) []Finding {
	pools := acceleratedPools(s)
	zones, ok := zonesOfPools(s, pools, zonesOf)
	if !ok {
		return nil
	}
	var findings []Finding
	for _, fs := range s.Of(tokenLustre) {
		own, ok := zonesOf(s, fs)
		if ok && len(pools) > 0 && len(own) > 0 && !slices.ContainsFunc(own, func(z string) bool { return slices.Contains(zones, z) }) {
			where := join(own)
			if fs.Get("subnetIds").Secret() {
				where = "another place"
			}
			findings = append(findings, at(fs, "The file system is in %s, and the pools of accelerated nodes are in %s.", where, join(slices.Compact(zones))))
		}
	}
	return findings
}

// acceleratedPools are the pools of nodes with accelerators.
func acceleratedPools(s *Stack) []pool {
	return slices.DeleteFunc(slices.Clone(s.pools), func(p pool) bool { return p.group == nil || !p.has("") })
}

// zonesOfPools returns the zones of all pools, as of says those of one. It is not ok if one is not known.
func zonesOfPools(s *Stack, pools []pool, of func(*Stack, *Resource) ([]string, bool)) ([]string, bool) {
	var zones []string
	for _, p := range pools {
		found, ok := of(s, p.group)
		if !ok {
			return nil, false
		}
		zones = append(zones, found...)
	}
	return zones, true
}

// zonesOf returns where the subnets of a resource are: their zones where those are known, else the subnets themselves.
func zonesOf(s *Stack, r *Resource) ([]string, bool) {
	ids, ok := r.Get("subnetIds").List()
	if single, isText := r.Get("subnetIds").Text(); isText { // FSx takes one subnet
		return []string{zoneOf(s, r.Get("subnetIds"), single)}, true
	}
	var zones []string
	for _, id := range ids {
		text, known := id.Text()
		if !known {
			return nil, false
		}
		zones = append(zones, zoneOf(s, id, text))
	}
	return zones, ok
}

func zoneOf(s *Stack, id Value, otherwise string) string {
	if subnet := s.Named(id, tokenSubnet); subnet != nil {
		for _, name := range []string{"availabilityZone", "availabilityZoneId"} {
			if zone, ok := subnet.Get(name).Text(); ok && zone != "" {
				return zone
			}
		}
	}
	return otherwise
}
