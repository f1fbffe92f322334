package nodeprep_test

import (
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

// withAdapter makes a host with one adapter of Mellanox on its second memory node.
func withAdapter(t *testing.T, d hosttest.Distribution) *hosttest.Host {
	t.Helper()
	hw := hosttest.Server()
	const slot = "0000:81:00.0"
	hw.PCI = []string{slot + " 0x15b3 0x1021 0x020000 1"}
	h := newHost(t, d, hw)
	must(t, h.AddCommand("ethtool"))
	device := "sys/bus/pci/devices/" + slot + "/"
	for path, content := range map[string]string{
		"sys/class/net/eth0/device/uevent": "\n", "sys/class/net/eth0/operstate": "up\n", "sys/class/net/eth0/mtu": "9000\n",
		"fake/rings/eth0": "8192 8192 1024 8192\n", "fake/units/irqbalance.service": "load=loaded\nactive=active\nfile=enabled\n",
		device + "local_cpulist": "32-63\n", device + "msi_irqs/120": "msix\n", device + "msi_irqs/121": "msix\n",
		"proc/irq/120/smp_affinity_list": "0-31\n", "proc/irq/121/smp_affinity_list": "32-63\n",
	} {
		must(t, h.Write(path, content))
	}
	return h
}

func TestAdapters(t *testing.T) {
	t.Parallel()
	p := profile.Profile{Name: "adapters", Values: map[string]string{"net.rings": "max", "irq.affinity": "local", "rdma.core": "on"}}
	for name, d := range map[string]hosttest.Distribution{"ubuntu": hosttest.Ubuntu("22.04"), "rocky": hosttest.Rocky()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := withAdapter(t, d)
			must(t, h.Write("fake/repository", "rdma-core\t50.0\n"))
			report, err := nodeprep.Apply(t.Context(), h, p, nodeprep.ApplyOptions{})
			must(t, err)
			before := text(t, report.Before)
			for _, want := range []string{"rings of eth0: live rx 1024 tx 8192, on disk -, wanted rx 8192 tx 8192", "interrupts of 0000:81:00.0: live 1 of 2 near", "irqbalance: live on"} {
				if !strings.Contains(before, want) {
					t.Errorf("%q is not in\n%s", want, before)
				}
			}
			if !report.After.Right() {
				t.Errorf("it is not right:\n%s", text(t, report.After))
			}
			if got := h.Read("fake/rings/eth0"); got != "8192 8192 8192 8192" {
				t.Errorf("the rings are %s", got)
			}
			if got := h.Read("proc/irq/120/smp_affinity_list"); got != "32-63" {
				t.Errorf("interrupt 120 is with %s", got)
			}
			// What a driver sets back is found, and set again.
			must(t, h.Write("fake/rings/eth0", "8192 8192 1024 8192\n"))
			report, err = nodeprep.Apply(t.Context(), h, p, nodeprep.ApplyOptions{})
			must(t, err)
			if len(report.Results) == 0 || !strings.Contains(resultsOf(report), "rings changed") || strings.Contains(resultsOf(report), "irq changed") {
				t.Errorf("the second run says %s", resultsOf(report))
			}
			if c := h.Complaints(); c != "" {
				t.Errorf("the scripts complain:\n%s", c)
			}
		})
	}
}

func resultsOf(r *nodeprep.Report) string {
	var out []string
	for _, x := range r.Results {
		out = append(out, x.Key+" "+x.Status)
	}
	return strings.Join(out, ", ")
}

func TestAdaptersThatAreNot(t *testing.T) {
	t.Parallel()
	p := profile.Profile{Name: "adapters", Values: map[string]string{"net.rings": "max", "irq.affinity": "local", "rdma.core": "on"}}
	h := newHost(t, hosttest.Debian(), hosttest.Server())
	body, err := nodeprep.Render(p)
	must(t, err)
	out, err := h.Run(t.Context(), body.Script())
	must(t, err)
	for _, want := range []string{"np\trdma_core\tnot-applicable\tthis host has no RDMA adapter"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	seen, err := nodeprep.Gather(t.Context(), h, p)
	must(t, err)
	plan, err := nodeprep.NewPlan(p, seen)
	must(t, err)
	for _, i := range plan.Items {
		if i.Verdict != nodeprep.NotApplicable || i.Settings[0].Reason == "" {
			t.Errorf("%s is %s: %+v", i.Key, i.Verdict, i.Settings)
		}
	}
}
