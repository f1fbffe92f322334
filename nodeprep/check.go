package nodeprep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

// Problem is what is wrong with a profile, whatever the host.
type Problem struct {
	Key  string `json:"key"`
	Text string `json:"text"`
}

// String is the problem in one line.
func (p Problem) String() string { return p.Key + ": " + p.Text }

// Keys are all keys that a profile may have. One that ends in a dot is the beginning of a family.
func Keys() []string {
	var names []string
	for _, i := range items() {
		for _, k := range i.Keys {
			names = append(names, k.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Check says everything that is wrong with a profile: unknown keys with near names, values that are not legal with
// what is, and keys that contradict each other, both named.
func Check(p profile.Profile) []Problem {
	var problems []Problem
	for _, name := range p.Keys() {
		known := false
		for _, i := range items() {
			k, found := i.key(name)
			if !found {
				continue
			}
			known = true
			if why := k.judge(name, p.Values[name]); why != "" {
				problems = append(problems, Problem{name, fmt.Sprintf("%q is not legal; %s", shown(k, p.Values[name]), why)})
			} else if why := badName(k, name); why != "" {
				problems = append(problems, Problem{name, why})
			}
		}
		if !known {
			problems = append(problems, Problem{name, unknownKey(name)})
		}
	}
	for _, c := range conflicts {
		if why := c(want{p}); why != nil {
			problems = append(problems, *why)
		}
	}
	return problems
}

// judge says what is wrong with a value.
func (k key) judge(name, value string) string {
	why := k.Legal(value)
	if why == "" && k.LegalFor != nil {
		why = k.LegalFor(strings.TrimPrefix(name, k.Name), value)
	}
	return why
}

func shown(k key, value string) string {
	if k.Secret {
		return hidden
	}
	return value
}

// badName refuses what cannot be the rest of a family's key: it becomes part of a command or a file.
func badName(k key, name string) string {
	rest := strings.TrimPrefix(name, k.Name)
	if k.Name == name || strings.Trim(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/") == "" && !strings.Contains(rest, "..") {
		return ""
	}
	return fmt.Sprintf("%q may have letters, digits and _ . - / only", rest)
}

func unknownKey(name string) string {
	near := catalog.Near(name, Keys())
	for i, n := range near {
		near[i] = strings.TrimSuffix(n, ".")
	}
	if len(near) > 0 {
		return "there is no such key; did you mean " + strings.Join(near, " or ") + "?"
	}
	return "there is no such key" + catalog.Instead(name, Keys())
}

// conflicts are keys that contradict each other.
var conflicts = []func(want) *Problem{
	both("hugepages.2Mi", "sysctl.vm.nr_hugepages", "both reserve pages of 2 MiB: keep one"),
	both("thp.enabled", "kernel_line.transparent_hugepage", "both set transparent huge pages: keep thp.enabled, which needs no reboot"),
	both("hugepages.1Gi", "kernel_line.hugepages", "both reserve pages on the kernel command line: keep hugepages.1Gi"),
	both("sysctl.vm.dirty_bytes", "sysctl.vm.dirty_ratio", "the kernel takes one of them and clears the other"),
	both("sysctl.vm.dirty_background_bytes", "sysctl.vm.dirty_background_ratio", "the kernel takes one of them and clears the other"),
	both("habana.environment", "efa.installer", "Gaudi wants RDMAV_FORK_SAFE, which libfabric's EFA provider must not see: set it in the job that needs it"),
	both("iommu.passthrough", "kernel_line.iommu", "both set the IOMMU: keep one"),
	both("nvidia.driver", "habana.driver", "a host has accelerators of one maker"),
	openFiles,
	neighbours,
}

func both(a, b, why string) func(want) *Problem {
	return func(w want) *Problem {
		if w.has(a) && w.has(b) {
			return &Problem{a, fmt.Sprintf("contradicts %s: %s", b, why)}
		}
		return nil
	}
}

// openFiles refuses a nofile above fs.nr_open: nobody could log in.
func openFiles(w want) *Problem {
	most := atoi(w.get("sysctl.fs.nr_open"))
	if most == 0 {
		most = 1 << 20
	}
	if n := atoi(w.get("limits.nofile")); n > most {
		return &Problem{"limits.nofile", fmt.Sprintf("%d is above sysctl.fs.nr_open, which is %d: nobody could log in", n, most)}
	}
	return nil
}

// neighbours holds that the limits of the neighbour table rise.
func neighbours(w want) *Problem {
	const prefix = "sysctl.net.ipv4.neigh.default.gc_thresh"
	last := int64(0)
	for _, n := range []string{"1", "2", "3"} {
		if !w.has(prefix + n) {
			continue
		}
		if value := atoi(w.get(prefix + n)); value <= last {
			return &Problem{prefix + n, "the limits of the neighbour table must rise from gc_thresh1 to gc_thresh3"}
		} else {
			last = value
		}
	}
	return nil
}
