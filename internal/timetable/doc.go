// Package timetable knows how EC2 Auto Scaling is told a time that recurs: by the five fields of cron, in a time zone of the
// IANA Time Zone Database.
//
// A blueprint is judged by both, a component refuses by them, and the embedded cloud as AWS does, so they are neutral
// ground. The names of the zones are data, zones.txt: what is legal must not depend on the machine.
package timetable
