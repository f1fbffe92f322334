// Package addon registers EKS add-ons for the components that need one.
package addon

import (
	"fmt"

	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/eks"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Addon is an add-on of a cluster.
type Addon struct {
	// Cluster is the cluster's name and KubernetesVersion its version, such as 1.35.
	Cluster           pulumi.StringInput
	KubernetesVersion string
	// Name is the add-on's, such as coredns.
	Name string
	// Tags are the tags of everything in the environment.
	Tags map[string]string
}

// New registers an add-on in the version that EKS names as the default for the cluster's. The version is written into
// the plan, so that a new default is a change that somebody reviews, and never a drift. More may be nil, and adds what
// this add-on needs.
//
// On creation the add-on wins over what is there, which can only be a leftover. On an update, what somebody
// changed in the running cluster stays: an update touches every node and should change only what it is about.
// Source: EKS API Reference, CreateAddon and UpdateAddon, resolveConflicts.
func New(ctx *pulumi.Context, name string, a Addon, parent pulumi.Resource, more func(*eks.AddonArgs), opts ...pulumi.ResourceOption) (*eks.Addon, error) {
	found, err := eks.GetAddonVersion(ctx, &eks.GetAddonVersionArgs{
		AddonName: a.Name, KubernetesVersion: a.KubernetesVersion,
	}, pulumi.Parent(parent))
	if err != nil {
		return nil, fmt.Errorf("looking up the version of the add-on %s for Kubernetes %s: %w", a.Name, a.KubernetesVersion, err)
	}
	args := &eks.AddonArgs{
		ClusterName:              a.Cluster,
		AddonName:                pulumi.String(a.Name),
		AddonVersion:             pulumi.String(found.Version),
		ResolveConflictsOnCreate: pulumi.String("OVERWRITE"),
		ResolveConflictsOnUpdate: pulumi.String("PRESERVE"),
		Tags:                     tags.Merge(a.Tags, name),
	}
	if more != nil {
		more(args)
	}
	return eks.NewAddon(ctx, name, args, append([]pulumi.ResourceOption{pulumi.Parent(parent)}, opts...)...)
}
