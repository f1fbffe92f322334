// Package fleet prepares many hosts: the canaries first, then the rest, a few at a time.
//
// Rules:
//   - [Schedule] decides which host may start, and is pure; [Run] is the thin shell that starts them.
//   - One bad host never stops the report of the others. After so many failures no further host is started, and each
//     that was not is reported as such.
//   - Reboots are counted over the fleet: a job that lost one node waits; one that lost all of them is lost.
//   - A report has every host, in the order in which they were named, as text, JSON or JUnit.
package fleet
