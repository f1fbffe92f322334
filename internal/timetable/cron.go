package timetable

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Most is how many times a timetable has at most: the scheduled actions of an Auto Scaling group.
// Source: EC2 Auto Scaling User Guide, "Quotas for Auto Scaling resources and groups".
const Most = 125

// field is one of the five fields of cron.
type field struct {
	name      string
	low, high int
	words     []string // other names of its values, from low on
}

// fields are those of cron, in order. A Sunday is 0 and 7.
// Source: crontab(5).
func fields() []field {
	return []field{
		{name: "minute", high: 59},
		{name: "hour", high: 23},
		{name: "day of month", low: 1, high: 31},
		{name: "month", low: 1, high: 12, words: strings.Fields("JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC")},
		{name: "day of week", high: 7, words: strings.Fields("SUN MON TUE WED THU FRI SAT")},
	}
}

// CheckCron returns what is wrong with a time that recurs. Unlike EventBridge, cron has neither a year nor a question mark.
// Source: EC2 Auto Scaling API, PutScheduledUpdateGroupAction, Recurrence.
func CheckCron(text string) error {
	given := strings.Fields(text)
	if len(given) != len(fields()) {
		return fmt.Errorf("cron has the five fields minute, hour, day of month, month and day of week, and not %d", len(given))
	}
	for i, f := range fields() {
		for part := range strings.SplitSeq(given[i], ",") {
			if !f.takes(part) {
				return fmt.Errorf("the %s is %q, and legal are * and %s, as in 1,3 or 1-5 or */2", f.name, given[i], f.legal())
			}
		}
	}
	return nil
}

// takes says whether a part of a list is a value, a range or all of them, of which a step may take every so many.
func (f field) takes(part string) bool {
	span, step, stepped := strings.Cut(part, "/")
	first, last, ranged := strings.Cut(span, "-")
	if !ranged {
		last = first
	}
	low, lowKnown := f.value(first)
	high, highKnown := f.value(last)
	legal := span == "*" || lowKnown && highKnown && low <= high
	if !stepped {
		return legal
	}
	n, err := strconv.ParseUint(step, 10, 8)
	return legal && (ranged || span == "*") && err == nil && n > 0
}

func (f field) value(text string) (int, bool) {
	if i := slices.Index(f.words, strings.ToUpper(text)); i >= 0 {
		return f.low + i, true
	}
	n, err := strconv.ParseUint(text, 10, 8)
	return int(n), err == nil && int(n) >= f.low && int(n) <= f.high
}

func (f field) legal() string {
	text := fmt.Sprintf("%d to %d", f.low, f.high)
	if n := len(f.words); n > 0 {
		text += fmt.Sprintf(" or %s to %s", f.words[0], f.words[n-1])
	}
	return text
}
