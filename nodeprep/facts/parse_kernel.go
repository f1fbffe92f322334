package facts

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/internal/sysctl"
)

// parseSysctl reads lines of PATH:VALUE as grep prints them. A parameter with several lines is not looked at.
func parseSysctl(text string) map[string]string {
	out := map[string]string{}
	for _, line := range lines(text) {
		if p, value, found := strings.Cut(line, ":"); found {
			out[sysctl.Key(p)] = Normal(value)
		}
	}
	return out
}

// Normal makes blanks single, so that tabs of the kernel and blanks of a person compare equal.
func Normal(value string) string { return strings.Join(strings.Fields(value), " ") }

// sysctlOrder puts files in the order in which systemd applies them: by base name, whatever the folder; of two with
// the same name, the one in /etc, then /run, /usr/local/lib, /usr/lib masks the other. Debian's link from
// 99-sysctl.conf to /etc/sysctl.conf makes that file take part.
//
// Source: sysctl.d(5).
func sysctlOrder(files []ConfigFile, links string) (ordered []ConfigFile, conf ConfigFile) {
	rank := []string{"/etc/sysctl.d", "/run/sysctl.d", "/usr/local/lib/sysctl.d", "/usr/lib/sysctl.d", "/lib/sysctl.d"}
	masked := map[string]bool{} // by base name
	for _, f := range fields(links, 2) {
		masked[path.Base(f[0])] = f[1] == "/dev/null"
	}
	byName := map[string]ConfigFile{}
	for _, f := range files {
		if f.Path == "/etc/sysctl.conf" {
			conf = f
			continue
		}
		old, twice := byName[path.Base(f.Path)]
		if !twice || slices.Index(rank, path.Dir(f.Path)) < slices.Index(rank, path.Dir(old.Path)) {
			byName[path.Base(f.Path)] = f
		}
	}
	for name, f := range byName {
		if !masked[name] {
			ordered = append(ordered, f)
		}
	}
	slices.SortFunc(ordered, func(a, b ConfigFile) int { return cmp.Compare(path.Base(a.Path), path.Base(b.Path)) })
	return ordered, conf
}

// Setting is a value and the file that it is from.
type Setting struct{ Value, File string }

// SysctlFile returns what the files set a key to at boot: the last one wins. /etc/sysctl.conf counts as the last of
// all, since sysctl --system reads it so.
func (h *Host) SysctlFile(key string) (Setting, bool) {
	var last Setting
	found := false
	for _, f := range append(slices.Clip(h.SysctlFiles), h.SysctlConf) {
		for name, value := range f.Assignments() {
			if matchesSysctl(name, key) {
				last, found = Setting{Value: value, File: f.Path}, true
			}
		}
	}
	return last, found
}

// Assignments are the lines of KEY = VALUE, the last of a key winning, with a leading "-" taken off.
func (f ConfigFile) Assignments() map[string]string {
	out := map[string]string{}
	for _, line := range f.Lines {
		if strings.HasPrefix(line, ";") {
			continue
		}
		if key, value, found := strings.Cut(line, "="); found {
			key = strings.TrimPrefix(strings.TrimSpace(key), "-")
			out[sysctl.Key(sysctl.Path(key))] = Normal(value)
		}
	}
	return out
}

// matchesSysctl says whether a name in a file, perhaps a pattern, means the key.
func matchesSysctl(name, key string) bool {
	if name == key {
		return true
	}
	if !strings.ContainsAny(name, "*?[") {
		return false
	}
	ok, err := path.Match(sysctl.Path(name), sysctl.Path(key))
	return err == nil && ok
}

// moduleNames are the modules that are loaded or built in.
func moduleNames(text string) []string {
	names := strings.Fields(text)
	slices.Sort(names)
	return names
}

// Module says whether a module is loaded or built in; the kernel writes names with underscores.
func (h *Host) Module(name string) bool {
	_, found := slices.BinarySearch(h.Modules, strings.ReplaceAll(name, "-", "_"))
	return found
}

// parseMemory reads memory, transparent huge pages and NUMA nodes.
//
// Source: Linux, Documentation/admin-guide/mm/transhuge.rst and hugetlbpage.rst.
func parseMemory(s sections) Memory {
	var m Memory
	for _, f := range fields(s["meminfo"], 2) {
		if f[0] == "MemTotal:" {
			m.TotalKiB = int64(number(f[1], 0))
		}
	}
	for _, f := range fields(s["thp"], 2) {
		switch chosen := Bracketed(strings.Join(f[1:], " ")); f[0] {
		case "enabled":
			m.THP.Enabled = chosen
		case "defrag":
			m.THP.Defrag = chosen
		case "shmem_enabled":
			m.THP.Shmem = chosen
		}
	}
	for _, f := range fields(s["nodes"], 2) {
		id := number(strings.TrimPrefix(f[0], "node"), -1)
		if id < 0 {
			continue
		}
		i := slices.IndexFunc(m.Nodes, func(n NUMANode) bool { return n.ID == id })
		if i < 0 {
			m.Nodes = append(m.Nodes, NUMANode{ID: id, Hugepages: map[int]Pages{}})
			i = len(m.Nodes) - 1
		}
		if f[1] == "cpus" && len(f) > 2 {
			m.Nodes[i].CPUs = f[2]
		} else if len(f) == 4 {
			size := number(strings.TrimSuffix(strings.TrimPrefix(f[1], "hugepages-"), "kB"), 0)
			m.Nodes[i].Hugepages[size] = Pages{Total: number(f[2], 0), Free: number(f[3], 0)}
		}
	}
	slices.SortFunc(m.Nodes, func(a, b NUMANode) int { return cmp.Compare(a.ID, b.ID) })
	return m
}

// Bracketed is the word in brackets of a choice such as "always [madvise] never", or the only word.
func Bracketed(text string) string {
	_, rest, found := strings.Cut(text, "[")
	chosen, _, closed := strings.Cut(rest, "]")
	if found && closed {
		return chosen
	}
	if len(strings.Fields(text)) == 1 {
		return strings.TrimSpace(text)
	}
	return ""
}

func parseCPU(governors, available string) CPU {
	c := CPU{Governors: map[string]int{}, Available: strings.Fields(available)}
	for _, g := range lines(governors) {
		c.Governors[g]++
	}
	return c
}

func parseLimits(s sections) Limits {
	l := Limits{
		Files:    parseConfig(s["limits-files"]),
		Session:  map[string]string{},
		Manager:  keyValues(s["limits-manager"]),
		Services: map[string]map[string]string{},
	}
	// limits.conf first, then limits.d by name: what is read later wins.
	slices.SortStableFunc(l.Files, func(a, b ConfigFile) int {
		return cmp.Or(cmp.Compare(path.Dir(a.Path), path.Dir(b.Path)), cmp.Compare(a.Path, b.Path))
	})
	for _, f := range fields(s["limits-session"], 2) {
		l.Session[f[0]] = f[1]
	}
	for _, kv := range blocks(s["limits-services"]) {
		l.Services[kv["Id"]] = kv
	}
	return l
}
