package remote_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/remote"
	"github.com/gpuyard/gpuyard/nodeprep/remotetest"
)

// TestANodeThatNeverComesBack is told to reboot and lets nobody in afterwards. When it is reached again, the next run goes
// on from there and reboots it for nothing that it was rebooted for.
func TestANodeThatNeverComesBack(t *testing.T) {
	t.Parallel()
	w, h, s := oneHost(t)
	d := w.dialer(func(o *remote.Options) { o.Attempts = 1 })
	p := small.Extend("small", map[string]string{"kernel_line.iommu": "pt"})
	released := 0
	o := nodeprep.ApplyOptions{Poll: 10 * time.Millisecond, BootTimeout: 3 * time.Second, MayReboot: func(context.Context) (func(), error) {
		s.SetFaults(remotetest.Faults{RefuseConnections: 1 << 30})
		return func() { released++ }, nil
	}}
	r := d.Runner(w.target("ubuntu@10.0.0.1"))
	_, err := nodeprep.Apply(t.Context(), r, p, o)
	if err == nil || !strings.Contains(err.Error(), "the host did not come back within 3s") {
		t.Errorf("got %v", err)
	}
	if released != 1 {
		t.Error("the turn of a host that stays away is not given to others")
	}
	s.SetFaults(remotetest.Faults{})
	report, err := nodeprep.Apply(t.Context(), d.Runner(w.target("ubuntu@10.0.0.1")), p, nodeprep.ApplyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !report.After.Right() || report.Reboots != 0 || len(report.Results) != 0 {
		t.Errorf("once it is back: %s, %v", report.After.Summary(), report.Results)
	}
	if got := h.Read("var/lib/gpuyard/nodeprep/state"); !strings.Contains(got, "rebooted_for=kernel_line") {
		t.Errorf("its state is\n%s", got)
	}
	w.end(r, d)
}
