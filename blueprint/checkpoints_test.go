package blueprint

import (
	"testing"
	"time"
)

// The sizes of a checkpoint in mixed precision: 98 GB for 7 and 980 GB for 70 thousand million parameters.
func TestCheckpointArithmetic(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		parameters float64
		every      time.Duration
		bytes, day int64
		seconds    float64 // at 1 GB/s
		text       string
	}{
		{7e9, 2 * time.Hour, 98e9, 12 * 98e9, 98, "98.0 GB"},
		{70e9, 2 * time.Hour, 980e9, 12 * 980e9, 980, "980 GB"},
		{70e9, 36 * time.Hour, 980e9, 653333333333, 980, "980 GB"},
		{1, time.Minute, 14, 14 * 1440, 14e-9, "14 B"},
	} {
		p := &Checkpoints{Parameters: Value[float64]{Value: c.parameters}, Every: Value[time.Duration]{Value: c.every}}
		if p.Bytes() != c.bytes || p.BytesPerDay() != c.day || p.Seconds(1e9) != c.seconds {
			t.Errorf("%v parameters every %v: %d bytes, %d a day, %v s", c.parameters, c.every, p.Bytes(), p.BytesPerDay(), p.Seconds(1e9))
		}
		if got := bytesText(p.Bytes()); got != c.text {
			t.Errorf("%d bytes are written %s, want %s", p.Bytes(), got, c.text)
		}
	}
}
