package pack

import (
	"slices"
)

var snapshotsScheduled = Policy{
	Name: "snapshots-scheduled", Level: Advisory, Area: Storage,
	Summary: "Volumes on Ceph are snapshotted on a schedule.",
	Why:     "Replicas keep data through a dead disk and not through a deleted file. A snapshot costs what changes.",
	Fix:     "Add a `SnapshotSchedule` (snapscheduler.backube/v1) with a retention, in the namespace of the volumes.",
	Stack: func(s *Stack, _ Config) []Finding {
		ceph := append(slices.Clone(s.Of(tokenCephPool, tokenCephFilesystem)), charts(s, "rook-ceph-cluster")...)
		if len(ceph) == 0 || !chartsKnown(s) {
			return nil
		}
		schedules := s.Of(tokenSnapshotSchedule)
		if len(schedules) == 0 {
			return []Finding{at(ceph[0], "There is a Ceph cluster and no SnapshotSchedule.")}
		}
		var findings []Finding
		for _, schedule := range schedules {
			if schedule.Get("spec", "retention", "maxCount").Absent() && schedule.Get("spec", "retention", "expires").Absent() && !schedule.Get("spec").Absent() {
				findings = append(findings, at(schedule, "The schedule has no retention: its snapshots stay until the pool is full."))
			}
		}
		return findings
	},
}
