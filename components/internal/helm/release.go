// Package helm registers Helm releases for the components that install charts.
package helm

import (
	"cmp"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TokenRelease is the type token of a Helm release. It is registered by its token because the SDK's package for it
// pulls in all Kubernetes packages, which costs a user minutes of compilation.
const TokenRelease = "kubernetes:helm.sh/v3:Release"

// systemNamespace is where the cluster's own pods run.
const systemNamespace = "kube-system"

// Chart is a chart at a pinned version.
type Chart struct {
	Name, Version string
	// Repository is the address of the chart's repository, "https://…" or "oci://…".
	Repository string
}

// Release is a chart that is installed.
type Release struct {
	Chart Chart
	// Name is the release's name, the chart's own when it is empty.
	Name string
	// Namespace is where the release lives, kube-system when it is empty. Another one is made with the release where it
	// does not exist.
	Namespace string
	// Timeout is how many seconds its pods may take to be ready, 600 when it is zero.
	Timeout int
}

// NewRelease registers a chart as a release of the chart's name in kube-system. A change of values waits until what
// it changes is rolled out, so that what depends on the release finds it working.
func NewRelease(ctx *pulumi.Context, name string, c Chart, values pulumi.Map, opts ...pulumi.ResourceOption) (pulumi.Resource, error) {
	return Install(ctx, name, Release{Chart: c}, values, opts...)
}

// Install registers a release that says where it lives.
func Install(ctx *pulumi.Context, name string, r Release, values pulumi.Map, opts ...pulumi.ResourceOption) (pulumi.Resource, error) {
	c := r.Chart
	args := pulumi.Map{
		"name":      pulumi.String(cmp.Or(r.Name, c.Name)),
		"namespace": pulumi.String(cmp.Or(r.Namespace, systemNamespace)),
		"chart":     pulumi.String(c.Name),
		"version":   pulumi.String(c.Version),
		"values":    values,
		"timeout":   pulumi.Int(cmp.Or(r.Timeout, 600)),
		// The provider expects this of every SDK.
		"compat": pulumi.String("true"),
	}
	if r.Namespace != "" && r.Namespace != systemNamespace {
		args["createNamespace"] = pulumi.Bool(true)
	}
	// A chart in an OCI registry is its whole address; Helm looks for no index there.
	if strings.HasPrefix(c.Repository, "oci://") {
		args["chart"] = pulumi.String(c.Repository + "/" + c.Name)
	} else {
		args["repositoryOpts"] = pulumi.StringMap{"repo": pulumi.String(c.Repository)}
	}
	var release pulumi.CustomResourceState
	if err := ctx.RegisterResource(TokenRelease, name, args, &release, opts...); err != nil {
		return nil, err
	}
	return &release, nil
}
