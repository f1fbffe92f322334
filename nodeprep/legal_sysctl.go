package nodeprep

import (
	"maps"
	"math"
	"slices"
)

// sysctlLegal is what is legal for kernel parameters that are often set. A kernel clamps or refuses other values, some
// of them silently. A parameter that is not here takes any value, and what the host says of it counts.
//
// Sources: Linux, Documentation/admin-guide/sysctl/{vm,fs,kernel,net}.rst, networking/ip-sysctl.rst,
// nf_conntrack-sysctl.rst; fs/file.c for the most that nr_open takes; kernel/pid.c for pid_max.
func sysctlLegal() map[string]legal {
	const large = math.MaxInt32
	flag, count, pages := within(0, 1), within(0, large), within(0, math.MaxInt64)
	three := matching(`[0-9]{1,10}( +[0-9]{1,10}){2}`, "three numbers: least, default and most bytes")
	return map[string]legal{
		"fs.aio-max-nr": pages, "fs.file-max": pages, "fs.inotify.max_user_instances": count, "fs.inotify.max_user_watches": count,
		"fs.nr_open":            within(1024, 1<<30),
		"kernel.numa_balancing": within(0, 3), "kernel.panic": within(-1, large), "kernel.pid_max": within(301, 1<<22),
		"kernel.sysrq": within(0, 511), "kernel.threads-max": within(20, 1<<29), "kernel.randomize_va_space": within(0, 2),
		"kernel.sched_autogroup_enabled": flag, "kernel.nmi_watchdog": flag,
		"net.core.busy_poll": count, "net.core.busy_read": count, "net.core.netdev_budget": count,
		"net.core.netdev_max_backlog": count, "net.core.optmem_max": count, "net.core.rmem_default": within(2304, large),
		"net.core.rmem_max": within(2304, large), "net.core.somaxconn": within(0, large), "net.core.wmem_default": within(4608, large),
		"net.core.wmem_max": within(4608, large), "net.core.default_qdisc": matching(`[a-z_]{1,16}`, "a queueing discipline such as fq"),
		"net.ipv4.ip_forward": flag, "net.ipv4.ip_local_port_range": matching(`[0-9]{1,5} +[0-9]{1,5}`, "two ports, the first below the second"),
		"net.ipv4.tcp_congestion_control": matching(`[a-z][a-z0-9_]{1,15}`, "an algorithm such as cubic or bbr"),
		"net.ipv4.tcp_max_syn_backlog":    count, "net.ipv4.tcp_mtu_probing": within(0, 2), "net.ipv4.tcp_rmem": three, "net.ipv4.tcp_wmem": three,
		"net.ipv4.tcp_sack": flag, "net.ipv4.tcp_timestamps": within(0, 2), "net.ipv4.tcp_tw_reuse": within(0, 2), "net.ipv4.tcp_low_latency": flag,
		"net.ipv4.neigh.default.gc_thresh1": count, "net.ipv4.neigh.default.gc_thresh2": count, "net.ipv4.neigh.default.gc_thresh3": count,
		"net.ipv4.conf.all.rp_filter": within(0, 2), "net.ipv4.conf.default.rp_filter": within(0, 2), "net.ipv4.conf.all.arp_ignore": within(0, 8),
		"net.netfilter.nf_conntrack_max": within(0, large),
		"vm.dirty_background_ratio":      within(0, 100), "vm.dirty_ratio": within(0, 100), "vm.dirty_bytes": pages, "vm.dirty_background_bytes": pages,
		"vm.max_map_count": count, "vm.min_free_kbytes": count, "vm.nr_hugepages": within(0, 1<<24), "vm.overcommit_memory": within(0, 2),
		"vm.overcommit_ratio": within(0, large), "vm.stat_interval": count, "vm.swappiness": within(0, 200), "vm.vfs_cache_pressure": count,
		"vm.zone_reclaim_mode": within(0, 7), "vm.panic_on_oom": within(0, 2),
	}
}

// legalSysctl judges a kernel parameter. A name that is one slip away from a known one is taken for it: a kernel has no
// list of the names that it could have, and a parameter that it lacks is not applicable there.
func legalSysctl(name, value string) string {
	known := sysctlLegal()
	if l, found := known[name]; found {
		return l(value)
	}
	for _, n := range slices.Sorted(maps.Keys(known)) {
		if slip(n, name) {
			return "there is no such kernel parameter: did you mean sysctl." + n + "?"
		}
	}
	return ""
}

// slip says whether one letter more, less or other, or two that changed places, make one name of the other.
func slip(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	n := 0
	for n < len(b) && a[n] == b[n] {
		n++
	}
	switch rest := a[n:]; {
	case len(a)-len(b) > 1:
		return false
	case len(a) > len(b):
		return rest[1:] == b[n:]
	case rest == "" || rest[1:] == b[n+1:]:
		return true
	}
	return n+1 < len(a) && a[n] == b[n+1] && a[n+1] == b[n] && a[n+2:] == b[n+2:]
}
