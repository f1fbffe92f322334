package nodeprep

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

const sysctlFile = "/etc/sysctl.d/99-zz-gpuyard.conf"

// raiseOnly are parameters where more does no harm and less takes something from somebody: a plain value of a profile
// means at least. systemd and the EFA packages set some of them higher.
//
// Source: tuned's throughput-performance (its => operator) and amazon-eks-ami for the choice.
var raiseOnly = []string{
	"fs.aio-max-nr", "fs.file-max", "fs.inotify.max_user_instances", "fs.inotify.max_user_watches", "fs.nr_open",
	"kernel.pid_max", "kernel.threads-max", "net.core.netdev_max_backlog", "net.core.rmem_max", "net.core.somaxconn",
	"net.core.wmem_max", "net.ipv4.tcp_max_syn_backlog", "net.netfilter.nf_conntrack_max", "vm.max_map_count", "vm.nr_hugepages",
}

// sysctl keeps kernel parameters in one file that sorts last, and reads every one back.
//
// systemd-sysctl succeeds where a key is missing, and a file that sorts later, or tuned, may have the last word:
// both are looked for and named. Source: sysctl.d(5).
func sysctl() item {
	return item{
		Key: "sysctl", Title: "Kernel parameters",
		Keys:   []key{{Name: "sysctl.", Legal: matching(`[A-Za-z0-9_. :/-]{1,200}`, "letters, digits, blanks and . _ : / -"), LegalFor: legalSysctl}},
		Needs:  []string{"kernel_modules", "tuned"},
		Assess: assessSysctl,
		Steps: func(w want) []script.Step {
			args := []string{sysctlFile}
			for _, p := range orderedSysctl(w) {
				args = append(args, p.Key+" "+operator(p.Key)+" "+facts.Normal(p.Value))
			}
			return []script.Step{script.Call("np_sysctls", args...)}
		},
		Files: func(want) []string { return []string{sysctlFile} },
		Sysctl: func(w want) []string {
			var keys []string
			for _, p := range w.family("sysctl.") {
				keys = append(keys, p.Key)
			}
			return keys
		},
		Predict: func(w want, h *facts.Host) map[string]string {
			return map[string]string{sysctlFile: sysctlContent(w, h)}
		},
	}
}

// orderedSysctl are the parameters in an order in which each is legal when it is set: the neighbour table's limits
// must rise, and nr_open caps what is set after it.
func orderedSysctl(w want) []pair {
	pairs := w.family("sysctl.")
	rank := func(p pair) int {
		switch {
		case strings.HasSuffix(p.Key, "gc_thresh3"), p.Key == "fs.nr_open":
			return 0
		case strings.HasSuffix(p.Key, "gc_thresh2"):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return rank(a) - rank(b) })
	return pairs
}

func operator(key string) string {
	if slices.Contains(raiseOnly, key) {
		return ">="
	}
	return "="
}

// enough says whether a value does, where an operator may allow more.
func enough(key, have, wanted string) bool {
	if have == wanted {
		return true
	}
	h, errH := strconv.ParseInt(have, 10, 64)
	w, errW := strconv.ParseInt(wanted, 10, 64)
	return operator(key) == ">=" && errH == nil && errW == nil && h >= w
}

// sysctlContent is the file as the host will write it: where more is enough, what the host has already stays.
func sysctlContent(w want, h *facts.Host) string {
	var b strings.Builder
	b.WriteString("# Kernel parameters of this host, kept by gpuyard. It sorts last, so that it has the last word.\n")
	for _, p := range orderedSysctl(w) {
		value := facts.Normal(p.Value)
		live, known := h.Sysctl[p.Key]
		if !known {
			continue
		}
		if operator(p.Key) == ">=" && enough(p.Key, live, value) {
			value = live
		}
		fmt.Fprintf(&b, "%s = %s\n", p.Key, value)
	}
	return b.String()
}

func assessSysctl(w want, h *facts.Host) []Setting {
	var out []Setting
	owned := facts.ConfigFile{Path: sysctlFile, Lines: strings.Split(h.Files[sysctlFile].Content, "\n")}.Assignments()
	for _, p := range orderedSysctl(w) {
		value := facts.Normal(p.Value)
		live, known := h.Sysctl[p.Key]
		if !known {
			out = append(out, missingSysctl(w, p))
			continue
		}
		s := Setting{Name: p.Key, Live: live, Wanted: value}
		file, _ := h.SysctlFile(p.Key)
		s.OnDisk = file.Value
		tuned, isTuned := h.Tuned.Settings["sysctl."+p.Key]
		switch {
		case sortsAfter(file.File) && !enough(p.Key, file.Value, value):
			s = blocked(s, fmt.Sprintf("%s sets it to %s and is read after %s: take that line out", file.File, file.Value, sysctlFile))
		case isTuned && !enough(p.Key, tuned.Value, value) && w.get("tuned") != "off":
			s = blocked(s, fmt.Sprintf("tuned's profile %s sets it to %s in %s: choose another profile of tuned, or tuned = off",
				h.Tuned.Profile, tuned.Value, tuned.File))
		case enough(p.Key, live, value) && enough(p.Key, file.Value, value):
			s.Verdict = OK
			s.OnDisk = orUnset(s.OnDisk)
		default:
			s = judged(s)
		}
		if s.Verdict == Change && file.File != "" && file.File != sysctlFile {
			s.Reason = "now from " + file.File
		}
		out = append(out, s)
		delete(owned, p.Key)
	}
	for key, value := range owned {
		if !w.has("sysctl." + key) {
			out = append(out, Setting{Name: key, Live: orUnset(h.Sysctl[key]), OnDisk: value, Wanted: unset, Verdict: Change, Reason: "the profile names it no more"})
		}
	}
	slices.SortStableFunc(out, func(a, b Setting) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// missingSysctl says why a host may lack a parameter.
func missingSysctl(w want, p pair) Setting {
	name := "sysctl." + p.Key
	if module := moduleOf(p.Key); module != "" {
		return Setting{Name: p.Key, Live: unset, OnDisk: unset, Wanted: p.Value, Verdict: Change, Reason: "it appears with the module " + module}
	}
	s := notApplicable(p.Key, p.Value, "this kernel has no "+p.Key)
	if w.get(name) != "" && p.Key == "kernel.numa_balancing" {
		s.Reason = "this kernel has no NUMA balancing"
	}
	return s
}

// sortsAfter says whether a file is read after ours.
func sortsAfter(file string) bool {
	return file == "/etc/sysctl.conf" || file != sysctlFile && path.Base(file) > path.Base(sysctlFile)
}
