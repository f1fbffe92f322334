// Package helm registers Helm releases for the components that install charts.
package helm

import (
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TokenRelease is the type token of a Helm release. It is registered by its token because the SDK's package for it
// pulls in all Kubernetes packages, which costs a user minutes of compilation.
const TokenRelease = "kubernetes:helm.sh/v3:Release"

// Chart is a chart at a pinned version.
type Chart struct {
	Name, Version string
	// Repository is the address of the chart's repository, "https://…" or "oci://…".
	Repository string
}

// NewRelease registers a chart as a release of the chart's name in kube-system. A change of values waits until what
// it changes is rolled out, so that what depends on the release finds it working.
func NewRelease(ctx *pulumi.Context, name string, c Chart, values pulumi.Map, opts ...pulumi.ResourceOption) (pulumi.Resource, error) {
	args := pulumi.Map{
		"name":      pulumi.String(c.Name),
		"namespace": pulumi.String("kube-system"),
		"chart":     pulumi.String(c.Name),
		"version":   pulumi.String(c.Version),
		"values":    values,
		"timeout":   pulumi.Int(600),
		// The provider expects this of every SDK.
		"compat": pulumi.String("true"),
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
