package layout

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// checkImports holds every import of our module against the table.
func checkImports(t *tree) []string {
	var problems []string
	for _, f := range t.gofile {
		if f.module != "." {
			continue
		}
		r, ok := rowOf(f.dir())
		if !ok {
			problems = append(problems, fmt.Sprintf("%s: no row says what this package may import: add one for %s to the table "+
				"in internal/layout/rules_test.go, with its reason", f.name, f.dir()))
			continue
		}
		for _, imported := range f.imports {
			if what, bad := r.forbids(f, imported); bad {
				problems = append(problems, fmt.Sprintf("%s imports %s, and %s may import %s (%s). Move the code to where it belongs, "+
					"or change the row in internal/layout/rules_test.go", f.name, what, called(r.folder), list(r, f.isTest()), r.why))
			}
		}
	}
	return problems
}

// checkForbidden finds imports that nobody may have, and packages of provider SDKs that nobody decided on.
func checkForbidden(t *tree) []string {
	var problems []string
	for _, f := range t.gofile {
		for _, imported := range f.imports {
			sdk := within(imported, awsSDK) || within(imported, kubeSDK) || within(imported, azureSDK)
			decided := sdks[imported] != "" || checked[imported] != "" && (within(f.dir(), "sim") || f.isTest())
			if why := whyForbidden(imported); why != "" {
				problems = append(problems, fmt.Sprintf("%s imports %s: %s", f.name, imported, why))
			} else if sdk && !decided {
				problems = append(problems, fmt.Sprintf("%s imports %s, which everybody would have to compile: do without it, register what you "+
					"need of it in components/internal/lightaws, or add it to sdks in internal/layout/rules_test.go with what needs it", f.name, imported))
			}
		}
	}
	return problems
}

// whyForbidden says why nobody may have an import, or nothing.
func whyForbidden(imported string) string {
	for prefix, why := range forbidden {
		if within(imported, prefix) {
			return why
		}
	}
	return ""
}

// rowOf returns the longest row that matches a folder. "." matches the root alone.
func rowOf(dir string) (row, bool) {
	var best row
	found := false
	for _, r := range table {
		if (r.folder == dir || r.folder != "." && within(dir, r.folder)) && (!found || len(r.folder) > len(best.folder)) {
			best, found = r, true
		}
	}
	return best, found
}

// forbids says whether the row keeps a file from an import, and how to call that.
func (r row) forbids(f goFile, imported string) (string, bool) {
	first, _, _ := strings.Cut(imported, "/")
	if !strings.Contains(first, ".") {
		return "", false // the standard library
	}
	what, isOurs := strings.CutPrefix(imported, ours+"/")
	if isOurs && within(what, unit(f.dir())) {
		return "", false
	}
	allowed := r.may
	if f.isTest() {
		allowed = slices.Concat(allowed, r.tests)
	}
	return what, !slices.ContainsFunc(allowed, func(a string) bool { return a == anything || within(what, a) })
}

// unit is the folder whose packages may import each other: components/network for all below it, otherwise the first
// element, or the first two below internal.
func unit(dir string) string {
	parts := strings.Split(dir, "/")
	if (parts[0] == "components" || parts[0] == "internal") && len(parts) > 1 {
		return path.Join(parts[:2]...)
	}
	return parts[0]
}

// within says whether an import path or folder is another one or below it.
func within(p, root string) bool { return p == root || strings.HasPrefix(p, root+"/") }

// called is how a row's folder is called in a message.
func called(folder string) string {
	if folder == "." {
		return "the root program"
	}
	return folder
}

// list says what a row allows.
func list(r row, test bool) string {
	allowed := r.may
	if test {
		allowed = slices.Concat(allowed, r.tests)
	}
	if len(allowed) == 0 {
		return "the standard library only"
	}
	return "only the standard library, " + strings.Join(allowed, ", ")
}
