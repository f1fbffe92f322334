package remote_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
	"github.com/gpuyard/gpuyard/nodeprep/remote"
	"github.com/gpuyard/gpuyard/nodeprep/remotetest"
)

var cuts = flag.Int("cuts", 10, "at how many places of the conversation it is cut")

// conversation is more than all bytes of a run, both ways.
const conversation = 90_000

// small wants one of each kind: a file, a value below /sys, parameters, a unit.
var small = profile.Profile{Name: "small", Values: map[string]string{
	"thp.enabled": "never", "sysctl.vm.swappiness": "10", "needrestart": "list", "swap": "off",
}}

// oneHost is a world with one host.
func oneHost(t *testing.T) (*world, *hosttest.Host, *remotetest.Server) {
	t.Helper()
	h, err := hosttest.New(t.TempDir(), hosttest.Debian(), hosttest.Server())
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, 0)
	return w, h, w.add("10.0.0.1:22", h)
}

// TestCutConversation cuts the connection after so many bytes, for many places. The host is then either as it was or on
// its way, no file is half, and the next run brings it where it should be.
func TestCutConversation(t *testing.T) {
	t.Parallel()
	for n := range *cuts + 1 {
		bytes := 1 + n*conversation/(*cuts)
		t.Run(fmt.Sprint(bytes), func(t *testing.T) {
			t.Parallel()
			w, h, s := oneHost(t)
			s.SetFaults(remotetest.Faults{DropAfter: bytes})
			d := w.dialer(func(o *remote.Options) { o.Attempts = 1 })
			r := d.Runner(w.target("ubuntu@10.0.0.1"))
			_, err := nodeprep.Apply(t.Context(), r, small, nodeprep.ApplyOptions{})
			if n == *cuts && err != nil {
				t.Errorf("%d bytes are not the whole conversation: %v", bytes, err)
			}
			whole(t, h)
			s.SetFaults(remotetest.Faults{})
			report := insist(t, d.Runner(w.target("ubuntu@10.0.0.1")))
			if !report.After.Right() {
				t.Errorf("after the next run: %s", report.After.Summary())
			}
			w.end(r, d)
		})
	}
}

// TestCutRevert cuts the connection while a host is taken back to what it was; the next run does the rest.
func TestCutRevert(t *testing.T) {
	t.Parallel()
	for bytes := 2_000; bytes < 30_000; bytes += 4_000 {
		t.Run(fmt.Sprint(bytes), func(t *testing.T) {
			t.Parallel()
			w, h, s := oneHost(t)
			d := w.dialer(func(o *remote.Options) { o.Attempts = 1 })
			insist(t, d.Runner(w.target("ubuntu@10.0.0.1")))
			s.SetFaults(remotetest.Faults{DropAfter: bytes})
			r := d.Runner(w.target("ubuntu@10.0.0.1"))
			_, err := nodeprep.Revert(t.Context(), r, small)
			s.SetFaults(remotetest.Faults{})
			next := d.Runner(w.target("ubuntu@10.0.0.1"))
			for range 100 {
				var refused *nodeprep.RefusedError
				if _, err = nodeprep.Revert(t.Context(), next, small); !errors.As(err, &refused) {
					break
				}
				time.Sleep(100 * time.Millisecond)
			}
			if err != nil {
				t.Fatal(err)
			}
			if h.Read("var/lib/gpuyard/nodeprep/owned") != "" || h.Read("proc/sys/vm/swappiness") != "60" || h.Read("etc/tmpfiles.d/gpuyard-thp.conf") != "" {
				t.Error("the host is not as it was")
			}
			next.Close() //nolint:errcheck // it is looked at by the server
			w.end(r, d)
		})
	}
}

// insist applies until no earlier run is at it any more.
func insist(t *testing.T, r *remote.Runner) *nodeprep.Report {
	t.Helper()
	for range 200 {
		report, err := nodeprep.Apply(t.Context(), r, small, nodeprep.ApplyOptions{})
		var refused *nodeprep.RefusedError
		if errors.As(err, &refused) && refused.Status == "busy" {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		r.Close() //nolint:errcheck // it is looked at by the server
		return report
	}
	t.Fatal("the host stays busy")
	return nil
}

// whole holds that each file is as it was or as it shall be, and nothing in between.
func whole(t *testing.T, h *hosttest.Host) {
	t.Helper()
	for path, ends := range map[string]string{
		"etc/sysctl.d/99-zz-gpuyard.conf":            "vm.swappiness = 10",
		"etc/needrestart/conf.d/zz-gpuyard.conf":     "$nrconf{kernelhints} = -1;",
		"etc/tmpfiles.d/gpuyard-thp.conf":            "enabled - - - - never",
		"var/lib/gpuyard/nodeprep/state":             "",
		"sys/kernel/mm/transparent_hugepage/enabled": "never",
	} {
		if text := h.Read(path); text != "" && text != "never" && !strings.HasSuffix(text, ends) {
			t.Errorf("%s is %q", path, text)
		}
	}
}

// TestRebootOverSSH has a host reboot for its kernel command line: connections are dropped, new ones refused for a while.
func TestRebootOverSSH(t *testing.T) {
	t.Parallel()
	w, h, s := oneHost(t)
	d := w.dialer(nil)
	r := d.Runner(w.target("ubuntu@10.0.0.1"))
	p := small.Extend("small", map[string]string{"kernel_line.iommu": "pt"})
	before := h.Read("proc/sys/kernel/random/boot_id")
	held := 0
	o := nodeprep.ApplyOptions{Poll: 10 * time.Millisecond, MayReboot: func(context.Context) (func(), error) {
		held++
		return func() { held-- }, nil
	}}
	report, err := nodeprep.Apply(t.Context(), r, p, o)
	if err != nil {
		t.Fatal(err)
	}
	if report.Reboots != 1 || held != 0 || !report.After.Right() || h.Read("proc/sys/kernel/random/boot_id") == before {
		t.Errorf("%d reboots, %d turns held, %s", report.Reboots, held, report.After.Summary())
	}
	if !strings.Contains(h.Read("proc/cmdline"), "iommu=pt") {
		t.Errorf("the command line is %s", h.Read("proc/cmdline"))
	}
	if s.Accepted() < 2 {
		t.Error("the old connection was believed")
	}
	w.end(r, d)
}

// TestHostsThatAreRefused looks at what a person is told about a host that cannot be prepared.
func TestHostsThatAreRefused(t *testing.T) {
	t.Parallel()
	w, h, s := oneHost(t)
	s.SetFaults(remotetest.Faults{SudoAsks: true})
	d := w.dialer(nil)
	r := d.Runner(w.target("ubuntu@10.0.0.1"))
	_, err := nodeprep.Apply(t.Context(), r, small, nodeprep.ApplyOptions{})
	if err == nil || !strings.Contains(err.Error(), "10.0.0.1: running the script: sudo asks for a password: give the user NOPASSWD in sudoers") {
		t.Errorf("got %v", err)
	}
	if h.Read("var/lib/gpuyard/nodeprep/state") != "" {
		t.Error("the host was touched")
	}
	w.end(r, d)
}
