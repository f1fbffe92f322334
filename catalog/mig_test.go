package catalog

import (
	"slices"
	"strings"
	"testing"
)

func TestMIGProfiles(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]MIGProfile{
		"p4d.24xlarge":     {{"1g.5gb", 7}, {"1g.10gb", 4}, {"2g.10gb", 3}, {"3g.20gb", 2}, {"4g.20gb", 1}, {"7g.40gb", 1}},
		"p4de.24xlarge":    {{"1g.10gb", 7}, {"1g.20gb", 4}, {"2g.20gb", 3}, {"3g.40gb", 2}, {"4g.40gb", 1}, {"7g.80gb", 1}},
		"p5.4xlarge":       {{"1g.10gb", 7}, {"1g.20gb", 4}, {"2g.20gb", 3}, {"3g.40gb", 2}, {"4g.40gb", 1}, {"7g.80gb", 1}},
		"p5en.48xlarge":    {{"1g.18gb", 7}, {"1g.35gb", 4}, {"2g.35gb", 3}, {"3g.71gb", 2}, {"4g.71gb", 1}, {"7g.141gb", 1}},
		"p6-b200.48xlarge": {{"1g.23gb", 7}, {"1g.45gb", 4}, {"2g.45gb", 3}, {"3g.90gb", 2}, {"4g.90gb", 1}, {"7g.180gb", 1}},
		"p6-b300.48xlarge": {{"1g.34gb", 7}, {"1g.67gb", 4}, {"2g.67gb", 3}, {"3g.135gb", 2}, {"4g.135gb", 1}, {"7g.269gb", 1}},
		"g7e.2xlarge":      {{"1g.24gb", 4}, {"2g.48gb", 2}, {"4g.96gb", 1}},
	} {
		if got := lookup(t, name).Accelerator.MIGProfiles(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestEveryGPUIsDecided makes a new GPU fail here until somebody has looked up whether it can be split.
func TestEveryGPUIsDecided(t *testing.T) {
	t.Parallel()
	whole := strings.Split("V100 T4 T4g A10G L4 L40S", " ")
	for _, typ := range Default().Types() {
		a := typ.Accelerator
		if a == nil || a.Maker != MakerNVIDIA {
			continue
		}
		if split := len(a.MIGProfiles()) > 0; split == slices.Contains(whole, a.Name) {
			t.Errorf("%s: %s splits: %t", typ.Name, a.Name, split)
		}
	}
}

func TestNoMIG(t *testing.T) {
	t.Parallel()
	for name, a := range map[string]Accelerator{
		"other maker":   {MakerHabana, "H100", 8, 81920, 1},
		"part of a GPU": {MakerNVIDIA, "H100", 0, 40960, 0.5},
		"other GPU":     {MakerNVIDIA, "L4", 1, 22888, 1},
	} {
		if got := a.MIGProfiles(); got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}
