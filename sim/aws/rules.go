package aws

import (
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// legalTags is the rule on tags, the same for all taggable resources.
var legalTags = engine.Rule{
	Name: "legal-tags", Says: "at most 50 tags; keys up to 128 characters and not `aws:`, values up to 256",
	Source: "Tagging AWS Resources User Guide, \"Tag naming limits and requirements\"",
	Judge: func(c *engine.Call) error {
		tags := c.In.Map("tags")
		var errs []error
		if len(tags) > 50 {
			errs = append(errs, engine.Invalid("tags", "got %d tags, at most 50 are allowed", len(tags)))
		}
		for k, v := range tags {
			switch {
			case strings.HasPrefix(strings.ToLower(k), "aws:"):
				errs = append(errs, engine.Invalid("tags", "the key %q begins with aws:, which is reserved for AWS", k))
			case k == "" || len(k) > 128 || len(v) > 256:
				errs = append(errs, engine.Invalid("tags", "%q = %q: a key has 1 to 128 characters, a value at most 256", k, v))
			case !tagText.MatchString(k) || !tagText.MatchString(v):
				errs = append(errs, engine.Invalid("tags", "%q = %q: only letters, digits, spaces and _ . : / = + - @ are allowed", k, v))
			}
		}
		slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
		return errors.Join(errs...)
	},
}

var tagText = regexp.MustCompile(`^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$`)

// oneOf is the rule that an argument has one of a few values.
func oneOf(path, source string, legal ...string) engine.Rule {
	return engine.Rule{
		Name: "legal-" + kebab(path), Says: "`" + path + "` is one of " + strings.Join(legal, ", "), Source: source,
		Judge: func(c *engine.Call) error {
			var errs []error
			for _, l := range c.In.Leaves(path) {
				if l.Value.IsString() && !slices.Contains(legal, l.Value.StringValue()) {
					errs = append(errs, engine.Invalid(l.Path, "got %q, wanted one of %s", l.Value.StringValue(), nearOrAll(l.Value.StringValue(), legal)))
				}
			}
			return errors.Join(errs...)
		},
	}
}

// between is the rule that a number lies in a range.
func between(path, source string, low, high int) engine.Rule {
	return engine.Rule{
		Name: "range-" + kebab(path), Says: fmt.Sprintf("`%s` lies between %d and %d", path, low, high), Source: source,
		Judge: func(c *engine.Call) error {
			if n, ok := c.In.Int(path); ok && (n < low || n > high) {
				return engine.Invalid(path, "got %d, wanted %d to %d", n, low, high)
			}
			return nil
		},
	}
}

// exactlyOne is the rule that one of some arguments is given.
func exactlyOne(name, source string, paths ...string) engine.Rule {
	return engine.Rule{
		Name: name, Says: "exactly one of `" + strings.Join(paths, "`, `") + "` is given", Source: source,
		Judge: func(c *engine.Call) error {
			var got []string
			for _, p := range paths {
				if c.In.Has(p) {
					got = append(got, p)
				}
			}
			if len(got) == 1 {
				return nil
			}
			return engine.Invalid(paths[0], "got %s; give exactly one of %s", list(got), strings.Join(paths, ", "))
		},
	}
}

// shape is the rule that an argument matches a pattern.
func shape(path, says, source string, pattern *regexp.Regexp) engine.Rule {
	return engine.Rule{
		Name: "shape-of-" + kebab(path), Says: "`" + path + "` " + says, Source: source,
		Judge: func(c *engine.Call) error {
			var errs []error
			for _, l := range c.In.Leaves(path) {
				if l.Value.IsString() && !pattern.MatchString(l.Value.StringValue()) {
					errs = append(errs, engine.Invalid(l.Path, "got %q: it %s", l.Value.StringValue(), says))
				}
			}
			return errors.Join(errs...)
		},
	}
}

// network parses a CIDR block strictly: a prefix with no host bits set.
func network(text string) (netip.Prefix, error) {
	p, err := netip.ParsePrefix(text)
	switch {
	case err != nil:
		return p, fmt.Errorf("%q is not a CIDR block such as 10.0.0.0/16", text)
	case p != p.Masked():
		return p, fmt.Errorf("%q has host bits set; the network is %s", text, p.Masked())
	}
	return p, nil
}

// cidrs is the rule that every known value at the paths is a network.
func cidrs(paths ...string) engine.Rule {
	return engine.Rule{
		Name: "networks", Says: "`" + strings.Join(paths, "`, `") + "` are networks without host bits",
		Source: "VPC User Guide, \"VPC CIDR blocks\"",
		Judge: func(c *engine.Call) error {
			var errs []error
			for _, path := range paths {
				for _, l := range c.In.Leaves(path) {
					if !l.Value.IsString() {
						continue
					}
					if _, err := network(l.Value.StringValue()); err != nil {
						errs = append(errs, engine.Invalid(l.Path, "%v", err))
					}
				}
			}
			return errors.Join(errs...)
		},
	}
}

// nearOrAll lists what a wrong word may have meant, or all legal ones.
func nearOrAll(word string, legal []string) string {
	if near := catalog.Near(word, legal); len(near) > 0 {
		return list(near)
	}
	return list(legal)
}

var upper = regexp.MustCompile(`[A-Z]`)

// kebab turns a property path into the tail of a rule's name.
func kebab(path string) string {
	path = strings.NewReplacer("[*]", "", ".", "-").Replace(path)
	return upper.ReplaceAllStringFunc(path, func(s string) string { return "-" + strings.ToLower(s) })
}
