package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What govulncheck makes of the folder that build writes is what counts: it must find a call that is there.
func TestGovulncheckFindsACall(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "db")
	if err := build(source{Dir: "testdata/entries", Modified: day}, db); err != nil {
		t.Fatal(err)
	}
	got, err := govulncheck(context.Background(), "file://"+db, "-C", "testdata/program", "./...")
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Reached) != 1 || got.Unreached != 0 {
		t.Fatalf("found %+v, want the invented flaw of strings.ToUpper and nothing else", got)
	}
	v := got.Reached[0]
	if v.ID != "GO-0000-0001" || v.Module != stdlib || v.Trace != "main.go:9 → program.main → strings.ToUpper" {
		t.Errorf("found %+v", v)
	}
}

func TestGovulncheckFailsWithoutADatabase(t *testing.T) {
	t.Parallel()
	_, err := govulncheck(context.Background(), "file://"+t.TempDir()+"/none", "-C", "testdata/program", "./...")
	if err == nil || !strings.HasPrefix(err.Error(), "govulncheck: ") {
		t.Errorf("govulncheck returns %v", err)
	}
}

const (
	config = `{"config": {"go_version": "go1.26.8"}}`
	flaw   = `{"osv": {"id": "GO-1", "summary": "A flaw"}}`

	inModule  = `{"finding": {"osv": "GO-1", "fixed_version": "v1.2.3", "trace": [{"module": "example.com/m", "version": "v1.0.0"}]}}`
	inPackage = `{"finding": {"osv": "GO-1", "fixed_version": "v1.2.3", "trace": [{"module": "example.com/m", "version": "v1.0.0", "package": "example.com/m/p"}]}}`
	far       = `{"finding": {"osv": "GO-1", "fixed_version": "v1.2.3", "trace": [
		{"module": "example.com/m", "version": "v1.0.0", "package": "example.com/m/p", "receiver": "*T", "function": "Bad"},
		{"module": "example.com/n", "version": "v1.0.0", "package": "example.com/n", "function": "Middle"},
		{"module": "example.com/n", "version": "v1.0.0", "package": "example.com/n", "function": "Near"},
		{"module": "example.com/us", "package": "example.com/us/cmd", "function": "main", "position": {"filename": "cmd/main.go", "line": 7}}]}}`
	near = `{"finding": {"osv": "GO-1", "fixed_version": "v1.2.3", "trace": [
		{"module": "example.com/m", "version": "v1.0.0", "package": "example.com/m/p", "receiver": "*T", "function": "Bad"},
		{"module": "example.com/us", "package": "example.com/us/cmd", "function": "run", "position": {"filename": "cmd/run.go", "line": 9}}]}}`
)

func TestParse(t *testing.T) {
	t.Parallel()
	reached := vulnerability{ID: "GO-1", Summary: "A flaw", Module: "example.com/m", Version: "v1.0.0", Fixed: "v1.2.3"}
	for name, c := range map[string]struct {
		said      []string
		trace     string // "": nothing is reached
		unreached int
	}{
		"nothing":                {[]string{config, flaw}, "", 0},
		"required, not imported": {[]string{config, flaw, inModule}, "", 1},
		"imported, not called":   {[]string{config, flaw, inModule, inPackage}, "", 1},
		"called":                 {[]string{config, flaw, inModule, inPackage, far}, "cmd/main.go:7 → cmd.main → n.Near → … → p.T.Bad", 0},
		"called, said first":     {[]string{config, flaw, far, inPackage, inModule}, "cmd/main.go:7 → cmd.main → n.Near → … → p.T.Bad", 0},
		"the shortest way":       {[]string{config, flaw, far, near, far}, "cmd/run.go:9 → cmd.run → p.T.Bad", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := parse(strings.NewReader(strings.Join(c.said, "\n")))
			if err != nil {
				t.Fatal(err)
			}
			var want []vulnerability
			if c.trace != "" {
				v := reached
				v.Trace = c.trace
				want = append(want, v)
			}
			if got.Go != "go1.26.8" || got.Unreached != c.unreached || !slices.Equal(got.Reached, want) {
				t.Errorf("parse returns %+v, want %+v and %d unreached", got, want, c.unreached)
			}
		})
	}
}

// Silence must not pass for a clean bill.
func TestParseRefusesSilence(t *testing.T) {
	t.Parallel()
	for _, said := range []string{"", flaw, config + `{"finding": `} {
		if got, err := parse(strings.NewReader(said)); err == nil {
			t.Errorf("parse(%q) returns %+v, want an error", said, got)
		}
	}
}
