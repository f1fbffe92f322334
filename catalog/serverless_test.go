package catalog

import (
	"slices"
	"testing"
)

func TestWorkloadProfiles(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, p := range WorkloadProfiles() {
		if seen[p.Name] {
			t.Errorf("%s is there twice", p.Name)
		}
		seen[p.Name] = true
		if p.CPU <= 0 || p.MemoryMiB <= 0 || (p.GPU == "") != (p.GPUs == 0) || (p.GPU == "") != (p.Regions == nil) {
			t.Errorf("%+v does not hold together", p)
		}
		if slices.ContainsFunc(p.Regions, func(r string) bool { return r != AzureRegion(r) }) {
			t.Errorf("%s: regions %v", p.Name, p.Regions)
		}
	}
	for name, want := range map[string]WorkloadProfile{
		"E16":       {CPU: 16, MemoryMiB: 128 << 10},
		"D4":        {CPU: 4, MemoryMiB: 16 << 10},
		"NC96-A100": {CPU: 96, MemoryMiB: 880 << 10, GPUs: 4},
	} {
		got, ok := LookupWorkloadProfile(name)
		if !ok || got.CPU != want.CPU || got.MemoryMiB != want.MemoryMiB || got.GPUs != want.GPUs {
			t.Errorf("%s is %+v", name, got)
		}
	}
	if _, ok := LookupWorkloadProfile("consumption"); ok {
		t.Error("names are case-sensitive to Azure")
	}
}

func TestProfilesAreOfferedByRegion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		profile, region string
		want            bool
	}{
		{"Consumption", "northpole", true},
		{"Consumption-GPU-NC24-A100", "Sweden Central", true},
		{"Consumption-GPU-NC24-A100", "westeurope", false},
		{"Consumption-GPU-NC8as-T4", "westeurope", true},
		{"NC24-A100", "swedencentral", false},
	} {
		p, _ := LookupWorkloadProfile(c.profile)
		if got := p.OfferedIn(c.region); got != c.want {
			t.Errorf("%s in %s: %v", c.profile, c.region, got)
		}
	}
}

func TestContainerDisk(t *testing.T) {
	t.Parallel()
	for cpu, want := range map[float64]int{0.25: 1024, 0.5: 2048, 0.75: 4096, 1: 4096, 1.25: 8192, 24: 8192} {
		if got := ContainerDiskMiB(cpu); got != want {
			t.Errorf("%g processors have %d MiB, want %d", cpu, got, want)
		}
	}
}

func TestLambdaPrices(t *testing.T) {
	t.Parallel()
	if p, ok := LambdaPrices("eu-west-1", "x86_64"); !ok || !p.Exact || p.WarmGBSecond != 0.0000046460 {
		t.Errorf("eu-west-1: %+v", p)
	}
	if p, _ := LambdaPrices("mars-1", "x86_64"); p.Exact || p.Region != standInRegion || p.WarmGBSecond == 0 {
		t.Errorf("an unknown region: %+v", p)
	}
	if p, ok := LambdaPrices("us-east-1", "arm64"); ok || p.GBSecond >= 0.0000166667 {
		t.Errorf("arm64: %+v", p)
	}
}

func TestContainerAppPrices(t *testing.T) {
	t.Parallel()
	p := ContainerAppPrices("East US")
	if !p.Exact || ContainerAppPrices("swedencentral").Exact {
		t.Error("the prices are those of East US alone")
	}
	for _, w := range WorkloadProfiles() {
		run, idle := p.Run(w.CPU, w.MemoryMiB, w.GPU, w.GPUs), p.Idle(w.CPU, w.MemoryMiB, w.GPU, w.GPUs)
		if w.GPUs > 0 && p.GPUSecond[w.GPU] == 0 || idle <= 0 || run <= idle {
			t.Errorf("%s costs %g a second, idle %g", w.Name, run, idle)
		}
	}
	// 24 processors, 220 GiB and an A100 by the hour.
	if got := 3600 * p.Run(24, 220<<10, "A100", 1); got < 6.35 || got > 6.36 {
		t.Errorf("an A100 costs %g an hour", got)
	}
}
