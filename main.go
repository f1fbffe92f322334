// Command gpuyard-program is the Pulumi program: it makes the environment that the stack's blueprint describes.
// `pulumi up` starts it; the gpuyard command runs the same function inline.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/stacks"
)

func main() {
	pulumi.Run(stacks.Program("stacks"))
}
