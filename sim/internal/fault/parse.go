package fault

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
)

// Parse reads a fault:
//
//	KIND@TOKEN[,on=OPERATION][,name=NAME][,zone=ZONE][,from=N][,times=N]
//
// such as throttle@aws:ec2/subnet:Subnet, timeout@aws:eks/*,times=2 or crash@*,on=any,from=17. In TOKEN and NAME a *
// stands for any text; times=all never ends.
func Parse(text string) (Fault, error) {
	wrong := func(format string, args ...any) (Fault, error) {
		return Fault{}, fmt.Errorf("the fault %q: %s", text, fmt.Sprintf(format, args...))
	}
	head, options, _ := strings.Cut(text, ",")
	kind, token, found := strings.Cut(head, "@")
	if !found || token == "" {
		return wrong("wanted KIND@TOKEN, such as throttle@aws:ec2/subnet:Subnet or crash@*,from=17")
	}
	f := Fault{Kind: Kind(kind), Token: token}
	if !slices.Contains(kinds, f.Kind) {
		return wrong("%q is no kind of fault; %s", kind, meant(kind, joined(kinds)))
	}
	if options == "" {
		return f, nil
	}
	for option := range strings.SplitSeq(options, ",") {
		key, value, found := strings.Cut(option, "=")
		if !found || value == "" {
			return wrong("%q is no option; wanted key=value", option)
		}
		if err := f.set(key, value); err != nil {
			return wrong("%v", err)
		}
	}
	return f, nil
}

func (f *Fault) set(key, value string) (err error) {
	switch key {
	case "on":
		if f.On = value; !slices.Contains(verbs, value) {
			return fmt.Errorf("on is %q; %s", value, meant(value, joined(verbs)))
		}
	case "name":
		f.Name = value
	case "zone":
		f.Zone = value
	case "from":
		f.From, err = count(key, value)
	case "times":
		if value == "all" {
			f.Times = Always
			return nil
		}
		f.Times, err = count(key, value)
	default:
		return fmt.Errorf("%q is no option; %s", key, meant(key, "on, name, zone, from, times"))
	}
	return err
}

func count(key, value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s is %q, wanted a count from 1", key, value)
	}
	return n, nil
}

// meant says which words there are, and which of them was probably meant.
func meant(word, legal string) string {
	if near := catalog.Near(word, strings.Split(legal, ", ")); len(near) > 0 {
		return "did you mean " + strings.Join(near, " or ") + "?"
	}
	return "there are " + legal
}

// ParseList reads faults, one a line. What follows a # is a comment.
func ParseList(text string) ([]Fault, error) {
	var all []Fault
	var errs []error
	n := 0
	for line := range strings.Lines(text) {
		n++
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		f, err := Parse(line)
		if err != nil {
			errs = append(errs, fmt.Errorf("line %d: %w", n, err))
		}
		all = append(all, f)
	}
	return all, errors.Join(errs...)
}
