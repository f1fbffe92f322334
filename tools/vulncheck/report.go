package main

import (
	"fmt"
	"io"
	"slices"

	"golang.org/x/mod/semver"
)

// write prints a scan and says whether it fails: it does when a module we chose has a vulnerability that we reach.
func (r result) write(w io.Writer) (failed bool, err error) {
	var ours, theirs []vulnerability
	for _, v := range r.Reached {
		if v.Module == stdlib {
			theirs = append(theirs, v)
		} else {
			ours = append(ours, v)
		}
	}
	p := &printer{w: w}
	p.printf("vulncheck: known vulnerabilities that our code reaches in the modules it is built with: %d\n", len(ours))
	for _, v := range ours {
		p.printf("  %s  %s\n      %s\n      %s@%s, %s\n", v.ID, v.Summary, v.Trace, v.Module, v.Version, remedy(v))
	}
	if len(theirs) > 0 {
		p.printf("vulncheck: warning: %d in the standard library of %s, %s\n", len(theirs), r.Go, fixedGo(theirs))
		for _, v := range theirs {
			p.printf("  %s  %s\n", v.ID, v.Summary)
		}
	}
	if r.Unreached > 0 {
		p.printf("vulncheck: %d more in what is built in but never called\n", r.Unreached)
	}
	return len(ours) > 0, p.err
}

// remedy says what to do about a vulnerability in a module.
func remedy(v vulnerability) string {
	if v.Fixed == "" {
		return "not fixed in any version: do without what is called"
	}
	return fmt.Sprintf("fixed in %s: go get %s@%s", v.Fixed, v.Module, v.Fixed)
}

// fixedGo says which Go is free of all the vulnerabilities.
func fixedGo(vs []vulnerability) string {
	if slices.ContainsFunc(vs, func(v vulnerability) bool { return v.Fixed == "" }) {
		return "some of them not fixed in any version"
	}
	newest := slices.MaxFunc(vs, func(a, b vulnerability) int { return semver.Compare(a.Fixed, b.Fixed) })
	return "fixed in go" + newest.Fixed[len("v"):] + ": build with that"
}

// printer keeps the first error of a row of prints.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}
