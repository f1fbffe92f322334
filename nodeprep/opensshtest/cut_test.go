//go:build realhosts

package opensshtest_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/opensshtest"
	"github.com/gpuyard/gpuyard/nodeprep/remote"
	"github.com/gpuyard/gpuyard/nodeprep/remotetest"
)

// TestCutConversation cuts connections to a real server after so many bytes, while it looks, while it gets the script and
// while the script runs. Each time, the next run brings the host where it should be.
func TestCutConversation(t *testing.T) {
	t.Parallel()
	for bytes := 2_000; bytes < 90_000; bytes += 11_000 {
		t.Run(fmt.Sprint(bytes), func(t *testing.T) {
			t.Parallel()
			h := start(t, opensshtest.Options{})
			p := wanted(nil)
			cut := runner(t, h.Target(opensshtest.Admin), func(o *remote.Options) {
				o.Attempts = 1
				o.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
					conn, err := new(net.Dialer).DialContext(ctx, network, address)
					if err != nil {
						return nil, err
					}
					return remotetest.DropAfter(conn, bytes), nil
				}
			})
			_, first := nodeprep.Apply(t.Context(), cut, p, nodeprep.ApplyOptions{})
			report := insist(t, runner(t, h.Target(opensshtest.Admin), nil))
			if !report.After.Right() {
				t.Errorf("the first run ended with %v, and after the next one: %s\n%v", first, report.After.Summary(), report.Results)
			}
			if left := shell(t, h, "find /etc /var/lib/gpuyard -name '.gpuyard.*' -o -name '*.new'"); left != "" {
				t.Errorf("files are left: %s", left)
			}
		})
	}
}

// insist applies until no earlier run is at it any more.
func insist(t *testing.T, r nodeprep.Runner) *nodeprep.Report {
	t.Helper()
	for range 300 {
		report, err := nodeprep.Apply(t.Context(), r, wanted(nil), nodeprep.ApplyOptions{})
		var refused *nodeprep.RefusedError
		if errors.As(err, &refused) && refused.Status == "busy" {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		must(t, err)
		return report
	}
	t.Fatal("the host stays busy")
	return nil
}
