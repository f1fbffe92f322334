package stacks

import (
	"fmt"
	"strings"
	"time"

	"github.com/gpuyard/gpuyard/blueprint"
)

// addCheckpoints shows what the checkpoints of a store come to: bytes, seconds and bytes a day. A rate of 0 bytes a second
// is one that is not known.
func (s *Section) addCheckpoints(c *blueprint.Checkpoints, rate int64) {
	if c == nil {
		return
	}
	s.add("checkpoint", fmt.Sprintf("%s for %.4g thousand million parameters", amount(c.Bytes()), c.Parameters.Value/1e9),
		fmt.Sprintf("%d bytes a parameter: 2 of weights, and in full precision 4 of weights and 8 of Adam's moments", blueprint.BytesPerParameter))
	if rate > 0 {
		takes := time.Duration(c.Seconds(rate) * float64(time.Second)).Round(time.Second)
		s.add("a save takes", takes.String(), fmt.Sprintf("at %d MB/s, when nothing else is read or written", rate/1e6))
	}
	s.add("written a day", amount(c.BytesPerDay()), "one every "+hours(c.Every.Value))
	s.add("held at once", amount(c.Bytes()*int64(c.Keep.Value)), fmt.Sprintf("the newest %d", c.Keep.Value))
	if c.CrossZone.Value {
		s.add("in another zone", "a job goes on from what is in S3, in any zone of the region", stated(c.CrossZone))
	}
}

// hours writes a duration without the parts that are zero.
func hours(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// addDataLoss says whether the store can be lost to an edit.
func (s *Section) addDataLoss(store *blueprint.Storage) {
	if store.AllowDataLoss() {
		s.add("data", "may be lost by an edit", "allow_data_loss")
		return
	}
	s.add("data", "kept: what would replace or remove the store is refused", "allow_data_loss is not true")
}

// amount writes a number of bytes as storage is sold: by powers of ten.
func amount(n int64) string {
	units := []string{"B", "kB", "MB", "GB", "TB", "PB", "EB"}
	x, i := float64(n), 0
	for x >= 1000 && i < len(units)-1 {
		x, i = x/1000, i+1
	}
	return fmt.Sprintf("%.4g %s", x, units[i])
}
