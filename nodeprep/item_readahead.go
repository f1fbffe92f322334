package nodeprep

import (
	"fmt"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

const readAheadFile = "/etc/udev/rules.d/99-gpuyard-read-ahead.rules"

// readAhead sets how far disks read ahead, by a rule that also meets disks that come later.
//
// Source: Linux, Documentation/ABI/stable/sysfs-block, queue/read_ahead_kb.
func readAhead() item {
	return item{
		Key: "read_ahead", Title: "Read-ahead of disks",
		Keys: []key{{Name: "storage.read_ahead_kib", Legal: within(0, 65536)}},
		Assess: func(w want, h *facts.Host) []Setting {
			wanted := w.get("storage.read_ahead_kib")
			disk := onDisk(h, readAheadFile, readAheadContent(w), wanted)
			var out []Setting
			for _, d := range h.Disks {
				out = append(out, judged(Setting{Name: d.Name, Live: fmt.Sprint(d.ReadAheadKiB), OnDisk: disk, Wanted: wanted}))
			}
			if len(out) == 0 {
				return []Setting{notApplicable("storage.read_ahead_kib", wanted, "this host has no disk")}
			}
			return out
		},
		Steps: func(w want) []script.Step {
			return []script.Step{
				script.File(readAheadFile, "0644", "any", readAheadContent(w)),
				script.Call("np_read_ahead", w.get("storage.read_ahead_kib")),
			}
		},
	}
}

func readAheadContent(w want) string {
	return fmt.Sprintf(`# Read-ahead of disks, kept by gpuyard.
ACTION=="add|change", SUBSYSTEM=="block", KERNEL=="nvme*|sd*|vd*|xvd*|md*|dm-*", ENV{DEVTYPE}=="disk", ATTR{queue/read_ahead_kb}="%s"
`, w.get("storage.read_ahead_kib"))
}
