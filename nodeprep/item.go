package nodeprep

import (
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// item is one thing that a host is prepared in.
type item struct {
	Key   string // its name in plans, results and Needs
	Title string
	Keys  []key
	Needs []string // items that must not have failed before
	// Host marks what changes what a running node stands on: packages, drivers, the kernel command line.
	Host bool
	// Slow marks what may take minutes.
	Slow bool
	// Assess says what the host has of what is wanted.
	Assess func(w want, h *facts.Host) []Setting
	// Steps bring any host there; they look for themselves what a host needs.
	Steps func(w want) []script.Step
	// Files are the files that the item owns, beside those that its steps name.
	Files func(w want) []string
	// Sysctl are kernel parameters that the item must know.
	Sysctl func(w want) []string
	// Predict is the content that a file gets which a step composes on the host.
	Predict func(w want, h *facts.Host) map[string]string
}

// key is a key of profiles, or a family of keys if its name ends in a dot.
type key struct {
	Name   string
	Legal  legal
	Secret bool
	// LegalFor judges a value of a family by the rest of its key as well; nil: Legal says all.
	LegalFor func(rest, value string) string
}

// wanted says whether a profile names one of the item's keys.
func (i item) wanted(p profile.Profile) bool {
	for name := range p.Values {
		if i.answers(name) {
			return true
		}
	}
	return false
}

func (i item) answers(name string) bool {
	_, found := i.key(name)
	return found
}

// key returns the item's key for a name.
func (i item) key(name string) (key, bool) {
	for _, k := range i.Keys {
		if k.Name == name || strings.HasSuffix(k.Name, ".") && strings.HasPrefix(name, k.Name) && name != k.Name {
			return k, true
		}
	}
	return key{}, false
}

// want is what a profile wants, as items read it.
type want struct{ profile.Profile }

// get is the value of a key, or nothing.
func (w want) get(key string) string { return w.Values[key] }

// has says whether a key is given.
func (w want) has(key string) bool { _, found := w.Values[key]; return found }

// family returns the keys that begin with a prefix, without it, and their values, in order of the keys.
func (w want) family(prefix string) []pair {
	var out []pair
	for _, name := range w.Keys() {
		if rest, found := strings.CutPrefix(name, prefix); found {
			out = append(out, pair{rest, w.Values[name]})
		}
	}
	return out
}

// pair is a key and a value.
type pair struct{ Key, Value string }
