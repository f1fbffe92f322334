// Command policy serves the policy pack of gpuyard to the Pulumi engine:
//
//	pulumi preview --policy-pack policy
//
// from source, where Pulumi's Go language host is installed, or anywhere as the executable pulumi-analyzer-gpuyard:
//
//	go build -o bin/pulumi-analyzer-gpuyard ./policy
//	pulumi preview --policy-pack bin/pulumi-analyzer-gpuyard --policy-pack-config policy/config/prod.json
//
// The engine reads a port from standard output, so nothing else may be printed there.
package main

import (
	"fmt"
	"os"

	"github.com/gpuyard/gpuyard/policy/analyzer"
	"github.com/gpuyard/gpuyard/policy/pack"
)

func main() {
	if err := analyzer.Main(pack.New); err != nil {
		fmt.Fprintln(os.Stderr, "gpuyard policy pack:", err)
		os.Exit(1)
	}
}
