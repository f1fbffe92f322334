// Package layout holds the rules of this repository that a test can check: who may import whom, how large a file
// may grow, which words must not appear. It has no code that runs elsewhere; `go test ./internal/layout` checks.
//
// The rules are data, in rules_test.go, each with its reason. When the test fails, either the change belongs
// somewhere else, or the rule has to change: then edit its row and say why in the row.
package layout
