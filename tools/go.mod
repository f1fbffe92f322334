// The tools that check this repository: staticcheck, our own use of govulncheck, and the schema of SARIF. They are a module
// of their own so that their dependencies stay out of the one that people import.
module github.com/gpuyard/gpuyard/tools

go 1.26.6

tool honnef.co/go/tools/cmd/staticcheck

require (
	github.com/owenrumney/go-sarif/v3 v3.2.0
	golang.org/x/mod v0.42.0
	golang.org/x/vuln v1.9.0
)

require (
	github.com/BurntSushi/toml v1.4.1-0.20240526193622-a339e1f7089c // indirect
	github.com/xeipuuv/gojsonpointer v0.0.0-20180127040702-4e3ac2762d5f // indirect
	github.com/xeipuuv/gojsonreference v0.0.0-20180127040603-bd5ef7bd5415 // indirect
	github.com/xeipuuv/gojsonschema v1.2.0 // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/telemetry v0.0.0-20261010193011-f71dc92da45e // indirect
	golang.org/x/tools v0.52.0 // indirect
	honnef.co/go/tools v0.8.2 // indirect
)
