package facts

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
)

//go:embed gather.sh
var gather string

// Query says what to ask besides the fixed questions.
type Query struct {
	Sysctl []string // keys of kernel parameters, such as vm.swappiness
	Files  []string // absolute paths of files whose content is wanted
}

var (
	sysctlKey = regexp.MustCompile(`^[A-Za-z0-9_*-]+([./][A-Za-z0-9_*:-]+)+$`)
	plainPath = regexp.MustCompile(`^/[A-Za-z0-9._/@+-]+$`)
)

// SysctlPath returns a key's path below /proc/sys. Dots divide, unless slashes do.
//
// Source: sysctl.d(5).
func SysctlPath(key string) string {
	dot, slash := strings.IndexByte(key, '.'), strings.IndexByte(key, '/')
	if slash >= 0 && (dot < 0 || slash < dot) {
		return key
	}
	// The first separator is a dot: dots and slashes trade places, so net.ipv4.conf.eth0/1.x is a path with eth0.1.
	return strings.Map(func(r rune) rune {
		switch r {
		case '.':
			return '/'
		case '/':
			return '.'
		}
		return r
	}, key)
}

// SysctlKey returns the usual name of a path below /proc/sys.
func SysctlKey(path string) string { return SysctlPath("." + path)[1:] }

// Functions returns the shell functions that answer the query; np_facts prints the document. A key or path that is
// none is left out: it could otherwise be a command.
func Functions(q Query) string {
	var paths, files []string
	for _, key := range q.Sysctl {
		if sysctlKey.MatchString(key) && !strings.Contains(key, "*") && !strings.Contains(SysctlPath(key), "..") {
			paths = append(paths, SysctlPath(key))
		}
	}
	for _, file := range q.Files {
		if plainPath.MatchString(file) {
			files = append(files, file)
		}
	}
	slices.Sort(paths)
	slices.Sort(files)
	return gather + "\nnp_sysctl_paths='" + strings.Join(slices.Compact(paths), " ") + "'\nnp_owned_files='" +
		strings.Join(slices.Compact(files), " ") + "'\n"
}

// Script returns the whole body of a script that prints the document.
func Script(q Query) string { return "R=${GPUYARD_ROOT:-}\n" + Functions(q) + "np_facts\n" }
