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

const roceUnit = "/etc/systemd/system/gpuyard-roce.service"

// roce marks RDMA traffic on Ethernet and makes its priority lossless, with DCQCN as congestion control, on adapters of
// Mellanox in hosts of one's own. None of these settings survives a boot, so a unit makes them.
//
// The switches must agree with it: this is the host's side only. Source: NVIDIA, "Recommended Network Configuration
// Examples for RoCE Deployment"; Linux, drivers/net/ethernet/mellanox/mlx5, sysfs ecn.
func roce() item {
	return item{
		Key: "roce", Title: "RoCE: trust, flow control, DCQCN, traffic class",
		Keys: []key{
			{Name: "roce.priority", Legal: within(0, 7)},
			{Name: "roce.traffic_class", Legal: within(0, 255)},
		},
		Needs:  []string{"kernel_modules"},
		Host:   true,
		Assess: assessRoCE,
		Steps: func(w want) []script.Step {
			if !w.has("roce.priority") {
				return nil
			}
			return []script.Step{script.Call("np_where", "0x15b3", "0x02", "an adapter of Mellanox", "np_roce", roceContent(w))}
		},
		Files: func(want) []string { return []string{roceUnit} },
	}
}

func assessRoCE(w want, h *facts.Host) []Setting {
	if !w.has("roce.priority") {
		return []Setting{notApplicable("roce.traffic_class", w.get("roce.traffic_class"), "without roce.priority nothing is lossless; it goes into nccl.conf alone")}
	}
	if len(h.Mellanox()) == 0 {
		reason := "this host has no adapter of Mellanox"
		if len(h.Gaudis()) > 0 {
			reason += "; a Gaudi's own ports take flow control from the switch and LLDP (manage_network_ifs.sh --set-pfc)"
		}
		return []Setting{notApplicable("roce", "priority "+w.get("roce.priority"), reason)}
	}
	if !h.BareMetal() {
		return []Setting{notApplicable("roce", "priority "+w.get("roce.priority"), "flow control of a virtual machine's adapter is the hypervisor's")}
	}
	if !h.Has("mlnx_qos") {
		return []Setting{blocked(Setting{Name: "roce", Wanted: "priority " + w.get("roce.priority")}, "mlnx_qos is not installed: install NVIDIA's network driver package first")}
	}
	if class := w.get("roce.traffic_class"); class != "" && atoi(class)>>2>>3 != atoi(w.get("roce.priority")) {
		s := Setting{Name: "roce", Wanted: "traffic class " + class}
		return []Setting{blocked(s, fmt.Sprintf("class %s is DSCP %d, which adapters put on priority %d and not %s", class, atoi(class)>>2, atoi(class)>>2>>3, w.get("roce.priority")))}
	}
	unit := h.Units["gpuyard-roce.service"]
	s := Setting{Name: "roce", Live: unset, Wanted: "on", OnDisk: onDisk(h, roceUnit, roceContent(w), "on")}
	if unit.Active == "active" {
		s.Live = s.OnDisk // the unit that ran is the one on disk, or another
	}
	return []Setting{judged(s)}
}

// roceContent is a unit that sets every adapter of Mellanox: trust in DSCP, flow control of one priority, ECN of that
// priority as notification and reaction point, RoCE version 2, and no global pause.
func roceContent(w want) string {
	priority := int(atoi(w.get("roce.priority")))
	flow := make([]string, 8)
	for i := range flow {
		flow[i] = "0"
	}
	flow[priority&7] = "1"
	class := ""
	if tc := w.get("roce.traffic_class"); tc != "" {
		class = fmt.Sprintf("; for t in /sys/class/infiniband/*/tc/1/traffic_class; do [ ! -e \"$$t\" ] || echo %s >\"$$t\"; done", tc)
	}
	return fmt.Sprintf(`# RoCE of this host's adapters, kept by gpuyard. The switches must agree with it.
[Unit]
Description=Lossless RDMA over Ethernet
After=network-pre.target openibd.service
Before=kubelet.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c 'for d in /sys/class/infiniband/mlx5_*; do i=$$(ls "$$d/device/net" | head -n 1); mlnx_qos -i "$$i" --trust dscp --pfc %[1]s || exit 1; ethtool -A "$$i" rx off tx off || :; for p in roce_np roce_rp; do echo 1 >/sys/class/net/$$i/ecn/$$p/enable/%[2]d || exit 1; done; done%[3]s'
[Install]
WantedBy=multi-user.target
`, strings.Join(flow, ","), priority, class)
}

// topology reports which adapter is near which GPU. It changes nothing: NCCL reads the same from the kernel, and a
// topology file of another machine would be worse than none.
func topology() item {
	return item{
		Key: "topology", Title: "GPUs and adapters by memory node",
		Keys: []key{{Name: "topology", Legal: oneOf("report")}},
		Assess: func(_ want, h *facts.Host) []Setting {
			var out []Setting
			list := func(kind string, devices []facts.PCIDevice) {
				for _, d := range devices {
					s := Setting{Name: kind + " " + d.Slot, Live: fmt.Sprintf("node %d", d.NUMANode), Wanted: "known", Verdict: OK}
					s.OnDisk = s.Live
					if d.NUMANode < 0 && len(h.Memory.Nodes) > 1 {
						s.Verdict, s.Reason = NotApplicable, "the platform does not say which memory node it is on"
					}
					out = append(out, s)
				}
			}
			list("gpu", h.GPUs())
			list("gaudi", h.Gaudis())
			list("adapter", h.Mellanox())
			list("efa", h.EFAs())
			if len(out) == 0 {
				return []Setting{notApplicable("topology", "known", "this host has neither accelerators nor RDMA adapters")}
			}
			return out
		},
		Steps: func(want) []script.Step { return nil },
	}
}
