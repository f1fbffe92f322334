package timetable

import (
	_ "embed" // zones.txt
	"strings"
)

//go:embed zones.txt
var zones string

// Zones returns the canonical names of time zones. Others, such as US/Eastern or UTC, are links to them, which AWS does not
// promise to know.
// Source: EC2 Auto Scaling API, PutScheduledUpdateGroupAction, TimeZone.
func Zones() []string {
	_, names, _ := strings.Cut(zones, "\n") // the first line says where they are from
	return strings.Fields(names)
}

// IsZone says whether a name is a canonical one of a time zone.
func IsZone(name string) bool {
	return name != "" && !strings.ContainsAny(name, "# \n") && strings.Contains(zones, "\n"+name+"\n")
}
