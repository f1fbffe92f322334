package catalog

import (
	"slices"
	"testing"
)

func TestNear(t *testing.T) {
	t.Parallel()
	keys := []string{"instance_types", "size", "zone", "fabric", "capacity", "profile", "taints", "labels"}
	types := Default().names
	for _, x := range []struct {
		name string
		from []string
		want []string
	}{
		{"p5n.48xlarge", types, []string{"p5en.48xlarge", "p5.48xlarge", "p5e.48xlarge"}},
		{"p5.48xl", types, []string{"p5.48xlarge"}},
		{"P5EN.48XLARGE", types, []string{"p5en.48xlarge", "p5e.48xlarge", "p5.48xlarge"}},
		{"g6.xlrage", types, []string{"g6.xlarge", "g6.2xlarge", "g6.4xlarge"}},
		{"p4.24xlarge", types, []string{"p4d.24xlarge", "p4de.24xlarge", "g5.24xlarge"}},
		{"dl1", types, []string{"dl1.24xlarge"}},
		{"instance_type", keys, []string{"instance_types"}},
		{"instancetypes", keys, []string{"instance_types"}},
		{"zones", keys, []string{"zone"}},
		{"fabirc", keys, []string{"fabric"}},
		{"volume", keys, nil},
		{"x", keys, nil},
		{"", keys, nil},
		{"zone", nil, nil},
		{"none", []string{"note", "noen", "one", "nonesuch"}, []string{"nonesuch", "note", "one"}},
	} {
		if got := Near(x.name, x.from); !slices.Equal(got, x.want) {
			t.Errorf("Near(%q) = %q, want %q", x.name, got, x.want)
		}
	}
}

func TestEditDistance(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"same", "same", 0},
		{"kitten", "sitting", 3}, {"ab", "ba", 1}, {"abcd", "acbd", 1}, {"ca", "abc", 3}, {"zone", "zones", 1},
	} {
		if got := editDistance(x.a, x.b); got != x.want {
			t.Errorf("%q to %q: %d, want %d", x.a, x.b, got, x.want)
		}
		if got := editDistance(x.b, x.a); got != x.want {
			t.Errorf("%q to %q: %d, want %d", x.b, x.a, got, x.want)
		}
	}
}

func TestInstead(t *testing.T) {
	t.Parallel()
	many := []string{"aa", "bb", "cc", "dd", "ee", "ff", "gg", "hh", "ii", "jj", "kk", "ll"}
	for _, c := range []struct {
		name  string
		known []string
		want  string
	}{
		{"prd", []string{"dev", "prod"}, ": did you mean prod?"},
		{"elsewhere", []string{"dev", "prod"}, "; there are dev and prod"},
		{"elsewhere", []string{"dev"}, "; there is dev"},
		{"elsewhere", nil, ""},
		{"elsewhere", many, "; there are aa, bb, cc, dd, ee, ff, gg, hh, ii, jj and 2 more"},
	} {
		if got := Instead(c.name, c.known); got != c.want {
			t.Errorf("%s among %v: %q, want %q", c.name, c.known, got, c.want)
		}
	}
}
