package nodeprep

import (
	"fmt"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// raid0 joins the instance-store disks of an EC2 instance and mounts them. A disk counts only by EC2's own identifier,
// and one that has anything on it stops the item: a step elsewhere took the root disk for one
// (nodewright-packages#144).
//
// Source: EC2 User Guide, "RAID configuration for instance store volumes" and "Identify instance store volumes".
func raid0() item {
	return item{
		Key: "raid0", Title: "Instance-store disks as one",
		Keys: []key{{Name: "storage.raid0", Legal: matching(`/[a-z0-9][a-z0-9/_-]{0,100}`, "a path to mount it at, such as /mnt/scratch")}},
		Host: true, Slow: true,
		Assess: func(w want, h *facts.Host) []Setting {
			s := Setting{Name: "storage.raid0", Wanted: w.get("storage.raid0")}
			disks := 0
			for _, d := range h.Disks {
				if !d.InstanceStore {
					continue
				}
				disks++
				if used := inUse(d); used != "" && s.Live == "" {
					s.Reason = d.Name + " " + used + ": it is left alone"
				}
			}
			for _, m := range h.Mounts {
				if m.Target == s.Wanted {
					s.Live, s.OnDisk, s.Reason = s.Wanted, s.Wanted, ""
				}
			}
			switch {
			case disks == 0:
				return []Setting{notApplicable(s.Name, s.Wanted, "this host has no instance-store disk")}
			case s.Reason != "":
				return []Setting{blocked(s, s.Reason)}
			}
			s.Name = fmt.Sprintf("storage.raid0 of %d", disks)
			return []Setting{judged(s)}
		},
		Steps: func(w want) []script.Step { return []script.Step{script.Call("np_raid0", w.get("storage.raid0"))} },
	}
}

// inUse says what a disk is used for, or nothing for one that is certainly empty.
func inUse(d facts.Disk) string {
	switch {
	case len(d.MountedBelow) > 0:
		return "is mounted at " + strings.Join(d.MountedBelow, ", ")
	case d.Partitions > 0:
		return "has partitions"
	case d.Holders > 0:
		return "is part of something else"
	case d.Signature == "none":
		return ""
	case d.Signature == "unreadable" || d.Signature == "-":
		return "could not be looked at"
	}
	return "has a signature (" + d.Signature + ")"
}
