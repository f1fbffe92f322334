// Command vulncheck fails if our code reaches a known vulnerability of a module it is built with.
//
//	vulncheck -db bin/vulndb ./...
//
// The analysis is govulncheck's; two things are ours.
//
// The database is one of a fixed day. The public one cannot be reached from every network and changes under a run,
// but its source is a Go module, golang.org/x/vulndb, that holds one OSV file an entry. So the database is a pinned
// version of that module (pin.go), written to the folder in the layout that govulncheck reads. With -db and a URL,
// that database is asked instead.
//
// The standard library is reported, and fails nothing: it comes with whichever Go a machine has, and no change to
// this repository could mend it. The report says which Go has the fixes.
//
// Source of the layout: https://go.dev/security/vuln/database, "API".
package main
