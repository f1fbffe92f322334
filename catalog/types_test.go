package catalog

import (
	"testing"
)

// TestTypesHoldTogether checks what must be true of every type, so that a new entry needs no test of its own. What a
// record must have is checked as it is read (see dataset.Type.Check).
func TestTypesHoldTogether(t *testing.T) {
	t.Parallel()
	for _, typ := range Default().Types() {
		if got := lookup(t, typ.Name); got != typ {
			t.Errorf("%s: Lookup and Types differ", typ.Name)
		}
		for i, card := range typ.Cards {
			if card.Index != i {
				t.Errorf("%s: card %d is %+v", typ.Name, i, card)
			}
			if card.EFA && !typ.HasEFA() {
				t.Errorf("%s: card %d carries an EFA on a type without", typ.Name, i)
			}
		}
		if len(typ.Placement) == 0 || !typ.Supports(UsageOnDemand) {
			t.Errorf("%s: placement %q, usage %q", typ.Name, typ.Placement, typ.UsageClasses)
		}
	}
}

func TestAcceleratorsHoldTogether(t *testing.T) {
	t.Parallel()
	makers := map[Maker]int{MakerNVIDIA: 0, MakerAMD: 0, MakerHabana: 0, MakerNeuron: 0, MakerQualcomm: 0}
	for _, typ := range Default().Types() {
		a := typ.Accelerator
		if a == nil {
			continue
		}
		if _, known := makers[a.Maker]; !known {
			t.Errorf("%s: %+v", typ.Name, *a)
		}
		makers[a.Maker]++
		if typ.MaxEFA > 1 && a.Count%2 != 0 {
			t.Errorf("%s: %d devices do not split over the EFA cards", typ.Name, a.Count)
		}
	}
	for maker, n := range makers {
		if n == 0 {
			t.Errorf("no type has an accelerator of %s", maker)
		}
	}
}

func TestKnownTypes(t *testing.T) {
	t.Parallel()
	whole := func(maker Maker, name string, count, memory int) Accelerator {
		return Accelerator{Maker: maker, Name: name, Count: count, MemoryMiB: memory, Fraction: 1}
	}
	for _, c := range []struct {
		name          string
		arch          Arch
		vcpus, memory int
		accelerator   Accelerator // zero: none
		disks         InstanceStore
	}{
		{"p5.48xlarge", ArchAMD64, 192, 2097152, whole(MakerNVIDIA, "H100", 8, 81920), InstanceStore{8, 3800, true}},
		{"dl1.24xlarge", ArchAMD64, 96, 786432, whole(MakerHabana, "Gaudi HL-205", 8, 32768), InstanceStore{4, 1000, true}},
		{"trn2.48xlarge", ArchAMD64, 192, 2097152, whole(MakerNeuron, "Trainium2", 16, 524288), InstanceStore{4, 1900, true}},
		{"g4ad.xlarge", ArchAMD64, 4, 16384, whole(MakerAMD, "Radeon Pro V520", 1, 8192), InstanceStore{1, 150, true}},
		{"dl2q.24xlarge", ArchAMD64, 96, 786432, whole(MakerQualcomm, "AI100", 8, 16384), InstanceStore{}},
		{"g6f.large", ArchAMD64, 2, 8192, Accelerator{MakerNVIDIA, "L4", 0, 2861, 0.125}, InstanceStore{1, 100, true}},
		{"gr6f.4xlarge", ArchAMD64, 16, 131072, Accelerator{MakerNVIDIA, "L4", 0, 11444, 0.5}, InstanceStore{1, 450, true}},
		{"i4i.4xlarge", ArchAMD64, 16, 131072, Accelerator{}, InstanceStore{1, 3750, true}},
		{"c7g.16xlarge", ArchARM64, 64, 131072, Accelerator{}, InstanceStore{}},
		{"vt1.24xlarge", ArchAMD64, 96, 196608, Accelerator{}, InstanceStore{}},
		{"f2.48xlarge", ArchAMD64, 192, 2097152, Accelerator{}, InstanceStore{8, 940, true}},
	} {
		typ := lookup(t, c.name)
		if typ.Arch != c.arch || typ.VCPUs != c.vcpus || typ.MemoryMiB != c.memory {
			t.Errorf("%s: %s, %d vCPUs, %d MiB", c.name, typ.Arch, typ.VCPUs, typ.MemoryMiB)
		}
		var accelerator Accelerator
		if typ.Accelerator != nil {
			accelerator = *typ.Accelerator
		}
		if accelerator != c.accelerator {
			t.Errorf("%s: accelerator %+v, want %+v", c.name, accelerator, c.accelerator)
		}
		var disks InstanceStore
		if typ.Disks != nil {
			disks = *typ.Disks
		}
		if disks != c.disks {
			t.Errorf("%s: disks %+v, want %+v", c.name, disks, c.disks)
		}
	}
}

func TestWhatTypesSupport(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                                       string
		spot, block, cluster, bareMetal, isCurrent bool
	}{
		{"p5.48xlarge", true, true, true, false, true},
		{"g6.xlarge", true, false, true, false, true},
		{"hpc7a.96xlarge", false, false, true, false, true},
		{"t3.micro", true, false, false, false, true},
		{"m5.metal", true, false, true, true, false},
	} {
		typ := lookup(t, c.name)
		if got := typ.Supports(UsageSpot); got != c.spot {
			t.Errorf("%s: spot %t", c.name, got)
		}
		if got := typ.Supports(UsageCapacityBlock); got != c.block {
			t.Errorf("%s: capacity block %t", c.name, got)
		}
		if got := typ.SupportsPlacement("cluster"); got != c.cluster {
			t.Errorf("%s: cluster placement %t", c.name, got)
		}
		if typ.BareMetal != c.bareMetal || typ.CurrentGeneration != c.isCurrent {
			t.Errorf("%s: bare metal %t, current %t", c.name, typ.BareMetal, typ.CurrentGeneration)
		}
	}
}
