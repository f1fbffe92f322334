package layout

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// checkSize finds Go files that have grown too long.
func checkSize(t *tree) []string {
	var problems []string
	for _, f := range t.gofile {
		if f.written && f.lines > maxLines {
			problems = append(problems, fmt.Sprintf("%s has %d lines where %d is the limit: split it by what its parts are about",
				f.name, f.lines, maxLines))
		}
	}
	return problems
}

// checkPackages finds packages that do not say what they are for, and names that do not either.
func checkPackages(t *tree) []string {
	documented := map[string]bool{} // by folder
	names := map[string]string{}
	for _, f := range t.gofile {
		if !f.isTest() {
			names[f.dir()] = f.pkg
			documented[f.dir()] = documented[f.dir()] || f.hasDoc
		}
	}
	var problems []string
	for _, dir := range slices.Sorted(maps.Keys(names)) {
		if !documented[dir] {
			problems = append(problems, fmt.Sprintf("%s: package %s says nowhere what it is for: add a doc.go with its rules", dir, names[dir]))
		}
		if slices.Contains(vagueNames, names[dir]) {
			problems = append(problems, fmt.Sprintf("%s: the name %s says nothing: name the package after what it is about", dir, names[dir]))
		}
	}
	return problems
}

// checkInit finds init functions: what is registered where, and in which order, must be readable in one list.
func checkInit(t *tree) []string {
	var problems []string
	for _, f := range t.gofile {
		if f.hasInit {
			problems = append(problems, f.name+" has an init function: call it from where it is needed, or make the registration a line in a list")
		}
	}
	return problems
}

// checkWords finds words that must not be in any file.
func checkWords(t *tree) ([]string, error) {
	var problems []string
	for _, name := range t.files {
		content, err := t.read(name)
		if err != nil {
			return nil, err
		}
		if !utf8.ValidString(content) {
			continue // a binary file
		}
		for i, line := range strings.Split(content, "\n") {
			for _, w := range words {
				if found := w.text.FindString(line); found != "" {
					problems = append(problems, fmt.Sprintf("%s:%d has %q: %s", name, i+1, strings.TrimSpace(found), w.why))
				}
			}
		}
	}
	return problems, nil
}

// checkVersions finds a Pulumi CLI that is built at another version than the SDK that drives it.
func checkVersions(t *tree) ([]string, error) {
	sdk, err := t.required("go.mod", pulumiSDK)
	if err != nil {
		return nil, err
	}
	cli, err := t.required(path.Join("tools", "pulumi", "go.mod"), "github.com/pulumi/pulumi/pkg/v3")
	if err != nil {
		return nil, err
	}
	if sdk != cli {
		return []string{fmt.Sprintf("go.mod has the Pulumi SDK %s and tools/pulumi/go.mod the CLI %s: move both", sdk, cli)}, nil
	}
	return nil, nil
}

// required returns the version at which a go.mod requires a module.
func (t *tree) required(file, module string) (string, error) {
	content, err := t.read(file)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(content) {
		if fields := strings.Fields(line); len(fields) >= 2 && fields[0] == module {
			return fields[1], nil
		}
	}
	return "", fmt.Errorf("%s does not require %s", file, module)
}
