package profile_test

import (
	"slices"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

func TestExtend(t *testing.T) {
	t.Parallel()
	base := profile.Profile{Name: "base", Values: map[string]string{"a": "1", "b": "2"}}
	got := base.Extend("mine", map[string]string{"a": "3", "b": "", "c": "4"})
	if got.Name != "mine" || !slices.Equal(got.Keys(), []string{"a", "c"}) || got.Values["a"] != "3" {
		t.Errorf("got %v", got)
	}
	if base.Values["a"] != "1" || base.Values["b"] != "2" {
		t.Errorf("the profile underneath has changed: %v", base)
	}
	if empty := (profile.Profile{}).Extend("x", map[string]string{"a": "1"}); empty.Values["a"] != "1" {
		t.Errorf("got %v", empty)
	}
}

// TestSiteMattersHaveNoDefault holds that no built-in profile guesses what a site must know.
func TestSiteMattersHaveNoDefault(t *testing.T) {
	t.Parallel()
	for _, name := range profile.Names() {
		p, found := profile.BuiltIn(name)
		if !found {
			t.Fatalf("there is no %s", name)
		}
		for _, key := range []string{"nvidia.driver", "habana.driver", "efa.installer", "roce.priority", "roce.traffic_class", "cluster.name", "storage.raid0", "acs.redirect"} {
			if value, given := p.Values[key]; given {
				t.Errorf("%s has %s = %s", name, key, value)
			}
		}
	}
}
