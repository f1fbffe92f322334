package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestEveryEFAPlanIsLaunchable checks, for every type that has an EFA, the rules that EC2 enforces at launch.
func TestEveryEFAPlanIsLaunchable(t *testing.T) {
	t.Parallel()
	n := 0
	for _, typ := range Default().Types() {
		if !typ.HasEFA() {
			continue
		}
		n++
		plan, err := typ.InterfacePlan(FabricEFA)
		if err != nil {
			t.Errorf("%s: %v", typ.Name, err)
			continue
		}
		for _, fault := range faults(typ, plan) {
			t.Errorf("%s: %s in %s", typ.Name, fault, plan)
		}
	}
	if n < 200 {
		t.Errorf("only %d types have an EFA", n)
	}
}

// faults lists what is wrong with a plan for an EFA type.
func faults(typ *InstanceType, plan InterfacePlan) []string {
	var found []string
	fault := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	if plan.EFAs() != typ.MaxEFA {
		fault("%d EFAs, want %d", plan.EFAs(), typ.MaxEFA)
	}
	if plan.ENAsOnCard(0) != 1 {
		fault("%d ENAs on card 0", plan.ENAsOnCard(0))
	}
	wantPrimary := KindENA
	if typ.Cards[0].MaxInterfaces == 1 {
		wantPrimary = KindEFA
	}
	if plan[0] != (Interface{0, 0, wantPrimary}) {
		fault("primary interface %+v", plan[0])
	}
	type place struct{ card, device int }
	taken := map[place]bool{}
	efas := map[int]int{}
	for i, nic := range plan {
		if nic.Card < 0 || nic.Card >= len(typ.Cards) {
			fault("card %d of %d", nic.Card, len(typ.Cards))
			continue
		}
		if limit := typ.Cards[nic.Card].MaxInterfaces; nic.Device < 0 || nic.Device >= limit {
			fault("device %d on card %d, which holds %d", nic.Device, nic.Card, limit)
		}
		if at := (place{nic.Card, nic.Device}); taken[at] {
			fault("two interfaces at %d/%d", nic.Card, nic.Device)
		} else {
			taken[at] = true
		}
		if nic.Kind != KindENA {
			efas[nic.Card]++
			if !typ.Cards[nic.Card].EFA {
				fault("an EFA on card %d, which carries none", nic.Card)
			}
		}
		if i > 0 && nic.Kind != KindEFAOnly {
			fault("a second interface with addresses at %d/%d", nic.Card, nic.Device)
		}
	}
	for card, n := range efas {
		if n > 1 {
			fault("%d EFAs on card %d", n, card)
		}
	}
	return found
}

// TestFaultsAreFound guards the guard: each broken plan is caught.
func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	ena := Interface{0, 0, KindENA}
	for name, c := range map[string]struct {
		typ  string
		plan InterfacePlan
		want string
	}{
		"EFA missing":      {"p4d.24xlarge", InterfacePlan{ena, {0, 1, KindEFAOnly}}, "1 EFAs, want 4"},
		"primary EFA-only": {"g5.48xlarge", InterfacePlan{{0, 0, KindEFAOnly}}, "0 ENAs on card 0"},
		"two on a card":    {"g6e.24xlarge", InterfacePlan{ena, {0, 1, KindEFAOnly}, {0, 2, KindEFAOnly}}, "2 EFAs on card 0"},
		"index too high":   {"p5.4xlarge", InterfacePlan{ena, {0, 4, KindEFAOnly}}, "device 4 on card 0, which holds 4"},
		"card too high":    {"p5.4xlarge", InterfacePlan{ena, {1, 0, KindEFAOnly}}, "card 1 of 1"},
		"same place":       {"p5.4xlarge", InterfacePlan{ena, {0, 0, KindEFAOnly}}, "two interfaces at 0/0"},
		"card without":     {"p6-b300.48xlarge", InterfacePlan{ena, {0, 1, KindEFAOnly}}, "an EFA on card 0, which carries none"},
		"second addresses": {"p5.4xlarge", InterfacePlan{ena, {0, 1, KindEFA}}, "a second interface with addresses at 0/1"},
	} {
		if got := faults(lookup(t, c.typ), c.plan); !slices.Contains(got, c.want) {
			t.Errorf("%s: %q lacks %q", name, got, c.want)
		}
	}
}

// TestPlans holds the plans of the types that matter most against a file to read.
func TestPlans(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	fmt.Fprintf(&b, "%-18s %4s %6s %9s  %s\n", "type", "pods", "capped", "hugepages", "interfaces")
	for _, name := range []string{
		"p3dn.24xlarge", "p4d.24xlarge", "p4de.24xlarge", "p5.48xlarge", "p5.4xlarge", "p5e.48xlarge", "p5en.48xlarge",
		"p6-b200.48xlarge", "p6-b300.48xlarge", "trn1.32xlarge", "trn1n.32xlarge", "trn2.48xlarge", "dl1.24xlarge",
		"g5.48xlarge", "g6e.24xlarge", "g6e.48xlarge", "g7e.48xlarge", "c7gn.16xlarge", "hpc6id.32xlarge", "hpc7a.96xlarge",
	} {
		typ := lookup(t, name)
		plan, err := typ.InterfacePlan(FabricEFA)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%-18s %4d %6d %9d  %s\n", name, typ.PodFormula(plan), typ.MaxPods(plan), Hugepages2Mi(plan), plan)
	}
	golden(t, "plans.golden", b.String())
}

func TestPlanInFull(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]InterfacePlan{
		"g6e.24xlarge":    {{0, 0, KindENA}, {0, 1, KindEFAOnly}, {1, 0, KindEFAOnly}},
		"hpc6id.32xlarge": {{0, 0, KindEFA}, {1, 0, KindEFAOnly}},
	} {
		if got, err := lookup(t, name).InterfacePlan(FabricEFA); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v; want %v", name, got, err, want)
		}
	}
}

func TestPlanWithoutEFA(t *testing.T) {
	t.Parallel()
	for _, fabric := range []Fabric{FabricNone, FabricRoCE} {
		for _, typ := range Default().Types() {
			plan, err := typ.InterfacePlan(fabric)
			if err != nil || len(plan) != 1 || plan[0] != (Interface{0, 0, KindENA}) || plan.EFAs() != 0 {
				t.Errorf("%s with fabric %s: %v, %v", typ.Name, fabric, plan, err)
			}
		}
	}
	if _, err := lookup(t, "p5.48xlarge").InterfacePlan("infiniband"); err == nil || !strings.Contains(err.Error(), `"infiniband"; want none, efa or roce`) {
		t.Errorf("an unknown fabric gives %v", err)
	}
}

func TestNoEFA(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"g6.xlarge":    "g6.xlarge has no EFA; similar types that have one: g6.8xlarge, g6.12xlarge, g6.16xlarge",
		"g6f.large":    "g6f.large has no EFA; similar types that have one: g6.8xlarge, gr6.8xlarge, g6.12xlarge",
		"inf2.xlarge":  "inf2.xlarge has no EFA; similar types that have one: trn2.3xlarge, inf1.24xlarge, trn1.32xlarge",
		"c7i.8xlarge":  "c7i.8xlarge has no EFA; similar types that have one: c7i.48xlarge, c7i.metal-48xl, c5n.9xlarge",
		"c7gn.xlarge":  "c7gn.xlarge has no EFA; similar types that have one: c7gn.16xlarge, c7gn.metal, c6gn.16xlarge",
		"g4ad.8xlarge": "g4ad.8xlarge has no EFA",
	} {
		_, err := lookup(t, name).InterfacePlan(FabricEFA)
		var none *NoEFAError
		if !errors.As(err, &none) || none.Type != name {
			t.Fatalf("%s: %v, want a NoEFAError that names it", name, err)
		}
		if err.Error() != want {
			t.Errorf("%s: got %q, want %q", name, err, want)
		}
	}
	alone := &InstanceType{Name: "x1.large"}
	if _, err := alone.InterfacePlan(FabricEFA); err == nil || err.Error() != "x1.large has no EFA" {
		t.Errorf("a type of no catalog gives %v", err)
	}
}

// TestPlanIsNotGuessed takes the stated fact about p6-b300 away: 17 cards and 16 EFAs then say nothing.
func TestPlanIsNotGuessed(t *testing.T) {
	t.Parallel()
	typ, err := with(t, `{"types": {}}`).Lookup("p6-b300.48xlarge")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := typ.InterfacePlan(FabricEFA)
	want := "p6-b300.48xlarge takes 16 EFAs but 17 of its 17 network cards could carry one, and the catalog does not say which do"
	if plan != nil || err == nil || err.Error() != want {
		t.Errorf("got %v, %v; want %q", plan, err, want)
	}
}
