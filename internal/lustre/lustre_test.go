package lustre_test

import (
	"testing"

	"github.com/gpuyard/gpuyard/internal/lustre"
)

func TestCapacity(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		wanted, throughput int
		efa                bool
		size, step         int
	}{
		{1200, 250, false, 1200, 2400},
		{1201, 250, false, 2400, 2400},
		{2401, 125, false, 4800, 2400},
		{12288, 1000, false, 14400, 2400},
		{12288, 1000, true, 14400, 4800},
		{1200, 1000, true, 4800, 4800},
		{9601, 500, true, 19200, 9600},
		{1200, 250, true, 19200, 19200},
		{38401, 125, true, 76800, 38400},
		{1200, 300, false, 0, 0},
	} {
		if size, step := lustre.Capacity(c.wanted, c.throughput, c.efa); size != c.size || step != c.step {
			t.Errorf("%d GiB at %d, EFA %v: got %d in steps of %d, want %d in steps of %d", c.wanted, c.throughput, c.efa, size, step, c.size, c.step)
		}
	}
	if got := lustre.Throughput(14400, 1000); got != 14062 {
		t.Errorf("14,400 GiB at 1000 MB/s/TiB serve %d MB/s", got)
	}
}
