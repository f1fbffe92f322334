package timetable_test

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // so that the machine's zones do not count

	"github.com/gpuyard/gpuyard/internal/timetable"
)

func TestCheckCron(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"0 7 * * MON-FRI":     "",
		"*/15 0-6/2 1,15 * *": "",
		"59 23 31 12 7":       "",
		"0 0 1 jan,JUL sun":   "",
		"00 07 * * 1-5":       "",
		"":                    "cron has the five fields",
		"0 7 * *":             "day of week, and not 4",
		"0 7 ? * MON-FRI *":   "and not 6",
		"@daily":              "and not 1",
		"0 7 ? * MON-FRI":     `the day of month is "?", and legal are * and 1 to 31`,
		"60 7 * * *":          `the minute is "60", and legal are * and 0 to 59`,
		"0 24 * * *":          `the hour is "24"`,
		"0 7 0 * *":           `the day of month is "0"`,
		"0 7 * 13 *":          `the month is "13", and legal are * and 1 to 12 or JAN to DEC`,
		"0 7 * * 8":           `the day of week is "8", and legal are * and 0 to 7 or SUN to SAT`,
		"0 7 * * MONDAY":      `the day of week is "MONDAY"`,
		"0 7 * * FRI-MON":     `the day of week is "FRI-MON"`,
		"0 7 * * MON,":        `the day of week is "MON,"`,
		"0 7/2 * * *":         `the hour is "7/2"`,
		"*/0 7 * * *":         `the minute is "*/0"`,
		"-1 7 * * *":          `the minute is "-1"`,
		"+1 7 * * *":          `the minute is "+1"`,
		"*-5 7 * * *":         `the minute is "*-5"`,
		"JAN 7 * * *":         `the minute is "JAN"`,
	} {
		switch err := timetable.CheckCron(text); {
		case says == "" && err != nil, says != "" && (err == nil || !strings.Contains(err.Error(), says)):
			t.Errorf("%q: got %v, want %q", text, err, says)
		}
	}
}

// TestZones holds the names to Go's own copy of the database, which has all of them.
func TestZones(t *testing.T) {
	t.Parallel()
	if n := len(timetable.Zones()); n < 400 {
		t.Fatalf("there are %d zones", n)
	}
	for _, name := range timetable.Zones() {
		if _, err := time.LoadLocation(name); err != nil || !timetable.IsZone(name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestIsZone(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"Europe/Berlin": true, "Etc/UTC": true, "Etc/GMT+9": true, "Pacific/Tahiti": true, "Africa/Abidjan": true,
		"UTC": false, "US/Eastern": false, "Europe/Berlim": false, "europe/berlin": false, "Europe": false, "": false,
		"Europe/Berlin\nEurope/Bratislava": false, "Local": false,
	} {
		if timetable.IsZone(name) != want {
			t.Errorf("%q is a zone: %t", name, !want)
		}
	}
}
