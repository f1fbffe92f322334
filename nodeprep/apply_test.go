package nodeprep_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

// converges applies a profile, applies it again to see that nothing changes, boots, and looks once more.
func converges(t *testing.T, h *hosttest.Host, p profile.Profile) *nodeprep.Report {
	t.Helper()
	first, err := nodeprep.Apply(t.Context(), h, p, nodeprep.ApplyOptions{})
	if err != nil {
		t.Fatalf("the first run: %v\n%s", err, h.Complaints())
	}
	if !first.Waiting && !first.After.Right() {
		t.Errorf("not right after the first run:\n%s", text(t, first.After))
	}
	second, err := nodeprep.Apply(t.Context(), h, p, nodeprep.ApplyOptions{})
	if err != nil {
		t.Fatalf("the second run: %v", err)
	}
	for _, r := range second.Results {
		if r.Status == "changed" || r.Status == "failed" {
			t.Errorf("the second run: %v", r)
		}
	}
	must(t, h.Reboot())
	facts, err := nodeprep.Gather(t.Context(), h, p)
	must(t, err)
	plan, err := nodeprep.NewPlan(p, facts)
	must(t, err)
	if !plan.Right() {
		t.Errorf("not right after a boot:\n%s", text(t, plan))
	}
	if c := h.Complaints(); c != "" {
		t.Errorf("the scripts complain:\n%s", c)
	}
	return first
}

func text(t *testing.T, p *nodeprep.Plan) string {
	t.Helper()
	var b strings.Builder
	must(t, p.WriteText(&b, false))
	return b.String()
}

// system is a host with a profile of its own.
type system struct {
	os      hosttest.Distribution
	hw      hosttest.Hardware
	profile string
	over    map[string]string
}

// systems are one of each kind.
func systems() map[string]system {
	line := map[string]string{"kernel_line.nvme_core.io_timeout": "240", "hugepages.1Gi": "4", "hugepages.2Mi": "1025", "iommu.passthrough": "on"}
	return map[string]system{
		"ubuntu 22.04, H100":       {hosttest.Ubuntu("22.04"), hosttest.H100(), profile.Training, line},
		"ubuntu 24.04, data":       {hosttest.Ubuntu("24.04"), hosttest.Server(), profile.DataLoading, map[string]string{"nccl.algo": "Ring"}},
		"debian 12, inference":     {hosttest.Debian(), hosttest.Server(), profile.Inference, line},
		"amazon linux 2023, p5":    {hosttest.AmazonLinux(), hosttest.P5(), profile.Training, map[string]string{"kernel_line.quiet": "on", "cpu.max_cstate": "1", "nccl.algo": "Tree"}},
		"rocky 9, gaudi, tuned":    {hosttest.Rocky(), hosttest.Gaudi2(), profile.GaudiTraining, line},
		"rocky 9, nothing but key": {hosttest.Rocky(), hosttest.Server(), profile.Minimal, map[string]string{"sysctl.net.netfilter.nf_conntrack_max": "1048576", "sysctl.net.ipv4.tcp_rmem": "4096 87380 67108864"}},
	}
}

// TestEveryDistributionConverges, and goes back to what it was.
func TestEveryDistributionConverges(t *testing.T) {
	t.Parallel()
	for name, c := range systems() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, c.os, c.hw)
			must(t, h.Write("sys/module/placeholder/x", ""))
			must(t, h.Write("etc/needrestart/conf.d/zz-gpuyard.conf", "# somebody's own\n"))
			_, err := h.Run(t.Context(), "if command -v update-grub >/dev/null; then update-grub; fi\n")
			must(t, err)
			p, before := builtIn(t, c.profile, c.over), state(t, h)
			converges(t, h, p)
			reverts(t, h, p, before)
		})
	}
}

// rebooting is a host that boots when a script asks it to, as a real one does.
type rebooting struct{ *hosttest.Host }

func (h rebooting) Reconnect(context.Context) error {
	if h.RebootRequested() {
		return h.Host.Reboot()
	}
	return nil
}

func TestRebootAndResume(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.Server())
	p := builtIn(t, profile.Minimal, map[string]string{"kernel_line.transparent_hugepage": "never"})
	asked := 0
	o := nodeprep.ApplyOptions{Poll: time.Millisecond, MayReboot: func(context.Context) (func(), error) { asked++; return func() {}, nil }}
	report, err := nodeprep.Apply(t.Context(), rebooting{h}, p, o)
	must(t, err)
	if asked != 1 || report.Reboots != 1 || !report.After.Right() {
		t.Errorf("asked %d times, %d reboots:\n%s", asked, report.Reboots, text(t, report.After))
	}
	line := h.Read("proc/cmdline")
	if strings.Count(line, "transparent_hugepage=") != 1 || !strings.Contains(line, "transparent_hugepage=never") {
		t.Errorf("the cloud image's own value is still on the command line: %s", line)
	}
}

// TestNeverForTheSameReason has a host whose boot loader ignores what it is told.
func TestNeverForTheSameReason(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.Server())
	p := builtIn(t, profile.Minimal, map[string]string{"kernel_line.iommu": "pt"})
	o := nodeprep.ApplyOptions{Poll: time.Millisecond, MayReboot: func(context.Context) (func(), error) { return func() {}, nil }}
	stuck := stubborn{rebooting{h}}
	report, err := nodeprep.Apply(t.Context(), stuck, p, o)
	if err == nil || !strings.Contains(err.Error(), "it was rebooted for kernel_line already") {
		t.Fatalf("error %v", err)
	}
	if report.Reboots != 1 {
		t.Errorf("%d reboots", report.Reboots)
	}
}

// stubborn boots with the command line it always had.
type stubborn struct{ rebooting }

func (h stubborn) Reconnect(ctx context.Context) error {
	line := h.Read("proc/cmdline")
	if err := h.rebooting.Reconnect(ctx); err != nil {
		return err
	}
	return h.Write("proc/cmdline", line+"\n")
}

func TestRebootIsRefused(t *testing.T) {
	t.Parallel()
	p := builtIn(t, profile.Minimal, map[string]string{"kernel_line.iommu": "pt"})
	o := nodeprep.ApplyOptions{Poll: time.Millisecond, MayReboot: func(context.Context) (func(), error) { return func() {}, nil }}
	for name, c := range map[string]struct {
		prepare func(*hosttest.Host) error
		want    string
	}{
		"an empty image":         {func(h *hosttest.Host) error { return h.Write("boot/initrd.img-6.8.0-60-generic", "") }, "missing or empty: this host would not boot"},
		"a newer, broken kernel": {func(h *hosttest.Host) error { return h.Write("boot/vmlinuz-6.8.0-100-generic", "kernel") }, "initrd.img-6.8.0-100-generic is missing or empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.Server())
			must(t, c.prepare(h))
			_, err := nodeprep.Apply(t.Context(), rebooting{h}, p, o)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v", err)
			}
			if h.RebootRequested() {
				t.Error("it reboots")
			}
		})
	}
}
