package blueprint

import (
	"testing"
	"time"
)

func TestParseSize(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		unit string
		want int // -1 for an error
	}{
		"100GiB":          {"GiB", 100},
		"1TiB":            {"GiB", 1024},
		"12TiB":           {"GiB", 12288},
		"1.5TiB":          {"GiB", 1536},
		"0.5GiB":          {"MiB", 512},
		"2048MiB":         {"GiB", 2},
		"10 GiB":          {"GiB", 10},
		"1500MiB":         {"GiB", -1}, // not whole
		"100GB":           {"GiB", -1},
		"100gib":          {"GiB", -1},
		"-1GiB":           {"GiB", -1},
		"GiB":             {"GiB", -1},
		"":                {"GiB", -1},
		"999999999999PiB": {"KiB", -1},
		"1e3GiB":          {"GiB", -1},
	}
	for text, tt := range tests {
		got, err := parseSize(text, tt.unit)
		if err != nil {
			got = -1
		}
		if got != tt.want {
			t.Errorf("%q in %s is %d (%v), want %d", text, tt.unit, got, err, tt.want)
		}
	}
}

func TestParseDuration(t *testing.T) {
	t.Parallel()
	tests := map[string]time.Duration{
		"90s": 90 * time.Second, "15m": 15 * time.Minute, "2h": 2 * time.Hour, "30d": 30 * 24 * time.Hour, "0s": 0,
		"1.5h": -1, "1h30m": -1, "30": -1, "d": -1, "": -1, "-1h": -1, "999999999d": -1, "1w": -1,
	}
	for text, want := range tests {
		got, err := parseDuration(text)
		if err != nil {
			got = -1
		}
		if got != want {
			t.Errorf("%q is %v (%v), want %v", text, got, err, want)
		}
		if err == nil {
			if again, err := parseDuration(formatDuration(got)); err != nil || again != got {
				t.Errorf("%v is written %q, which is %v", got, formatDuration(got), again)
			}
		}
	}
}
