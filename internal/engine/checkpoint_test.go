package engine

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMendCheckpoint(t *testing.T) {
	t.Parallel()
	const whole, cut, empty = `{"version":3}`, `{"vers`, ``
	const first = `{"version":3,"checkpoint":{"latest":{"manifest":{},"resources":[{"urn":"a"}`
	const second = first + `,{"urn":"b"}`
	none := "not there"
	for name, c := range map[string]struct{ state, before, want string }{
		"a whole state is left alone":               {whole, `{"version":2}`, whole},
		"no state is left alone":                    {none, none, none},
		"a cut one gives way to the one before":     {cut, whole, whole},
		"an empty one too":                          {empty, whole, whole},
		"without one before, the stack begins anew": {empty, none, none},
		"the one before is not taken if it is cut":  {cut, cut, none},
		"whole resources of a cut one are kept":     {first + `,{"ur`, none, first + "]}}}"},
		"the longer one's, where both are cut":      {first + `,{"ur`, second + `],"pending_operations":[`, second + "]}}}"},
		"no whole resource is nothing":              {`{"checkpoint":{"latest":{"resources":[{"urn":`, cut, none},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, ".pulumi", "stacks", "gpuyard", "dev.json")
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			for file, text := range map[string]string{path: c.state, path + ".bak": c.before} {
				if text == none {
					continue
				}
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := mendCheckpoint(path); err != nil {
				t.Fatal(err)
			}
			got := none
			if text, err := os.ReadFile(path); err == nil {
				got = string(text)
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestMendAttributes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"a.json.attrs": `{"user.md5": "x"}`, "b.json.attrs": "", "c.json.attrs": `{"us`, "d.json": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := mendAttributes(dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"a.json.attrs": true, "b.json.attrs": false, "c.json.attrs": false, "d.json": true} {
		if exists(filepath.Join(dir, name)) != want {
			t.Errorf("%s is there: %t", name, !want)
		}
	}
}
