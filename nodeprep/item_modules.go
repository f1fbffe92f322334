package nodeprep

import (
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

const modulesFile = "/etc/modules-load.d/gpuyard.conf"

// kernelModules loads modules now and at every boot: those of RDMA, and those without which a kernel parameter does
// not exist (autobase#98, kops#17968, kubespray#7176).
func kernelModules() item {
	return item{
		Key: "kernel_modules", Title: "Kernel modules",
		Keys: []key{
			{Name: "rdma.modules", Legal: oneOf("on")},
			{Name: "sysctl.net.netfilter.", Legal: anything}, {Name: "sysctl.net.ipv4.tcp_congestion_control", Legal: anything},
			{Name: "sysctl.sunrpc.", Legal: anything},
		},
		Assess: func(w want, h *facts.Host) []Setting {
			var out []Setting
			content := modulesContent(w)
			for _, m := range modules(w) {
				s := Setting{Name: m, Live: unset, Wanted: "loaded", OnDisk: onDisk(h, modulesFile, content, "loaded")}
				if h.Module(m) {
					s.Live = "loaded"
				}
				if h.Container() {
					out = append(out, notApplicable(m, "loaded", "the kernel of a container is its host's"))
					continue
				}
				out = append(out, judged(s))
			}
			return out
		},
		Steps: func(w want) []script.Step {
			return []script.Step{
				script.File(modulesFile, "0644", "any", modulesContent(w)),
				script.Call("np_module", modules(w)...),
			}
		},
	}
}

// anything takes every value; another item judges it.
func anything(string) string { return "" }

// moduleOf is the module that brings a kernel parameter.
func moduleOf(key string) string {
	switch {
	case strings.HasPrefix(key, "net.netfilter.nf_conntrack"):
		return "nf_conntrack"
	case strings.HasPrefix(key, "sunrpc."):
		return "sunrpc"
	}
	return ""
}

// modules are the modules that a profile needs, in the order in which they load.
func modules(w want) []string {
	var out []string
	if w.get("rdma.modules") == "on" {
		out = append(out, "ib_uverbs", "ib_umad", "rdma_ucm")
	}
	for _, p := range w.family("sysctl.") {
		m := moduleOf(p.Key)
		if p.Key == "net.ipv4.tcp_congestion_control" && p.Value != "cubic" && p.Value != "reno" {
			// The kernel takes another name silently where its module is missing.
			m = "tcp_" + p.Value
		}
		if m != "" && !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

func modulesContent(w want) string {
	return "# Modules that this host loads at boot, kept by gpuyard.\n" + strings.Join(modules(w), "\n") + "\n"
}
