package headroom

import (
	"strings"
	"testing"
)

func TestAllocatable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		node Node
		want int
	}{
		{Node{MemoryMiB: 65536, MaxPods: 234}, 65536 - 4915 - 255 - 2574 - 100},
		{Node{MemoryMiB: 2097152, MaxPods: 100}, 2097152 - 157286 - 255 - 1100 - 100},
		{Node{MemoryMiB: 512, MaxPods: 110}, 0},
	} {
		if got := c.node.AllocatableMiB(); got != c.want {
			t.Errorf("%+v: %d MiB, want %d", c.node, got, c.want)
		}
	}
}

func TestCache(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		node Node
		want int
		says []string
	}{
		{Node{Name: "c7i.8xlarge", MemoryMiB: 65536, MaxPods: 234}, 33116,
			[]string{"56.3 GiB of c7i.8xlarge is allocatable", "8 GiB for Alluxio's heaps", "16 GiB for jobs", "32.3 GiB is left"}},
		{Node{Name: "p5.48xlarge", MemoryMiB: 2097152, MaxPods: 100, HugepagesMiB: 10256}, 1395675,
			[]string{"10 GiB for huge pages", "512 GiB for jobs"}},
		{Node{Name: "i4i.4xlarge", MemoryMiB: 131072, MaxPods: 110, TakenMiB: 8192}, 70525, []string{"8 GiB for other storage"}},
		{Node{Name: "m7i.xlarge", MemoryMiB: 16384, MaxPods: 58}, 1875, []string{"1.8 GiB is left"}},
		{Node{Name: "t3.small", MemoryMiB: 2048, MaxPods: 11}, 0, []string{"0 GiB is left"}},
	} {
		got := Cache(c.node)
		if got.MiB != c.want {
			t.Errorf("%s: %d MiB, want %d: %s", c.node.Name, got.MiB, c.want, got.Why)
		}
		for _, s := range c.says {
			if !strings.Contains(got.Why, s) {
				t.Errorf("%s: %q does not say %q", c.node.Name, got.Why, s)
			}
		}
	}
}

func TestCeph(t *testing.T) {
	t.Parallel()
	if got := CephMiB(8); got != 8*4096+1024+512+4096 {
		t.Errorf("eight disks: %d MiB", got)
	}
}
