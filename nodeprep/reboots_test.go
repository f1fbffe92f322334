package nodeprep_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
	"github.com/gpuyard/gpuyard/nodeprep/script"
)

// TestNouveauGoesWithTheReboot has the usual fresh server, whose GPUs the kernel's own driver holds: nothing else is loaded
// beside it, and the run is one that goes on after a reboot, and not one that failed.
func TestNouveauGoesWithTheReboot(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.H100())
	must(t, h.Write("fake/repository", repository))
	must(t, h.Write("fake/dkms", "nvidia/580.95.05, 6.8.0-60-generic, x86_64: installed\n"))
	must(t, h.Write("sys/module/nouveau/initstate", "live\n"))
	tried := false
	o := nodeprep.ApplyOptions{Poll: time.Millisecond, MayReboot: func(context.Context) (func(), error) {
		tried = slices.Contains(h.Calls(), "modprobe nvidia")
		return func() {}, nil
	}}
	report, err := nodeprep.Apply(t.Context(), withoutNouveau{rebooting{h}}, minimalWith(t, map[string]string{"nvidia.driver": "580.95.05"}), o)
	must(t, err)
	if tried {
		t.Error("the driver was loaded while nouveau held the devices")
	}
	if report.Reboots != 1 || !report.After.Right() {
		t.Errorf("%d reboots:\n%s", report.Reboots, text(t, report.After))
	}
}

// withoutNouveau boots without the module that is off by then.
type withoutNouveau struct{ rebooting }

func (h withoutNouveau) Reconnect(ctx context.Context) error {
	if h.RebootRequested() {
		if err := os.RemoveAll(h.Path("sys/module/nouveau")); err != nil {
			return err
		}
	}
	return h.rebooting.Reconnect(ctx)
}

// TestHostJoinsAfterItsReboot: pods come with the node, and a reboot right after it would take them away.
func TestHostJoinsAfterItsReboot(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.Gaudi2())
	must(t, h.AddCommand("nodeadm"))
	must(t, h.Write("fake/repository", repository+"containerd\t1.7.12\n"))
	p := joining(activation).Extend("join", map[string]string{"containerd": "on", "swap": "off", "kernel_line.iommu": "pt"})
	joined := false
	o := nodeprep.ApplyOptions{Poll: time.Millisecond, MayReboot: func(context.Context) (func(), error) {
		joined = slices.ContainsFunc(h.Calls(), func(c string) bool { return strings.HasPrefix(c, "nodeadm ") })
		return func() {}, nil
	}}
	report, err := nodeprep.Apply(t.Context(), rebooting{h}, p, o)
	must(t, err)
	if joined {
		t.Error("it joined before the reboot")
	}
	if report.Reboots != 1 || !report.After.Right() {
		t.Errorf("%d reboots:\n%s", report.Reboots, text(t, report.After))
	}
}

// TestScriptsEndWithWhatCameOfThem, but for user data: nodeadm waits for cloud-init to end well.
func TestScriptsEndWithWhatCameOfThem(t *testing.T) {
	t.Parallel()
	body, err := nodeprep.Render(minimalWith(t, map[string]string{"thp.enabled": "never", "nvidia.driver": "580.95.05"}))
	must(t, err)
	userData, err := body.UserData(script.UserDataOptions{})
	must(t, err)
	for _, c := range []struct {
		name, text, repository string
		code                   int
	}{
		{"right", body.Script(), repository, 0},
		{"no such driver", body.Script(), "", 1},
		{"no such driver, in user data", userData, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.H100())
			must(t, h.Write("fake/repository", c.repository))
			must(t, h.Write("fake/dkms", "nvidia/580.95.05, 6.8.0-60-generic, x86_64: installed\n"))
			cmd := h.Command(t.Context())
			cmd.Stdin = strings.NewReader(c.text)
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if code := cmd.ProcessState.ExitCode(); code != c.code {
				t.Errorf("it ends with %d, want %d:\n%s", code, c.code, out)
			}
			if failed := strings.Contains(string(out), "np\tend\tfailed"); failed != (c.repository == "") {
				t.Errorf("failed is %v:\n%s", failed, out)
			}
		})
	}
}
