package fleet_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gpuyard/gpuyard/nodeprep/fleet"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

// TestRoundTripsOfAFleet counts the round trips of whole runs, from the first packet to the closed connection, on a clock
// that moves only when everybody waits. The hosts go side by side, so that a run takes as long as one of them.
func TestRoundTripsOfAFleet(t *testing.T) {
	t.Parallel()
	const hosts, delay = 12, 50 * time.Millisecond
	for name, c := range map[string]struct {
		options fleet.Options
		most    float64
		status  fleet.Status
	}{
		"check": {fleet.Options{}, 10.5, fleet.Differs},
		"apply": {fleet.Options{Apply: true}, 13, fleet.Changed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := newCrowd(t, delay, prepares(t))
				_, list := w.hosts(t, hosts, profile.Profile{Name: "thp", Values: map[string]string{"thp.enabled": "never"}})
				c.options.Concurrency = hosts
				start := time.Now()
				report := fleet.Run(t.Context(), list, c.options)
				trips := float64(time.Since(start)) / float64(2*delay)
				t.Logf("%.1f round trips", trips)
				if trips > c.most || trips < 8 {
					t.Errorf("%.1f round trips a host, where at most %.1f are allowed", trips, c.most)
				}
				if report.Count(c.status) != hosts {
					t.Errorf("%s, want all %s", report.Summary(), c.status)
				}
				if w.server.Accepted() != hosts {
					t.Errorf("%d connections for %d hosts", w.server.Accepted(), hosts)
				}
				w.server.Close()
			})
		})
	}
}

// prepares is a host whose transparent huge pages are as recorded until a plan is carried out.
func prepares(t *testing.T) func(command, script string) (string, uint32) {
	t.Helper()
	before := string(recorded(t, "ubuntu-22.04-h100").document)
	const path = "/etc/tmpfiles.d/gpuyard-thp.conf"
	content := "w /sys/kernel/mm/transparent_hugepage/enabled - - - - never"
	after := strings.NewReplacer(
		`enabled [always] madvise never`, `enabled always madvise [never]`,
		`"thp":`, `"tmpfiles": "`+path+`\t.\n`+path+`\t`+content+`\n", "thp":`,
	).Replace(before)
	if strings.Count(after, "never") != strings.Count(before, "never")+1 {
		t.Fatal("the recorded host has no huge pages to change")
	}
	return func(_, script string) (string, uint32) {
		if strings.Contains(script, "np_items() {") {
			return "np\ttransparent_hugepages\tchanged\t\nnp\tend\tdone\t\n" + after, 0
		}
		return before, 0
	}
}
