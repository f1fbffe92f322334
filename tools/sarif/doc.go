// Package sarif holds the reports that `gpuyard policy check --format sarif` writes against the schema of SARIF 2.1.0, which
// comes in the module go-sarif: code scanning takes a report that breaks it, and shows nothing.
//
// It has no code to import.
package sarif
