package nodeprep

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

const hugepagesFile = "/etc/tmpfiles.d/gpuyard-hugepages.conf"

// hugepages reserves huge pages of 2 MiB, spread over the memory nodes, now and at every boot.
//
// It never gives back what others reserved: the EFA packages reserve 5128 pages of their own. kubelet reads its
// capacity when it starts, so it starts again (kubernetes#99483). Pages of 1 GiB are the kernel command line's, since
// a host that has run for a while rarely finds any. Source: Linux, Documentation/admin-guide/mm/hugetlbpage.rst.
func hugepages() item {
	return item{
		Key: "hugepages", Title: "Huge pages of 2 MiB",
		Keys:   []key{{Name: "hugepages.2Mi", Legal: within(0, 1<<24)}},
		Assess: assessHugepages,
		Steps: func(w want) []script.Step {
			return []script.Step{script.Call("np_hugepages_all", "2048", w.get("hugepages.2Mi"))}
		},
		Files: func(want) []string { return []string{hugepagesFile} },
		Predict: func(w want, h *facts.Host) map[string]string {
			if shares := spread(w, h); len(shares) > 0 {
				return map[string]string{hugepagesFile: hugepagesContent(shares)}
			}
			return nil
		},
	}
}

// share is how many pages a node gets.
type share struct{ Node, Pages int }

// spread divides pages evenly; the first nodes get the rest.
func spread(w want, h *facts.Host) []share {
	total, err := strconv.Atoi(w.get("hugepages.2Mi"))
	if err != nil {
		return nil
	}
	var shares []share
	for _, n := range h.Memory.Nodes {
		if _, has := n.Hugepages[2048]; has {
			shares = append(shares, share{Node: n.ID})
		}
	}
	for i := range shares {
		shares[i].Pages = total / len(shares)
		if i < total%len(shares) {
			shares[i].Pages++
		}
	}
	return shares
}

func hugepagesContent(shares []share) string {
	var b strings.Builder
	b.WriteString("# Huge pages by memory node, kept by gpuyard.\n")
	for _, s := range shares {
		fmt.Fprintf(&b, "w /sys/devices/system/node/node%d/hugepages/hugepages-2048kB/nr_hugepages - - - - %d\n", s.Node, s.Pages)
	}
	return b.String()
}

func assessHugepages(w want, h *facts.Host) []Setting {
	shares := spread(w, h)
	if len(shares) == 0 {
		return []Setting{notApplicable("hugepages.2Mi", w.get("hugepages.2Mi"), "no memory node of this kernel has pages of 2 MiB (a 64 KiB kernel has other sizes)")}
	}
	content := hugepagesContent(shares)
	var out []Setting
	for i, s := range shares {
		have := h.Memory.Nodes[i].Hugepages[2048].Total
		setting := Setting{Name: fmt.Sprintf("hugepages.2Mi node%d", s.Node), Live: strconv.Itoa(have), Wanted: strconv.Itoa(s.Pages), Verdict: Change}
		setting.OnDisk = orUnset(onDisk(h, hugepagesFile, content, setting.Wanted))
		if have >= s.Pages && setting.OnDisk == setting.Wanted {
			setting.Verdict = OK
		}
		if int64(s.Pages)*2048*int64(len(shares)) > h.Memory.TotalKiB*9/10 {
			setting = blocked(setting, fmt.Sprintf("the host has %d MiB of memory: this would take more than nine tenths of it", h.Memory.TotalKiB/1024))
		}
		out = append(out, setting)
	}
	return out
}
