package blueprint

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"time"
)

// sizeUnits are the units a size may be written in. Only binary ones: "GB" means two different numbers.
func sizeUnits() []string { return []string{"KiB", "MiB", "GiB", "TiB", "PiB"} }

var sizePattern = regexp.MustCompile(`^([0-9]{1,12}(?:\.[0-9]{1,6})?)\s*([A-Za-z]+)$`)

// parseSize reads "1.5TiB" as a whole number of the given unit.
func parseSize(text, unit string) (int, error) {
	m := sizePattern.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return 0, fmt.Errorf("a size is a number and a unit, such as \"100%s\"", unit)
	}
	shift := -1
	for i, u := range sizeUnits() {
		if strings.EqualFold(u, m[2]) && u[0] == m[2][0] {
			shift = i
		}
	}
	if shift < 0 {
		return 0, fmt.Errorf("%q is no unit of size; write one of %s", m[2], strings.Join(sizeUnits(), ", "))
	}
	base := 0
	for i, u := range sizeUnits() {
		if u == unit {
			base = i
		}
	}
	n, _ := new(big.Rat).SetString(m[1])
	scale := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(10*max(shift-base, 0))))
	n.Mul(n, scale)
	n.Quo(n, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(10*max(base-shift, 0)))))
	if !n.IsInt() || !n.Num().IsInt64() || n.Num().Int64() > 1<<53 {
		return 0, fmt.Errorf("%s is not a whole number of %s", text, unit)
	}
	return int(n.Num().Int64()), nil
}

var durationPattern = regexp.MustCompile(`^([0-9]{1,9})(s|m|h|d)$`)

// parseDuration reads a whole number of seconds, minutes, hours or days.
func parseDuration(text string) (time.Duration, error) {
	m := durationPattern.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf(`a duration is a whole number and one of s, m, h, d, such as "90s", "15m", "2h" or "30d"`)
	}
	unit := map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}[m[2]]
	var n int64
	if _, err := fmt.Sscan(m[1], &n); err != nil {
		return 0, err
	}
	if n > int64(1<<62/unit) {
		return 0, fmt.Errorf("%s is too long", text)
	}
	return time.Duration(n) * unit, nil
}

// formatDuration writes a duration as a blueprint does.
func formatDuration(d time.Duration) string {
	for _, u := range []struct {
		name string
		unit time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"m", time.Minute}} {
		if d != 0 && d%u.unit == 0 {
			return fmt.Sprintf("%d%s", d/u.unit, u.name)
		}
	}
	return fmt.Sprintf("%ds", d/time.Second)
}
