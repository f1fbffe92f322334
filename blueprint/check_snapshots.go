package blueprint

import (
	"regexp"
	"time"

	"github.com/hashicorp/hcl/v2"
)

var namespaceName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

// checkSnapshots refuses intervals that a schedule cannot say, since cron begins anew each day and week, and namespaces
// that cannot be.
//
// Source: snapscheduler, "SnapshotSchedule" (schedules in cron's words).
func checkSnapshots(b *Blueprint, _ known) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, s := range b.Storage {
		if s.Ceph == nil || s.Ceph.Snapshots == nil {
			continue
		}
		snapshots := s.Ceph.Snapshots
		every := snapshots.Every.Value
		const day = 24 * time.Hour
		if snapshots.Every.IsSet() && (every%time.Hour != 0 || every < time.Hour || every < day && day%every != 0 || every > day && every != 7*day) {
			diags = append(diags, errorf(snapshots.Every.Range, "Interval without a schedule", "A schedule cannot say every %s. Legal: 1h, 2h, 3h, 4h, 6h, 8h, 12h, 1d and 7d.", every))
		}
		for _, n := range snapshots.Namespaces {
			if n.IsSet() && !namespaceName.MatchString(n.Value) {
				diags = append(diags, errorf(n.Range, "Illegal namespace", "%q is no namespace: at most 63 lower case letters, digits and dashes.", n.String()))
			}
		}
	}
	return diags
}
