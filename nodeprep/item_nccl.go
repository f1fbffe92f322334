package nodeprep

import (
	"fmt"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

const ncclFile = "/etc/nccl.conf"

// nccl keeps NCCL's parameters for the whole host. Containers do not see the file: jobs mount it.
//
// A GID index differs from host to host and after a reboot (nccl#1333, #2157), and debug output must not stay on, so
// neither is legal. Source: NCCL, "Environment Variables".
func nccl() item {
	return item{
		Key: "nccl", Title: "NCCL parameters",
		Keys: []key{
			{Name: "nccl.ib_gid_index", Legal: never("the index differs from host to host and after a reboot; NCCL finds it by itself")},
			{Name: "nccl.debug", Legal: never("output for debugging must not stay on; set it for one job")},
			{Name: "nccl.", Legal: matching(`[A-Za-z0-9_.,:^=/-]{1,200}`, "letters, digits and _ . , : ^ = / -"), LegalFor: legalNCCL},
			{Name: "roce.traffic_class", Legal: anything},
		},
		Assess: func(w want, h *facts.Host) []Setting {
			if len(h.GPUs()) == 0 && len(h.Gaudis()) == 0 {
				return []Setting{notApplicable(ncclFile, "present", "this host has no accelerator")}
			}
			if len(h.Gaudis()) > 0 {
				return []Setting{notApplicable(ncclFile, "present", "Gaudi talks through HCCL, which does not read it")}
			}
			return []Setting{ownedFile(h, ncclFile, ncclContent(w))}
		},
		Steps: func(w want) []script.Step {
			return []script.Step{script.Call("np_where", "0x10de", "0x03", "an NVIDIA GPU", "np_file", ncclFile, "0644", "any", ncclContent(w))}
		},
		Files: func(want) []string { return []string{ncclFile} },
	}
}

// never takes no value.
func never(why string) legal { return func(string) string { return why } }

func ncclContent(w want) string {
	var b strings.Builder
	b.WriteString("# NCCL of this host, kept by gpuyard. Containers see it where it is mounted.\n")
	for _, p := range w.family("nccl.") {
		fmt.Fprintf(&b, "NCCL_%s=%s\n", strings.ToUpper(p.Key), p.Value)
	}
	if class := w.get("roce.traffic_class"); class != "" && !w.has("nccl.ib_tc") {
		// RDMA traffic must carry the mark of the lossless priority.
		fmt.Fprintf(&b, "NCCL_IB_TC=%s\n", class)
	}
	return b.String()
}
