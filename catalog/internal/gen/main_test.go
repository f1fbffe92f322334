package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// in is where recorded answers are.
const in = "../../answers/testdata/"

func TestRunWritesTheDataFile(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "data.json")
	if err := run(in+"types.json", in+"offerings.json", in+"prices.json", out); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(in + "data.golden.json")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("got:\n%s", got)
	}
}

func TestRunNamesTheInputThatIsWrong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	list, odd := write("list.json", `[]`), write("odd.json", `{"types": {"x.large": {}}}`)
	for want, run := range map[string]func() error{
		"none.json": func() error {
			return run(in+"types.json", in+"none.json", in+"prices.json", filepath.Join(dir, "data.json"))
		},
		"list.json": func() error { return run(list, in+"offerings.json", in+"prices.json", filepath.Join(dir, "data.json")) },
		"x.large: no 64-bit architecture": func() error {
			return run(odd, write("none", "{}"), write("nothing", "{}"), filepath.Join(dir, "data.json"))
		},
		"eu-west-1 offers m5.large, which is no known type": func() error {
			return run(write("empty", "{}"), in+"offerings.json", in+"prices.json", filepath.Join(dir, "data.json"))
		},
	} {
		if err := run(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}
