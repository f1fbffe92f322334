package pace

import (
	"fmt"
	"strconv"
	"time"
)

// Pace is how fast an embedded cloud is, as a factor of the real one's times: 0 takes none, 1 takes them all.
type Pace float64

// The paces with names.
const (
	Fast Pace = 0
	Real Pace = 1
)

// Parse reads a pace: fast, real, or a factor such as 0.01, with which ten minutes take six seconds.
func Parse(text string) (Pace, error) {
	switch text {
	case "fast":
		return Fast, nil
	case "real":
		return Real, nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || !(n >= 0 && n <= 10) {
		return 0, fmt.Errorf("the pace is %q; wanted fast, real, or a factor from 0 to 10 such as 0.01", text)
	}
	return Pace(n), nil
}

// String returns p as Parse reads it.
func (p Pace) String() string {
	switch p {
	case Fast:
		return "fast"
	case Real:
		return "real"
	default:
		return strconv.FormatFloat(float64(p), 'g', -1, 64)
	}
}

// Takes returns how long a change of a resource of a type takes at pace p.
func (p Pace) Takes(token string, c Change) time.Duration {
	if p == Fast {
		return 0
	}
	return time.Duration(float64(of(Times(), token, c)) * float64(p))
}
