package gpunodes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
)

// What the images reserve and evict by default, which a static memory manager must account for.
// Source: amazon-eks-ami, nodeadm, kubelet configuration (evictionHard; kubeReserved.memory of 11 MiB a pod and 255).
const (
	evictionMiB       = 100
	reservedBaseMiB   = 255
	reservedPerPodMiB = 11
)

// The limit of open files in the image's base runtime spec.
// Source: amazon-eks-ami, nodeadm, base-runtime-spec.json.
const (
	openFilesSoft = 65536
	openFilesHard = 1048576
)

// unlimitedMemlock is the largest limit that survives the way to runc: nodeadm merges base runtime specs as JSON
// numbers, which rounds 2^64-1 up to a value that no longer fits into 64 bits, and containers do not start.
const unlimitedMemlock uint64 = 1<<63 - 1

// nodeConfig returns the NodeConfig document, or nothing when it would say nothing.
func nodeConfig(s NodeSpec) string {
	var spec lines
	if c := s.Cluster; c != nil {
		spec.line(1, "cluster:").line(2, "name: %q", c.Name).line(2, "apiServerEndpoint: %q", c.Endpoint)
		spec.line(2, "certificateAuthority: %q", c.CertificateAuthority).line(2, "cidr: %q", c.ServiceCIDR)
	}
	config, flags := kubeletConfig(s), kubeletFlags(s.Cluster)
	if len(config)+len(flags) > 0 {
		spec.line(1, "kubelet:")
	}
	if len(config) > 0 {
		spec.line(2, "config:").nest(3, config)
	}
	if len(flags) > 0 {
		spec.line(2, "flags:").nest(3, flags)
	}
	if s.LocalStorage == "raid0" {
		spec.line(1, "instance:").line(2, "localStorage:").line(3, "strategy: RAID0")
	}
	if pinsMemory(s) {
		spec.line(1, "containerd:").line(2, "baseRuntimeSpec:").nest(3, rlimits())
	}
	if len(spec) == 0 {
		return ""
	}
	return "---\napiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n" + strings.Join(spec, "\n") + "\n"
}

// kubeletConfig returns the lines of the KubeletConfiguration that is merged over nodeadm's own.
func kubeletConfig(s NodeSpec) lines {
	var c lines
	if s.Plan.EFAs() > 0 || s.Cluster != nil {
		// EKS caps the limit only where it writes the user data. And nodeadm counts every interface slot of card 0 as
		// one for pods, though an EFA-only interface there takes one away.
		// With too high a limit pods are scheduled onto the node and wait for an address for ever.
		c.line(0, "maxPods: %d", slices.Min(podLimits(s)))
	}
	if s.Kubelet.CPUManager != "" {
		// Static needs a CPU reservation: nodeadm computes kubeReserved.cpu for the instance type at hand, which
		// suits a pool of several types better than one number here could.
		c.line(0, "cpuManagerPolicy: %s", s.Kubelet.CPUManager)
	}
	if s.Kubelet.TopologyManager != "" {
		c.line(0, "topologyManagerPolicy: %s", s.Kubelet.TopologyManager)
	}
	switch strings.ToLower(s.Kubelet.MemoryManager) {
	case "none":
		c.line(0, "memoryManagerPolicy: None")
	case "static":
		c.nest(0, staticMemory(slices.Max(podLimits(s))))
	}
	return c
}

// kubeletFlags returns the flags by which a node registers with its labels and taints. Labels in the namespaces of
// Kubernetes are left to EKS: kubelet may not set most of them, and does not start when asked to. The pool's name is
// left to EKS too, so that a pool can be renamed without new nodes.
// Source: Kubernetes, kubelet, flag node-labels; admission plugin NodeRestriction.
func kubeletFlags(c *NodeCluster) lines {
	var flags lines
	if c == nil {
		return flags
	}
	var labels, taints []string
	for _, key := range sortedKeys(c.Labels) {
		namespace, _, _ := strings.Cut(key, "/")
		if key != LabelPool && !strings.HasSuffix(namespace, "kubernetes.io") && !strings.HasSuffix(namespace, "k8s.io") {
			labels = append(labels, key+"="+c.Labels[key])
		}
	}
	for _, t := range c.Taints {
		taints = append(taints, t.Key+"="+t.Value+":"+t.Effect)
	}
	if len(labels) > 0 {
		flags.line(0, "- %q", "--node-labels="+strings.Join(labels, ","))
	}
	if len(taints) > 0 {
		flags.line(0, "- %q", "--register-with-taints="+strings.Join(taints, ","))
	}
	return flags
}

// staticMemory returns the settings of a static memory manager. Kubelet refuses to start unless the memory set
// aside per NUMA node adds up to what is reserved and the eviction threshold, to the byte; so all three are stated,
// and a change of nodeadm's defaults cannot break the sum.
// Source: Kubernetes, "Utilizing the NUMA-aware Memory Manager", reserved memory flag.
func staticMemory(pods int) lines {
	reserved := reservedBaseMiB + reservedPerPodMiB*pods
	var c lines
	c.line(0, "memoryManagerPolicy: Static")
	c.line(0, "kubeReserved:").line(1, "memory: %dMi", reserved)
	c.line(0, "evictionHard:").line(1, "memory.available: %dMi", evictionMiB)
	c.line(0, "reservedMemory:").line(1, "- numaNode: 0").line(2, "limits:").line(3, "memory: %dMi", reserved+evictionMiB)
	return c
}

// podLimits returns the pod limit of each type of the pool.
func podLimits(s NodeSpec) []int {
	limits := make([]int, len(s.Types))
	for i, t := range s.Types {
		limits[i] = t.MaxPods(s.Plan)
	}
	return limits
}

// pinsMemory reports whether containers of the pool register memory with a device: EFA and accelerators do.
func pinsMemory(s NodeSpec) bool {
	return s.Plan.EFAs() > 0 || slices.ContainsFunc(s.Types, func(t *catalog.InstanceType) bool { return t.Accelerator != nil })
}

// rlimits returns a base runtime spec with unlimited locked memory. A list replaces the image's list when specs are
// merged, so the image's limit of open files is stated again.
// Source: amazon-eks-ami, nodeadm, base-runtime-spec.json and "Modifying container RLIMITs".
func rlimits() lines {
	var c lines
	c.line(0, "process:").line(1, "rlimits:")
	c.line(2, "- type: RLIMIT_MEMLOCK").line(3, "soft: %d", unlimitedMemlock).line(3, "hard: %d", unlimitedMemlock)
	c.line(2, "- type: RLIMIT_NOFILE").line(3, "soft: %d", openFilesSoft).line(3, "hard: %d", openFilesHard)
	return c
}

// lines is a document's lines. What is neither a number nor one of a few known words is quoted.
type lines []string

// line adds a line at a depth of indentation.
func (l *lines) line(depth int, format string, args ...any) *lines {
	*l = append(*l, strings.Repeat("  ", depth)+fmt.Sprintf(format, args...))
	return l
}

// nest adds lines at a depth of indentation.
func (l *lines) nest(depth int, more lines) *lines {
	for _, line := range more {
		*l = append(*l, strings.Repeat("  ", depth)+line)
	}
	return l
}
