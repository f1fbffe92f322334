package gpunodes

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
)

// Kubelet says how kubelet hands out CPUs, memory and huge pages on the nodes of a pool. The zero value changes
// nothing.
type Kubelet struct {
	// CPUManager is "none" or "static". Static needs reserved CPUs; nodeadm reserves some on every type.
	CPUManager string `pulumi:"cpuManager,optional"`
	// TopologyManager is "none", "best-effort", "restricted" or "single-numa-node".
	TopologyManager string `pulumi:"topologyManager,optional"`
	// MemoryManager is "None" or "Static", in any case.
	MemoryManager string `pulumi:"memoryManager,optional"`
	// Hugepages maps a page size, "2Mi" or "1Gi", to the number of pages that a node reserves at least when it
	// starts. With EFA the image reserves 5128 pages of 2Mi in any case, and these count.
	Hugepages map[string]int `pulumi:"hugepages,optional"`
}

// isZero reports whether nothing is asked for.
func (k Kubelet) isZero() bool {
	return k.CPUManager == "" && k.TopologyManager == "" && k.MemoryManager == "" && len(k.Hugepages) == 0
}

// systemMiB is the memory that huge pages must leave to the system of a node, kubelet included.
const systemMiB = 2048

// check returns what is wrong with the settings for nodes of some types.
// Source: Kubernetes, KubeletConfiguration v1beta1.
func (k Kubelet) check(types []*catalog.InstanceType) []error {
	var problems []error
	for _, s := range []struct {
		name, value string
		legal       []string
	}{
		{"the CPU manager", k.CPUManager, []string{"none", "static"}},
		{"the topology manager", k.TopologyManager, []string{"none", "best-effort", "restricted", "single-numa-node"}},
		{"the memory manager", strings.ToLower(k.MemoryManager), []string{"none", "static"}},
	} {
		if s.value != "" && !slices.Contains(s.legal, s.value) {
			problems = append(problems, fmt.Errorf("%s is %q: it may be %s", s.name, s.value, strings.Join(s.legal, ", ")))
		}
	}
	for _, size := range sortedKeys(k.Hugepages) {
		switch pages := k.Hugepages[size]; {
		case hugepageKiB(size) == 0:
			problems = append(problems, fmt.Errorf("huge pages of size %q are asked for: the sizes are 2Mi and 1Gi", size))
		case pages < 0:
			problems = append(problems, fmt.Errorf("%d huge pages of %s are asked for: a count is not negative", pages, size))
		}
	}
	return append(problems, CheckHugepages(k.Hugepages, types)...)
}

// CheckHugepages returns what is wrong with reserving huge pages, as numbers by their size, on each of some types: the
// memory that they leave.
func CheckHugepages(pages map[string]int, types []*catalog.InstanceType) []error {
	var problems []error
	totalMiB := 0
	for size, n := range pages {
		totalMiB += min(max(n, 0), math.MaxInt32) * (hugepageKiB(size) / 1024)
	}
	for _, t := range types {
		if totalMiB > 0 && totalMiB+systemMiB > t.MemoryMiB {
			problems = append(problems, fmt.Errorf("huge pages take %d MiB of the %d MiB that %s has: %d MiB must be left to the system",
				totalMiB, t.MemoryMiB, t.Name, systemMiB))
		}
	}
	return problems
}

// hugepageKiB returns the page size in KiB, which is how the kernel names it under /sys/kernel/mm/hugepages; 0 for none.
func hugepageKiB(size string) int {
	return map[string]int{"2Mi": 2048, "1Gi": 1048576}[size]
}
