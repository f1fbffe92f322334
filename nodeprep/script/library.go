package script

import (
	"embed"
	"regexp"
	"strings"
)

//go:embed lib/*.sh
var files embed.FS

// functions are the library: what is outside functions, and the functions in order.
type functions struct {
	settings string
	names    []string
	bodies   map[string]string
}

var (
	start = regexp.MustCompile(`^(np_[a-z0-9_]+)\(\) \{`)
	name  = regexp.MustCompile(`np_[a-z0-9_]+`)
)

// library reads the files. A function begins at the start of a line and ends with a brace there; the library's tests
// hold that every line belongs to one or is a setting. Comments stay behind: user data is short.
func library() functions {
	lib := functions{bodies: map[string]string{}}
	entries, err := files.ReadDir("lib")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	for _, e := range entries {
		text, err := files.ReadFile("lib/" + e.Name())
		if err != nil {
			panic(err)
		}
		lib.read(string(text))
	}
	return lib
}

func (lib *functions) read(text string) {
	inside := ""
	for line := range strings.Lines(text) {
		if trimmed := strings.TrimSpace(line); trimmed == "" || strings.HasPrefix(trimmed, "#") && !strings.HasPrefix(trimmed, "# shellcheck") {
			continue
		}
		if m := start.FindStringSubmatch(line); m != nil && inside == "" {
			inside = m[1]
			lib.names = append(lib.names, inside)
		}
		if inside == "" {
			lib.settings += line
			continue
		}
		lib.bodies[inside] += line
		if line == "}\n" || start.MatchString(line) && strings.HasSuffix(line, "}\n") {
			inside = ""
		}
	}
}

// needed are the functions that a text calls, with those that they call, and the settings that they read.
func (lib functions) needed(text string) string {
	wanted := map[string]bool{}
	var want func(text string)
	want = func(text string) {
		for _, word := range name.FindAllString(text, -1) {
			if body, is := lib.bodies[word]; is && !wanted[word] {
				wanted[word] = true
				want(body)
			}
		}
	}
	want(text)
	var b strings.Builder
	for _, n := range lib.names {
		if wanted[n] {
			b.WriteString(lib.bodies[n])
		}
	}
	settings := "R=${GPUYARD_ROOT:-}\n"
	for line := range strings.Lines(lib.settings) {
		if variable, _, _ := strings.Cut(line, "="); strings.Contains(b.String(), "$"+variable) || strings.Contains(b.String(), "${"+variable) {
			settings += line
		}
	}
	return settings + b.String() + "\n"
}
