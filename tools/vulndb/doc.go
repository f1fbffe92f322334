// Command vulndb writes the Go vulnerability database to a folder, in the layout that govulncheck reads.
//
// The public database cannot be reached from every network, and it changes under a run. Its source is a Go
// module, golang.org/x/vulndb, that holds one OSV file an entry; so the database of a fixed day is a pinned
// module version (see pin.go), checked against its checksum, and a check gives the same answer everywhere.
//
// Layout: index/db.json, index/modules.json, index/vulns.json and ID/<entry>.json.
// Source: https://go.dev/security/vuln/database, "API".
package main
