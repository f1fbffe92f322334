package remote_test

import (
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

const delay = 50 * time.Millisecond // in each direction

// answers is a host that says what was recorded, and after a run that all is as it was.
func answers(t *testing.T) func(command, script string) (string, uint32) {
	t.Helper()
	document, err := os.ReadFile("../facts/testdata/hosts/debian-12-microvm.json")
	if err != nil {
		t.Fatal(err)
	}
	facts := strings.Join(strings.Fields(string(document)), " ")
	facts = strings.Replace(facts, `{ "format": 1`, `{"format":1`, 1)
	return func(_, script string) (string, uint32) {
		if strings.Contains(script, "np_apply_here") {
			return "np\tthp\tchanged\t\nnp\tend\tdone\t\n" + facts + "\n", 0
		}
		return facts + "\n", 0
	}
}

// TestRoundTrips counts round trips on a clock that moves only when everybody waits.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	answer := answers(t)
	for name, c := range map[string]struct {
		most float64
		do   func(t *testing.T, r nodeprep.Runner, p profile.Profile)
	}{
		"check": {10.5, func(t *testing.T, r nodeprep.Runner, p profile.Profile) {
			if _, err := nodeprep.Gather(t.Context(), r, p); err != nil {
				t.Error(err)
			}
		}},
		"apply": {13, func(t *testing.T, r nodeprep.Runner, p profile.Profile) {
			if _, err := nodeprep.Apply(t.Context(), r, p, nodeprep.ApplyOptions{}); err != nil {
				t.Error(err)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, _ := profile.BuiltIn(profile.Training)
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, delay)
				w.add("10.0.0.1:22", nil).Answer = answer
				d := w.dialer(nil)
				r := d.Runner(w.target("ubuntu@10.0.0.1"))
				start := time.Now()
				c.do(t, r, p)
				trips := float64(time.Since(start)) / float64(2*delay)
				t.Logf("%.1f round trips", trips)
				if trips > c.most || trips < 5 {
					t.Errorf("%.1f round trips, where at most %.1f are allowed", trips, c.most)
				}
				w.end(r, d)
			})
		})
	}
}
