package provider

import (
	"time"

	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi-go-provider/infer"

	"github.com/gpuyard/gpuyard/nodeprep/remote"
)

const (
	// Name is the name of the Pulumi package.
	Name = "gpuyard"
	// Executable is the name under which the engine looks for the provider.
	Executable = "pulumi-resource-" + Name
	// Version is the version of the package.
	Version = "0.1.0"
)

// Options say how hosts are reached. Their zero value is by SSH, from this process's working folder.
type Options struct {
	// Dir is what relative paths of files begin at; empty: the working folder.
	Dir string
	// Deadline is how long a host may take to answer when it is only looked at; 0: 30 seconds.
	Deadline time.Duration
	// Redirect changes where a host is reached, and with what; nil: as its arguments say. It is for simulations, whose
	// Notice is in every message about a host.
	Redirect func(args HostArgs, o *remote.Options, t *remote.Target) error
	Notice   string
}

// New makes the provider.
func New(o Options) (p.Provider, error) {
	if o.Deadline == 0 {
		o.Deadline = 30 * time.Second
	}
	return infer.NewProviderBuilder().
		WithDisplayName(Name).
		WithDescription("Training nodes: Linux hosts prepared over SSH").
		WithResources(infer.Resource(newHost(o))).
		Build()
}
