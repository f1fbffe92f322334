package storage

import (
	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// ArgumentError says that a component of this package cannot work with an argument. Nothing has been
// registered then. Several are joined into one error.
type ArgumentError = argument.Error

// keep returns the options of a resource that holds data: protected, whatever its component is, until data loss is
// allowed. Then it is protected as its component is.
func keep(allowDataLoss bool, opts ...pulumi.ResourceOption) []pulumi.ResourceOption {
	if allowDataLoss {
		return opts
	}
	return append(append([]pulumi.ResourceOption{}, opts...), pulumi.Protect(true))
}
