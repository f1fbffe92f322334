package blueprint

import (
	"path"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/internal/timetable"
	"github.com/hashicorp/hcl/v2"
)

// checkTimezones refuses what is no canonical name of a time zone, wherever a blueprint has one.
//
// Sources: EC2 Auto Scaling API, PutScheduledUpdateGroupAction; Application Auto Scaling API, PutScheduledAction.
func checkTimezones(b *Blueprint, _ known) hcl.Diagnostics {
	var zones []Value[string]
	for _, p := range b.NodePools {
		for _, s := range p.Schedules {
			zones = append(zones, s.Timezone)
		}
	}
	for _, s := range b.Serverless {
		if s.Lambda != nil && s.Lambda.Scaling != nil {
			for _, at := range s.Lambda.Scaling.Schedules {
				zones = append(zones, at.Timezone)
			}
		}
	}
	var diags hcl.Diagnostics
	near := map[string][]string{} // a mistake is often made in many schedules
	for _, zone := range zones {
		if !zone.IsSet() || timetable.IsZone(zone.Value) {
			continue
		}
		if _, asked := near[zone.Value]; !asked && len(near) < 100 && len(zone.Value) <= 64 {
			near[zone.Value] = nearZones(zone.Value)
		}
		diags = append(diags, errorf(zone.Range, "Unknown time zone", "%q is no time zone.%s AWS takes the canonical names of the IANA Time Zone Database, such as Europe/Berlin or Etc/UTC.",
			zone.String(), didYouMean("", near[zone.Value])))
	}
	return diags
}

// nearZones returns the time zones that a name may stand for: those that are spelled much like it, or those of the city.
func nearZones(name string) []string {
	if near := catalog.Near(name, timetable.Zones()); len(near) > 0 {
		return near
	}
	return slices.DeleteFunc(timetable.Zones(), func(zone string) bool { return !strings.EqualFold(path.Base(zone), name) })
}
