package facts

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/internal/sysctl"
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

// Functions returns the shell functions that answer the query; np_facts prints the document. A key or path that is
// none is left out: it could otherwise be a command.
func Functions(q Query) string {
	var paths, files []string
	for _, key := range q.Sysctl {
		if sysctlKey.MatchString(key) && !strings.Contains(key, "*") && !strings.Contains(sysctl.Path(key), "..") {
			paths = append(paths, sysctl.Path(key))
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
