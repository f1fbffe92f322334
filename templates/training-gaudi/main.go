// Command program makes the environment that the stack's blueprint, stacks/STACK.hcl, describes.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/stacks"
)

func main() {
	pulumi.Run(stacks.Program("stacks"))
}
