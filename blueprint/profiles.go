package blueprint

// builtinProfiles are the profiles that every blueprint can extend or refer to by name.
//
// Sources: huge pages for EFA are the node's business, since they follow from its interfaces, and stand in no profile.
// somaxconn, tcp_max_syn_backlog, netdev_max_backlog and socket buffers: NVIDIA nodewright-packages, profile
// h100-multiNodeTraining, and tuned's throughput-performance. NUMA balancing off: tuned's hpc-compute. max_map_count
// and inotify: awslabs/amazon-eks-ami. memlock and nofile: Azure/azhpc-images, hpc-tuning.sh; nofile stays below
// fs.nr_open, above which logins fail (linux-pam#353). THP madvise: Linux, admin-guide/mm/transhuge.rst. Kubelet
// policies: Kubernetes, "Control Topology Management Policies on a Node".
func builtinProfiles() []*NodeProfile {
	return []*NodeProfile{
		{
			Name:                 plain("training"),
			TransparentHugepages: plain("madvise"),
			CPUManager:           plain("static"),
			TopologyManager:      plain("single-numa-node"),
			Sysctl: map[string]string{
				"fs.file-max":                  "1000000",
				"fs.nr_open":                   "1048576",
				"kernel.numa_balancing":        "0",
				"net.core.netdev_max_backlog":  "10000",
				"net.core.rmem_max":            "67108864",
				"net.core.somaxconn":           "4096",
				"net.core.wmem_max":            "67108864",
				"net.ipv4.tcp_max_syn_backlog": "8192",
				"vm.max_map_count":             "1048576",
			},
			Limits: map[string]string{"memlock": "unlimited", "nofile": "500000"},
		},
		{
			// Gaudi registers memory through ib_uverbs, and its data loading runs on the host's processors.
			Name:                 plain("gaudi-training"),
			TransparentHugepages: plain("madvise"),
			Hugepages:            map[string]int{"2Mi": 1024},
			CPUManager:           plain("static"),
			TopologyManager:      plain("best-effort"),
			Sysctl: map[string]string{
				"fs.file-max":           "1000000",
				"fs.nr_open":            "1048576",
				"kernel.numa_balancing": "0",
				"net.core.rmem_max":     "67108864",
				"net.core.somaxconn":    "4096",
				"net.core.wmem_max":     "67108864",
				"vm.max_map_count":      "1048576",
			},
			Limits: map[string]string{"memlock": "unlimited", "nofile": "500000"},
		},
		{
			// Loaders read many files over many connections; whole processors keep decoding steady.
			Name:                 plain("data-loading"),
			TransparentHugepages: plain("madvise"),
			CPUManager:           plain("static"),
			Sysctl: map[string]string{
				"fs.file-max":                   "1000000",
				"fs.inotify.max_user_instances": "8192",
				"fs.inotify.max_user_watches":   "524288",
				"fs.nr_open":                    "1048576",
				"net.core.rmem_max":             "67108864",
				"net.core.somaxconn":            "4096",
				"net.ipv4.tcp_max_syn_backlog":  "8192",
				"vm.max_map_count":              "1048576",
			},
			Limits: map[string]string{"nofile": "500000"},
		},
		{
			Name:                 plain("inference"),
			TransparentHugepages: plain("madvise"),
			TopologyManager:      plain("best-effort"),
			Sysctl: map[string]string{
				"net.core.somaxconn":           "4096",
				"net.ipv4.tcp_max_syn_backlog": "8192",
				"vm.max_map_count":             "1048576",
			},
			Limits: map[string]string{"memlock": "unlimited", "nofile": "500000"},
		},
		{Name: plain("minimal")},
	}
}

// plain is a value that no blueprint states.
func plain(text string) Value[string] { return Value[string]{Value: text} }
