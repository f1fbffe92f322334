package pulumitest

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// update is defined here once, so that every package that tests with golden files shares its name and meaning.
var update = flag.Bool("update", false, "rewrite golden files instead of comparing with them")

// Golden compares a text with a golden file, or writes the file when the tests run with -update.
// The text is a string, a []byte or something with a String method, such as a *Graph.
func Golden(t testing.TB, got any, path string) {
	t.Helper()
	golden(t, textOf(got), path, *update)
}

func golden(t testing.TB, got, path string, write bool) {
	t.Helper()
	if write {
		writeGolden(t, got, path)
		return
	}
	want, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("there is no golden file %s: run the test with -update and read what it writes", path)
	}
	if err != nil {
		t.Fatalf("reading the golden file: %v", err)
	}
	if difference := firstDifference(string(want), got); difference != "" {
		t.Errorf("%s differs%s\nIf the change is wanted, run the test with -update and review the file.", path, difference)
	}
}

func writeGolden(t testing.TB, got, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatalf("writing the golden file: %v", err)
	}
	if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
		t.Fatalf("writing the golden file: %v", err)
	}
}

func textOf(got any) string {
	switch got := got.(type) {
	case string:
		return got
	case []byte:
		return string(got)
	case fmt.Stringer:
		return got.String()
	default:
		panic(fmt.Sprintf("pulumitest.Golden takes a string, a []byte or a fmt.Stringer, not %T", got))
	}
}

// firstDifference shows the lines around the first difference, and is empty when there is none.
func firstDifference(want, got string) string {
	if want == got {
		return ""
	}
	w, g := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	at := 0
	for at < len(w) && at < len(g) && w[at] == g[at] {
		at++
	}
	return fmt.Sprintf(" from line %d\nwant:\n%sgot:\n%s", at+1, excerpt(w, at), excerpt(g, at))
}

// excerpt shows two lines before a place and seven from it on.
func excerpt(lines []string, at int) string {
	var b strings.Builder
	for i := max(0, at-2); i < min(len(lines), at+7); i++ {
		fmt.Fprintf(&b, "%5d  %s\n", i+1, strings.TrimSuffix(lines[i], "\n"))
	}
	return b.String()
}
