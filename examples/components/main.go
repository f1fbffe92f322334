// Command components shows each component of gpuyard alone. The name of the stack says which; what exists already is its
// configuration, by id:
//
//	pulumi stack init network
//	pulumi config set aws:region us-east-2
//	pulumi up
package main

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/catalog"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		var names []string
		for _, e := range examples() {
			if e.name == ctx.Stack() {
				return e.program(ctx)
			}
			names = append(names, e.name)
		}
		return fmt.Errorf("there is no example %q%s", ctx.Stack(), catalog.Instead(ctx.Stack(), names))
	})
}

// example is a component in use. It is in the file of its name.
type example struct {
	name    string
	program pulumi.RunFunc
}

// examples are all of them, in an order in which they can be brought up: what one exports is what a later one takes from
// its stack's configuration.
func examples() []example {
	return []example{
		{"network", exampleNetwork},
		{"cluster", exampleCluster},
		{"nodes", exampleNodes},
		{"gpu_nodes", exampleGPUNodes},
		{"hosts", exampleHosts},
		{"addons", exampleAddons},
		{"plugins", examplePlugins},
		{"priority_classes", examplePriorityClasses},
		{"cilium", exampleCilium},
		{"s3", exampleS3},
		{"mountpoint", exampleMountpoint},
		{"fsx_lustre", exampleFSxLustre},
		{"local_nvme", exampleLocalNVMe},
		{"snapshots", exampleSnapshots},
		{"ceph", exampleCeph},
		{"alluxio", exampleAlluxio},
		{"repository", exampleRepository},
		{"function", exampleFunction},
		{"container_app", exampleContainerApp},
	}
}
