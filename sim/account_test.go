package sim_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/sim"
)

func TestReservationsAreReadAndJudged(t *testing.T) {
	t.Parallel()
	const block = `"id": "cr-0123456789abcdef0", "instanceType": "p5.48xlarge", "zone": "use2-az1", "count": 16, "kind": "capacity-block"`
	const window = `, "start": "2026-12-01T11:30:00Z", "end": "2026-12-15T11:30:00Z"`
	for name, c := range map[string]struct{ text, want string }{
		"a block":       {block + window, ""},
		"no JSON":       {`"id"`, "wanted {\"reservations\": [{\"id\": …"},
		"unknown key":   {block + window + `, "type": "x"`, `unknown field "type"`},
		"id":            {strings.Replace(block, "cr-0", "cr-", 1), `the reservation "cr-123456789abcdef0": its id is not cr- and 17 hexadecimal digits`},
		"instance type": {strings.Replace(block, "48x", "47x", 1), "p5.48xlarge"},
		"zone name":     {strings.Replace(block, "use2-az1", "us-east-2a", 1), `"us-east-2a" is not a zone id such as use2-az1`},
		"other zone":    {strings.Replace(block, "p5.48xlarge", "dl1.24xlarge", 1), "dl1.24xlarge is not offered in use2-az1"},
		"count":         {strings.Replace(block, "16", "0", 1) + window, "its count is 0"},
		"no window":     {block, "a Capacity Block has a start and an end"},
		"window":        {block + `, "start": "2026-12-01T11:30:00Z", "end": "2026-12-01T11:30:00Z"`, "which is not after its start"},
		"kind":          {strings.Replace(block, "capacity-block", "block", 1), `its kind is "block", wanted default or capacity-block`},
		"no such block": {strings.Replace(block, "p5.48xlarge", "m7i.xlarge", 1) + window, "m7i.xlarge cannot be had as a Capacity Block"},
		"twice":         {block + window + "}, {" + block + window, "is there twice"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, sim.ReservationsFile)
			if err := os.WriteFile(path, []byte(`{"reservations": [{`+c.text+`}]}`), 0o600); err != nil {
				t.Fatal(err)
			}
			cloud, err := sim.NewCloud(sim.Options{Dir: dir})
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				if err := cloud.Close(); err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("got %v, want %s: … %s", err, path, c.want)
			}
		})
	}
}

func TestReservationsReadBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := sim.Reservation{ID: "cr-0123456789abcdef0", InstanceType: "p5.48xlarge", Zone: "use2-az1", Count: 2, Kind: "capacity-block",
		Start: time.Date(2026, 12, 1, 11, 30, 0, 0, time.UTC), End: time.Date(2026, 12, 2, 11, 30, 0, 0, time.UTC)}
	if err := os.WriteFile(filepath.Join(dir, sim.ReservationsFile), []byte(`{"reservations": [`+want.String()+`]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := sim.ReadReservations(dir, nil)
	if err != nil || len(got) != 1 || got[0] != want {
		t.Errorf("got %v, %v", got, err)
	}
	if none, err := sim.ReadReservations(t.TempDir(), nil); err != nil || len(none) != 0 {
		t.Errorf("without the file: %v, %v", none, err)
	}
}

func TestOptionsAreJudged(t *testing.T) {
	t.Parallel()
	for want, opts := range map[string]sim.Options{
		`has no quota "p-vcpu"; did you mean p-vcpus`: {Quotas: map[string]int{"p-vcpu": 1}},
		"the quota vpcs is -1":                        {Quotas: map[string]int{"vpcs": -1}},
		`the reservation "cr-1"`:                      {Reservations: []sim.Reservation{{ID: "cr-1"}}},
	} {
		opts.Dir = t.TempDir()
		if _, err := sim.NewCloud(opts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestQuotasAreWhole holds that every quota can be told from the others, and says where it is from.
func TestQuotasAreWhole(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, q := range sim.Quotas() {
		if q.Key == "" || q.Name == "" || q.Source == "" || q.Limit < q.Default || seen[q.Key] || q.Code != "" && seen[q.Code] {
			t.Errorf("%+v", q)
		}
		seen[q.Key], seen[q.Code] = true, true
		if strings.Contains(q.Key, "vcpus") != q.Raised() {
			t.Errorf("only vCPUs are more than AWS gives everybody: %+v", q)
		}
	}
}
