package gpunodes

import (
	"errors"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/catalog"
)

// bottlerocketSettings returns the user data of a Bottlerocket pool, which EKS merges with its own: settings in TOML.
// With EFA attached, Bottlerocket unlocks memory by itself.
// Source: Bottlerocket, "Settings Reference", kubernetes, kernel and oci-defaults; bottlerocket-core-kit, pull request
// 141.
func bottlerocketSettings(s NodeSpec) string {
	var doc lines
	if kubelet := bottlerocketKubelet(s); len(kubelet) > 0 {
		doc.line(0, "[settings.kubernetes]").nest(0, kubelet)
	}
	pages := max(catalog.Hugepages2Mi(s.Plan), s.Kubelet.Hugepages["2Mi"])
	doc = append(doc, bottlerocketSystem(s.System, pages, pinsMemory(s) && s.Plan.EFAs() == 0)...)
	if s.LocalStorage == "raid0" {
		doc.nest(0, ephemeralStorage())
	}
	if len(doc) == 0 {
		return ""
	}
	return strings.Join(doc, "\n") + "\n"
}

// bottlerocketKubelet returns the settings of kubelet.
func bottlerocketKubelet(s NodeSpec) lines {
	var c lines
	if s.Plan.EFAs() > 0 {
		c.line(0, "max-pods = %d", slices.Min(podLimits(s)))
	}
	if s.Kubelet.CPUManager != "" {
		c.line(0, "cpu-manager-policy = %q", s.Kubelet.CPUManager)
	}
	if s.Kubelet.TopologyManager != "" {
		c.line(0, "topology-manager-policy = %q", s.Kubelet.TopologyManager)
	}
	return c
}

// ephemeralStorage returns the command that joins all local disks into one volume at every boot and puts what
// containers and pods write onto it. A node that fails to is not to join with a small disk in its stead.
// Source: Bottlerocket, "Bootstrap Commands", "Configure ephemeral disks".
func ephemeralStorage() lines {
	var c lines
	c.line(0, "[settings.bootstrap-commands.local-storage]").line(0, "commands = [")
	c.line(1, `["apiclient", "ephemeral-storage", "init"],`)
	c.line(1, `["apiclient", "ephemeral-storage", "bind", "--dirs", "/var/lib/containerd", "/var/lib/kubelet", "/var/log/pods"],`)
	c.line(0, "]").line(0, "essential = true").line(0, `mode = "always"`)
	return c
}

// checkBottlerocket returns what is asked of Bottlerocket that it is not made to do here.
func checkBottlerocket(s NodeSpec) []error {
	var problems []error
	if strings.EqualFold(s.Kubelet.MemoryManager, "static") {
		problems = append(problems, errors.New("a static memory manager needs memory set aside to the byte, and Bottlerocket "+
			"computes what it reserves by itself: take al2023"))
	}
	if s.Kubelet.Hugepages["1Gi"] > 0 {
		problems = append(problems, errors.New("huge pages of 1Gi are not reserved on Bottlerocket, those of 2Mi are: take al2023"))
	}
	return problems
}
