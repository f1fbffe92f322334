package nodeprep

import (
	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// habanaEnvironment keeps what Gaudi jobs have in their environment, for a job to read; no global file: libfabric's EFA
// provider must not see it.
//
// Source: Intel Gaudi documentation, "Scale-Out via Host NIC"; OFI, efa-env-var.md, for the contrary.
func habanaEnvironment() item {
	const file, content = "/etc/gpuyard/gaudi.env", "# Environment of Gaudi jobs over host network interfaces, kept by gpuyard.\nRDMAV_FORK_SAFE=1\nFI_EFA_USE_DEVICE_RDMA=1\n"
	return item{
		Key: "habana_environment", Title: "Environment of Gaudi jobs",
		Keys: []key{{Name: "habana.environment", Legal: oneOf("on")}},
		Assess: func(_ want, h *facts.Host) []Setting {
			if len(h.Gaudis()) == 0 {
				return []Setting{notApplicable(file, "present", "this host has no Gaudi")}
			}
			return []Setting{ownedFile(h, file, content)}
		},
		Steps: func(want) []script.Step {
			return []script.Step{script.Call("np_where", "0x1da3", "", "a Gaudi", "np_file", file, "0644", "any", content)}
		},
		Files: func(want) []string { return []string{file} },
	}
}
