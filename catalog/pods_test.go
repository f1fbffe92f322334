package catalog

import "testing"

// TestPods holds the formula against numbers that were worked out by hand from the limits that karpenter-provider-aws
// publishes, without and with the EFA-only interface that takes a place on card 0.
func TestPods(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                   string
		plain, efa             int
		plainCapped, efaCapped int
	}{
		{"p3dn.24xlarge", 737, 688, 250, 250},
		{"p4d.24xlarge", 737, 688, 250, 250},
		{"p4de.24xlarge", 737, 688, 250, 250},
		{"p5.4xlarge", 118, 89, 110, 89}, // 16 vCPUs
		{"p5.48xlarge", 100, 51, 100, 51},
		{"p5e.48xlarge", 100, 51, 100, 51},
		{"p5en.48xlarge", 198, 149, 198, 149},
		{"p6-b200.48xlarge", 198, 149, 198, 149},
		{"p6-b300.48xlarge", 198, 198, 198, 198}, // no EFA on card 0
		{"trn1.32xlarge", 247, 198, 247, 198},
		{"trn1n.32xlarge", 247, 198, 247, 198},
		{"trn2.48xlarge", 100, 51, 100, 51},
		{"dl1.24xlarge", 737, 688, 250, 250},
		{"g6e.24xlarge", 492, 443, 250, 250},
		{"g6e.48xlarge", 492, 443, 250, 250},
		{"g7e.24xlarge", 632, 569, 250, 250},
		{"g7e.48xlarge", 632, 569, 250, 250},
		{"hpc6id.32xlarge", 51, 51, 51, 51}, // ENA and EFA in one interface
	} {
		typ := lookup(t, c.name)
		for _, f := range []struct {
			fabric       Fabric
			pods, capped int
		}{{FabricNone, c.plain, c.plainCapped}, {FabricEFA, c.efa, c.efaCapped}} {
			plan, err := typ.InterfacePlan(f.fabric)
			if err != nil {
				t.Fatal(err)
			}
			if got := typ.PodFormula(plan); got != f.pods {
				t.Errorf("%s with fabric %s: formula %d, want %d", c.name, f.fabric, got, f.pods)
			}
			if got := typ.MaxPods(plan); got != f.capped {
				t.Errorf("%s with fabric %s: max pods %d, want %d", c.name, f.fabric, got, f.capped)
			}
		}
	}
}

func TestMaxPodsBelowThirtyVCPUs(t *testing.T) {
	t.Parallel()
	plan := InterfacePlan{{0, 0, KindENA}}
	for vcpus, want := range map[int]int{29: 110, 30: 250} {
		typ := &InstanceType{VCPUs: vcpus, Cards: []NetworkCard{{MaxInterfaces: 15}}, IPv4PerInterface: 50}
		if got := typ.MaxPods(plan); got != want {
			t.Errorf("%d vCPUs: %d pods, want %d", vcpus, got, want)
		}
	}
	if got := lookup(t, "t3.micro"); got.MaxPods(plan) != 4 {
		t.Errorf("t3.micro: %d pods, want 4", got.MaxPods(plan))
	}
}

func TestHugepages(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plan InterfacePlan
		want int
	}{
		"no EFA":      {InterfacePlan{{0, 0, KindENA}}, 0},
		"EFA-only":    {InterfacePlan{{0, 0, KindENA}, {0, 1, KindEFAOnly}}, 5128},
		"primary EFA": {InterfacePlan{{0, 0, KindEFA}}, 5128},
	} {
		if got := Hugepages2Mi(c.plan); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
