package nodeprep

import (
	"fmt"
	"strings"

	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

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
		Predict: func(w want, _ *facts.Host) map[string]string {
			return map[string]string{roceUnit: roceContent(w)}
		},
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
