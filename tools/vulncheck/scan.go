package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/vuln/scan"
)

// stdlib is the module path that the database gives to the standard library.
const stdlib = "stdlib"

// result is what a scan found: the vulnerabilities whose code ours reaches, each once, sorted.
type result struct {
	Go        string // the version that was analyzed, like go1.26.8
	Reached   []vulnerability
	Unreached int // in modules or packages we build with, and never called
}

// vulnerability is one that our code reaches.
type vulnerability struct {
	ID, Summary            string
	Module, Version, Fixed string
	Trace                  string // how it is reached: ours first
}

// message is a piece of govulncheck's JSON output.
// Source: golang.org/x/vuln, "govulncheck -format json".
type message struct {
	Config *struct {
		GoVersion string `json:"go_version"`
	} `json:"config"`
	OSV *struct {
		ID      string `json:"id"`
		Summary string `json:"summary"`
	} `json:"osv"`
	Finding *finding `json:"finding"`
}

type finding struct {
	OSV   string  `json:"osv"`
	Fixed string  `json:"fixed_version"`
	Trace []frame `json:"trace"` // from the vulnerable function to ours; without a function when nothing calls it
}

type frame struct {
	Module   string `json:"module"`
	Version  string `json:"version"`
	Package  string `json:"package"`
	Receiver string `json:"receiver"`
	Function string `json:"function"`
	Position *struct {
		Filename string `json:"filename"`
		Line     int    `json:"line"`
	} `json:"position"`
}

// govulncheck runs it; args are packages, and before them flags of its own.
func govulncheck(ctx context.Context, db string, args ...string) (result, error) {
	var stdout, stderr bytes.Buffer
	cmd := scan.Command(ctx, append([]string{"-format", "json", "-db", db}, args...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(""), &stdout, &stderr
	if err := cmd.Start(); err != nil {
		return result{}, err
	}
	if err := cmd.Wait(); err != nil {
		return result{}, fmt.Errorf("govulncheck: %w\n%s", err, stderr.Bytes())
	}
	return parse(&stdout)
}

// parse reads govulncheck's JSON output.
func parse(r io.Reader) (result, error) {
	var res result
	summaries := map[string]string{}
	shortest := map[string]finding{} // by entry and module; without a call as long as none is known
	for d := json.NewDecoder(r); ; {
		var m message
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return result{}, fmt.Errorf("reading what govulncheck says: %w", err)
		}
		switch {
		case m.Config != nil:
			res.Go = m.Config.GoVersion
		case m.OSV != nil:
			summaries[m.OSV.ID] = m.OSV.Summary
		case m.Finding != nil && len(m.Finding.Trace) > 0:
			f := *m.Finding
			key := f.OSV + " " + f.Trace[0].Module
			if old, ok := shortest[key]; !ok || f.tellsMoreThan(old) {
				shortest[key] = f
			}
		}
	}
	if res.Go == "" {
		return result{}, errors.New("govulncheck said nothing")
	}
	for _, f := range shortest {
		if !f.called() {
			res.Unreached++
			continue
		}
		at := f.Trace[0]
		res.Reached = append(res.Reached, vulnerability{
			ID: f.OSV, Summary: summaries[f.OSV], Module: at.Module, Version: at.Version, Fixed: f.Fixed, Trace: f.trace(),
		})
	}
	slices.SortFunc(res.Reached, func(a, b vulnerability) int {
		return strings.Compare(a.ID+a.Module, b.ID+b.Module)
	})
	return res, nil
}

// called says whether our code reaches the vulnerable function.
func (f finding) called() bool { return f.Trace[0].Function != "" }

// tellsMoreThan prefers a call to none, and among calls the one with fewer steps.
func (f finding) tellsMoreThan(old finding) bool {
	if f.called() != old.called() {
		return f.called()
	}
	return len(f.Trace) < len(old.Trace)
}

// trace draws the first steps and the last: the place in our code, what it calls there, and where that ends.
func (f finding) trace() string {
	steps := make([]string, 0, 4)
	ours := f.Trace[len(f.Trace)-1]
	if ours.Position != nil {
		steps = append(steps, fmt.Sprintf("%s:%d", ours.Position.Filename, ours.Position.Line))
	}
	steps = append(steps, ours.name())
	if len(f.Trace) > 2 {
		steps = append(steps, f.Trace[len(f.Trace)-2].name())
	}
	if len(f.Trace) > 3 {
		steps = append(steps, "…")
	}
	if len(f.Trace) > 1 {
		steps = append(steps, f.Trace[0].name())
	}
	return strings.Join(steps, " → ")
}

// name is the function as Go code would write it: package.Function or package.Type.Method.
func (f frame) name() string {
	name := f.Package[strings.LastIndex(f.Package, "/")+1:] + "."
	if f.Receiver != "" {
		name += strings.TrimPrefix(f.Receiver, "*") + "."
	}
	return name + f.Function
}
