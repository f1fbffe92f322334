package nodeprep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// brokenEFA are releases of the EFA installer that a family cannot use. Source: aws-parallelcluster-cookbook PR#2906.
var brokenEFA = map[facts.Family][]string{facts.RedHat: {"1.38.0"}}

// efa installs EFA's kernel module and libfabric by AWS's installer, which lies on the host with its signature.
//
// Source: EC2 User Guide, "Get started with EFA and NCCL", step 3 (verify), and amazon-eks-ami (--minimal).
func efa() item {
	return item{
		Key: "efa", Title: "EFA software",
		Keys:  []key{{Name: "efa.installer", Legal: version}},
		Needs: []string{"kernel_line", "upgrades"},
		Host:  true, Slow: true,
		Assess: func(w want, h *facts.Host) []Setting {
			wanted := w.get("efa.installer")
			s := Setting{Name: "efa.installer", Wanted: wanted}
			switch {
			case len(h.EFAs()) == 0:
				return []Setting{notApplicable(s.Name, wanted, "this host has no EFA")}
			case slices.Contains(brokenEFA[h.OS.Family], wanted):
				return []Setting{blocked(s, wanted+" does not work on "+h.OS.Name)}
			}
			for line := range strings.Lines(h.Files[efaMarker].Content) {
				if v, found := strings.CutPrefix(strings.TrimSpace(line), "# EFA installer version: "); found {
					s.Live, s.OnDisk = v, v
				}
			}
			devices := Setting{Name: "EFA devices", Live: fmt.Sprint(countDriver(h, "efa")), Wanted: fmt.Sprint(len(h.EFAs()))}
			devices.OnDisk = devices.Live
			return []Setting{judged(s), judged(devices)}
		},
		Steps: func(w want) []script.Step { return []script.Step{script.Call("np_efa", w.get("efa.installer"))} },
		Files: func(want) []string { return []string{efaMarker} },
	}
}

// efaMarker is what the installer leaves behind.
const efaMarker = "/opt/amazon/efa_installed_packages"

func countDriver(h *facts.Host, driver string) int {
	n := 0
	for _, d := range h.RDMA {
		if d.Driver == driver {
			n++
		}
	}
	return n
}
