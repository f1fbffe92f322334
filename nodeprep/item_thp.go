package nodeprep

import (
	"fmt"
	"path"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

const (
	thpFile = "/etc/tmpfiles.d/gpuyard-thp.conf"
	thpRoot = "/sys/kernel/mm/transparent_hugepage/"
)

// thpKnobs are the switches, by key of a profile.
var thpKnobs = []struct{ Key, File string }{
	{"thp.enabled", "enabled"}, {"thp.defrag", "defrag"}, {"thp.shmem", "shmem_enabled"},
}

// transparentHugepages sets the kernel's switches for transparent huge pages, now and at every boot.
//
// Lines of tmpfiles.d persist them: that needs no reboot, unlike a kernel parameter, and writes without a shell.
// Processes that run already keep their pages. Source: Linux, Documentation/admin-guide/mm/transhuge.rst.
func transparentHugepages() item {
	return item{
		Key: "transparent_hugepages", Title: "Transparent huge pages",
		Keys: []key{
			{Name: "thp.enabled", Legal: oneOf("always", "madvise", "never")},
			{Name: "thp.defrag", Legal: oneOf("always", "defer", "defer+madvise", "madvise", "never")},
			{Name: "thp.shmem", Legal: oneOf("always", "within_size", "advise", "never", "deny", "force")},
		},
		Needs:  []string{"tuned"},
		Assess: assessTHP,
		Steps: func(w want) []script.Step {
			steps := []script.Step{script.File(thpFile, "0644", "any", thpContent(w))}
			for _, k := range thpKnobs {
				if w.has(k.Key) {
					steps = append(steps, script.Call("np_sysfs", thpRoot+k.File, w.get(k.Key)))
				}
			}
			return steps
		},
	}
}

func thpContent(w want) string {
	var b strings.Builder
	b.WriteString("# Transparent huge pages, kept by gpuyard.\n")
	for _, k := range thpKnobs {
		if w.has(k.Key) {
			fmt.Fprintf(&b, "w %s%s - - - - %s\n", thpRoot, k.File, w.get(k.Key))
		}
	}
	return b.String()
}

func assessTHP(w want, h *facts.Host) []Setting {
	live := map[string]string{"thp.enabled": h.Memory.THP.Enabled, "thp.defrag": h.Memory.THP.Defrag, "thp.shmem": h.Memory.THP.Shmem}
	var out []Setting
	for _, k := range thpKnobs {
		if !w.has(k.Key) {
			continue
		}
		if live[k.Key] == "" {
			out = append(out, notApplicable(k.Key, w.get(k.Key), "this kernel has no "+thpRoot+k.File))
			continue
		}
		value, by := tmpfile(h, thpRoot+k.File)
		s := Setting{Name: k.Key, Live: live[k.Key], OnDisk: value, Wanted: w.get(k.Key)}
		tuned, owned := h.Tuned.Settings["vm.transparent_hugepages"]
		switch {
		case by != "" && by != thpFile && value != s.Wanted:
			s = blocked(s, fmt.Sprintf("%s sets it to %s as well: take that line out", by, value))
		case k.Key == "thp.enabled" && owned && tuned.Value != s.Wanted && w.get("tuned") != "off":
			s = blocked(s, fmt.Sprintf("tuned's profile %s sets it to %s in %s: choose another profile of tuned, or tuned = off",
				h.Tuned.Profile, tuned.Value, tuned.File))
		default:
			s = judged(s)
		}
		out = append(out, s)
	}
	return out
}

// tmpfile returns what tmpfiles.d writes to a file, and which file says so. Of several lines, the one in the file that
// sorts first counts; ours does not count where another does.
//
// Source: tmpfiles.d(5).
func tmpfile(h *facts.Host, target string) (value, by string) {
	for _, f := range h.Tmpfiles {
		for _, line := range f.Lines {
			words := strings.Fields(line)
			if len(words) < 7 || !strings.HasPrefix(words[0], "w") || words[1] != target {
				continue
			}
			if by == "" || by == thpFile || path.Base(f.Path) < path.Base(by) && f.Path != thpFile {
				value, by = strings.Join(words[6:], " "), f.Path
			}
		}
	}
	return value, by
}
