package nodeprep_test

import (
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
)

const (
	hint     = "1=0000:51:00.0,0000:52:00.0 0=0000:11:00.0,0000:12:00.0 0=0000:21:00.0"
	hintLive = "run/nvidia-topologyd/virtualTopology.xml"
)

// TestTopologyHint tells NCCL what a virtual machine does not show, now and at every boot.
func TestTopologyHint(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.AmazonLinux(), hosttest.P5())
	converges(t, h, minimalWith(t, map[string]string{"topology": "report", "topology.hint": hint}))
	golden(t, "nccl-topology.xml", h.Read(hintLive)+"\n")
	if h.Read("etc/gpuyard/nccl-topology.xml") != h.Read(hintLive) || !strings.Contains(h.Read("etc/tmpfiles.d/gpuyard-nccl-topology.conf"), "\nC /"+hintLive+" ") {
		t.Error("it is gone after a boot")
	}
}

// TestTopologyHintOfAnotherMachine is worse than none; neither is one written where the platform knows better.
func TestTopologyHintOfAnotherMachine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		hw      hosttest.Hardware
		prepare func(*hosttest.Host) error
		hint    string
		verdict nodeprep.Verdict
		want    string
	}{
		"a device that is not there": {hosttest.P5(), nil, "0=0000:f1:00.0", nodeprep.Blocked, "0000:f1:00.0 is not on this host: the hint is that of another machine"},
		"a node that is not there":   {hosttest.P5(), nil, "7=0000:11:00.0", nodeprep.Blocked, "this host has no memory node 7"},
		"the kernel knows":           {hosttest.H100(), nil, "0=0000:11:00.0,0000:12:00.0", nodeprep.NotApplicable, "the platform says which memory node each device is on"},
		"no GPU":                     {hosttest.Server(), nil, hint, nodeprep.NotApplicable, "NVIDIA GPU"},
		"the platform's own": {hosttest.P5(), func(h *hosttest.Host) error { return h.Write(hintLive, "<system version=\"1\">\n</system>\n") }, hint,
			nodeprep.NotApplicable, "the platform has a description of its own"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, hosttest.AmazonLinux(), c.hw)
			if c.prepare != nil {
				must(t, c.prepare(h))
			}
			was := h.Read(hintLive)
			p := minimalWith(t, map[string]string{"topology.hint": c.hint})
			seen, err := nodeprep.Gather(t.Context(), h, p)
			must(t, err)
			plan, err := nodeprep.NewPlan(p, seen)
			must(t, err)
			if i := plan.Items[0]; i.Verdict != c.verdict || !strings.Contains(i.Settings[0].Reason, c.want) {
				t.Errorf("it is %s: %s", i.Verdict, i.Settings[0].Reason)
			}
			// A script that nobody has planned for this host looks for itself.
			body, err := nodeprep.Render(p)
			must(t, err)
			out, err := h.Run(t.Context(), body.Script())
			must(t, err)
			if !strings.Contains(string(out), c.want) || h.Read(hintLive) != was {
				t.Errorf("the script says %s, and there is %q", out, h.Read(hintLive))
			}
		})
	}
}
