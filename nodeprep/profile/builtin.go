package profile

import "slices"

// Names of the built-in profiles.
const (
	Training      = "training"
	GaudiTraining = "gaudi-training"
	DataLoading   = "data-loading"
	Inference     = "inference"
	Minimal       = "minimal"
)

// Names are the names of the built-in profiles.
func Names() []string {
	return []string{Training, GaudiTraining, DataLoading, Inference, Minimal}
}

// BuiltIn returns a built-in profile, a new one at each call.
//
// Sources: somaxconn, tcp_max_syn_backlog, netdev_max_backlog and socket buffers: NVIDIA nodewright-packages, profile
// h100-multiNodeTraining, and tuned's throughput-performance. NUMA balancing off: tuned's hpc-compute. max_map_count
// and inotify: awslabs/amazon-eks-ami. memlock and nofile: Azure/azhpc-images, hpc-tuning.sh; nofile stays below
// fs.nr_open, above which logins fail (linux-pam#353). THP: Linux, admin-guide/mm/transhuge.rst; never would also
// refuse programs that ask, so madvise. Read-ahead of 4 MiB: tuned's throughput-performance.
func BuiltIn(name string) (Profile, bool) {
	if !slices.Contains(Names(), name) {
		return Profile{}, false
	}
	p := Profile{Name: name}.Extend(name, housekeeping())
	switch name {
	case Training:
		p = p.Extend(name, processing()).Extend(name, network()).Extend(name, map[string]string{
			"nvidia.persistence": "on", "rdma.modules": "on", "tuned": "off",
		})
	case GaudiTraining:
		p = p.Extend(name, processing()).Extend(name, network()).Extend(name, map[string]string{
			"hugepages.2Mi": "1024", "habana.links": "up", "rdma.modules": "on", "tuned": "off",
		})
	case DataLoading:
		p = p.Extend(name, processing()).Extend(name, network()).Extend(name, map[string]string{
			"sysctl.fs.inotify.max_user_instances": "8192",
			"sysctl.fs.inotify.max_user_watches":   "524288",
			"storage.read_ahead_kib":               "4096",
		})
	case Inference:
		p = p.Extend(name, network()).Extend(name, map[string]string{
			"thp.enabled": "madvise", "limits.memlock": "unlimited", "limits.nofile": "500000", "sysctl.fs.nr_open": "1048576",
			"sysctl.vm.max_map_count": "1048576", "nvidia.persistence": "on",
		})
	}
	return p, true
}

// housekeeping is right on every host that runs jobs: nothing changes under them.
func housekeeping() map[string]string {
	return map[string]string{"needrestart": "list", "upgrades": "off", "time": "on"}
}

// processing is for hosts that compute.
func processing() map[string]string {
	return map[string]string{
		"thp.enabled": "madvise", "thp.defrag": "madvise", "thp.shmem": "advise",
		"cpu.governor":                 "performance",
		"limits.memlock":               "unlimited",
		"limits.nofile":                "500000",
		"swap":                         "off",
		"sysctl.fs.file-max":           "1000000",
		"sysctl.fs.nr_open":            "1048576",
		"sysctl.kernel.numa_balancing": "0",
		"sysctl.vm.max_map_count":      "1048576",
		"sysctl.vm.swappiness":         "10",
		"sysctl.vm.zone_reclaim_mode":  "0",
	}
}

// network is for hosts that serve or use many connections.
func network() map[string]string {
	return map[string]string{
		"sysctl.net.core.netdev_max_backlog":  "10000",
		"sysctl.net.core.rmem_max":            "67108864",
		"sysctl.net.core.somaxconn":           "4096",
		"sysctl.net.core.wmem_max":            "67108864",
		"sysctl.net.ipv4.tcp_max_syn_backlog": "8192",
	}
}
