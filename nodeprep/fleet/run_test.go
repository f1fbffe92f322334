package fleet_test

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/nodeprep/fleet"
	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

// answers is a host that was recorded.
type answers struct{ document []byte }

func (a answers) Run(context.Context, string) ([]byte, error) { return a.document, nil }

// broken is a host that cannot be reached.
type broken struct{}

func (broken) Run(context.Context, string) ([]byte, error) {
	return nil, errors.New("connecting: no route to a host with " + secret)
}

const secret = "S3cretActivationCode+/="

func recorded(t testing.TB, name string) answers {
	t.Helper()
	document, err := os.ReadFile("../facts/testdata/hosts/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	line := strings.Join(strings.Fields(string(document)), " ")
	return answers{[]byte(strings.Replace(line, `{ "format": 1`, `{"format":1`, 1) + "\n")}
}

var thp = profile.Profile{Name: "thp", Values: map[string]string{"thp.enabled": "madvise", "cluster.activation_code": secret}}

func TestCheckReport(t *testing.T) {
	t.Parallel()
	hosts := []fleet.Host{
		{Name: "differs", Runner: recorded(t, "ubuntu-22.04-h100"), Profile: profile.Profile{Values: map[string]string{"thp.enabled": "never"}}},
		{Name: "unreachable", Runner: broken{}, Profile: thp},
		{Name: "right", Runner: recorded(t, "ubuntu-22.04-h100"), Profile: profile.Profile{Values: map[string]string{"tuned": "off"}}},
		{Name: "blocked", Runner: recorded(t, "rocky-9-tuned"), Profile: profile.Profile{Values: map[string]string{"swap": "off"}}},
		{Name: "wrong profile", Runner: recorded(t, "rocky-9-tuned"), Profile: profile.Profile{Values: map[string]string{"swap": "on"}}},
	}
	var events []string
	report := fleet.Run(t.Context(), hosts, fleet.Options{Progress: func(e fleet.Event) {
		if e.Outcome != nil {
			events = append(events, e.Host)
		}
	}})
	if len(events) != 5 {
		t.Errorf("progress of %v", events)
	}
	var text, document, junit strings.Builder
	for _, err := range []error{report.WriteText(&text), report.WriteJSON(&document), report.WriteJUnit(&junit)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	const want = `differs        differs  transparent_hugepages change
unreachable    failed   asking the host for its facts: connecting: no route to a host with [secret]
right          right
blocked        blocked  swap blocked
wrong profile  failed   the profile cannot be used: swap: "on" is not legal; legal: off
5 hosts, 2 failed, 1 blocked, 1 differs, 1 right
`
	if text.String() != want {
		t.Errorf("the text is\n%s", text.String())
	}
	if strings.Contains(text.String()+document.String()+junit.String(), secret) {
		t.Error("a secret is in the report")
	}
	var decoded struct {
		Hosts []struct{ Host, Status string }
	}
	if err := json.Unmarshal([]byte(document.String()), &decoded); err != nil || len(decoded.Hosts) != 5 || decoded.Hosts[3].Status != "blocked" {
		t.Errorf("%v: %s", err, document.String())
	}
	var suite struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
	}
	if err := xml.Unmarshal([]byte(junit.String()), &suite); err != nil || suite.Tests != 5 || suite.Failures != 4 {
		t.Errorf("%v: %s", err, junit.String())
	}
	if report.ExitCode() != fleet.ExitFailed {
		t.Errorf("exit code %d", report.ExitCode())
	}
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for want, statuses := range map[int][]fleet.Status{
		fleet.ExitRight: {fleet.Right, fleet.Changed}, fleet.ExitDiffers: {fleet.Right, fleet.Differs}, fleet.ExitFailed: {fleet.NeedsReboot, fleet.NotStarted},
	} {
		var r fleet.Report
		for _, s := range statuses {
			r.Hosts = append(r.Hosts, fleet.Outcome{Status: s})
		}
		if got := r.ExitCode(); got != want {
			t.Errorf("%v: exit code %d", statuses, got)
		}
	}
}

// TestABadCanaryStopsTheRest has hosts that were not started in the report.
func TestABadCanaryStopsTheRest(t *testing.T) {
	t.Parallel()
	hosts := []fleet.Host{{Name: "canary", Runner: broken{}, Profile: thp}}
	for n := range 5 {
		hosts = append(hosts, fleet.Host{Name: fmt.Sprint(n), Runner: broken{}, Profile: thp})
	}
	report := fleet.Run(t.Context(), hosts, fleet.Options{Canaries: 1})
	if report.Count(fleet.Failed) != 1 || report.Count(fleet.NotStarted) != 5 {
		t.Error(report.Summary())
	}
}

func TestACancelledRunReportsEveryHost(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	hosts := []fleet.Host{{Name: "a", Runner: waits{cancel}, Profile: thp}, {Name: "b", Runner: waits{cancel}, Profile: thp}}
	report := fleet.Run(ctx, hosts, fleet.Options{Concurrency: 1})
	if report.Hosts[0].Status != fleet.Interrupted || report.Hosts[1].Status != fleet.NotStarted {
		t.Error(report.Summary())
	}
}

type waits struct{ cancel func() }

func (w waits) Run(ctx context.Context, _ string) ([]byte, error) {
	w.cancel()
	<-ctx.Done()
	return nil, ctx.Err()
}

// boots is a host that boots when it is told to, and counts how many do at once.
type boots struct {
	*hosttest.Host
	down, most *atomic.Int64
}

func (b boots) Reconnect(context.Context) error {
	if !b.RebootRequested() {
		return nil
	}
	n := b.down.Add(1)
	for m := b.most.Load(); n > m && !b.most.CompareAndSwap(m, n); m = b.most.Load() {
	}
	defer b.down.Add(-1)
	return b.Reboot()
}

func TestRebootBudget(t *testing.T) {
	t.Parallel()
	var down, most atomic.Int64
	var hosts []fleet.Host
	for n := range 3 {
		h, err := hosttest.New(t.TempDir(), hosttest.Debian(), hosttest.Server())
		if err != nil {
			t.Fatal(err)
		}
		hosts = append(hosts, fleet.Host{Name: fmt.Sprint(n), Runner: boots{h, &down, &most},
			Profile: profile.Profile{Values: map[string]string{"kernel_line.iommu": "pt"}}})
	}
	without := fleet.Run(t.Context(), hosts, fleet.Options{Apply: true})
	if without.Count(fleet.NeedsReboot) != 3 {
		t.Error(without.Summary())
	}
	report := fleet.Run(t.Context(), hosts, fleet.Options{Apply: true, Reboots: 1, Poll: time.Millisecond})
	if report.Count(fleet.Changed) != 3 || most.Load() != 1 {
		t.Errorf("%s, %d down at once", report.Summary(), most.Load())
	}
	again := fleet.Run(t.Context(), hosts, fleet.Options{Apply: true, Reboots: 1})
	if again.Count(fleet.Right) != 3 {
		t.Error(again.Summary())
	}
}
