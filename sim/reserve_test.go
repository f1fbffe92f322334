package sim_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/sim"
)

func TestReserve(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	block := sim.Reservation{
		ID: "cr-0123456789abcdef0", InstanceType: "p5.48xlarge", Zone: "use2-az1", Count: 16, Kind: sim.CapacityBlock,
		Start: time.Date(2026, 12, 1, 11, 30, 0, 0, time.UTC), End: time.Date(2026, 12, 15, 11, 30, 0, 0, time.UTC),
	}
	plain := sim.Reservation{ID: "cr-0123456789abcdef1", InstanceType: "p4d.24xlarge", Zone: "use2-az2", Count: 4}
	longer := block
	longer.End = block.End.AddDate(0, 0, 7)
	for _, r := range []sim.Reservation{block, plain, longer} {
		if err := sim.Reserve(dir, nil, r); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := sim.ReadReservations(dir, nil); err != nil || !reflect.DeepEqual(got, []sim.Reservation{plain, longer}) {
		t.Errorf("got %v, %v", got, err)
	}
	plain.Count = 0
	if err := sim.Reserve(dir, nil, plain); err == nil || !strings.Contains(err.Error(), "count is 0") {
		t.Errorf("got %v", err)
	}
	if got, _ := sim.ReadReservations(dir, nil); len(got) != 2 || got[0].Count != 4 {
		t.Errorf("what was refused was written: %v", got)
	}
}
