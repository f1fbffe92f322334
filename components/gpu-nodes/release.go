package gpunodes

import (
	"reflect"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// tokenRelease is the type token of a Helm release. It is registered by its token because the SDK's package for it
// pulls in all Kubernetes packages, which costs a user minutes of compilation.
const tokenRelease = "kubernetes:helm.sh/v3:Release"

// helmRelease is a Helm release as registered.
type helmRelease struct {
	pulumi.CustomResourceState
}

// helmReleaseArgs are the inputs of a Helm release that are used here.
type helmReleaseArgs struct {
	Name           pulumi.StringInput
	Namespace      pulumi.StringInput
	Chart          pulumi.StringInput
	Version        pulumi.StringInput
	RepositoryOpts repositoryOptsArgs
	Values         pulumi.MapInput
	Timeout        pulumi.IntInput
	// Compat is "true", as the provider expects of every SDK.
	Compat pulumi.StringInput
}

type helmReleaseInputs struct {
	Name           string         `pulumi:"name"`
	Namespace      string         `pulumi:"namespace"`
	Chart          string         `pulumi:"chart"`
	Version        string         `pulumi:"version"`
	RepositoryOpts repositoryOpts `pulumi:"repositoryOpts"`
	Values         map[string]any `pulumi:"values"`
	Timeout        int            `pulumi:"timeout"`
	Compat         string         `pulumi:"compat"`
}

// ElementType names the type that holds the resolved inputs.
func (helmReleaseArgs) ElementType() reflect.Type { return reflect.TypeFor[helmReleaseInputs]() }

type repositoryOptsArgs struct {
	Repo pulumi.StringInput `pulumi:"repo"`
}

type repositoryOpts struct {
	Repo string `pulumi:"repo"`
}

// ElementType names the type that holds the resolved inputs.
func (repositoryOptsArgs) ElementType() reflect.Type { return reflect.TypeFor[repositoryOpts]() }

// chart is a chart at a pinned version.
type chart struct {
	name, version, repository string
}

// newRelease registers a chart as a release of the chart's name in kube-system. A change of values waits until the
// DaemonSet is rolled out, so that what depends on the release finds its devices.
func newRelease(ctx *pulumi.Context, name string, c chart, values pulumi.Map, opts ...pulumi.ResourceOption) error {
	return ctx.RegisterResource(tokenRelease, name, &helmReleaseArgs{
		Name:           pulumi.String(c.name),
		Namespace:      pulumi.String("kube-system"),
		Chart:          pulumi.String(c.name),
		Version:        pulumi.String(c.version),
		RepositoryOpts: repositoryOptsArgs{Repo: pulumi.String(c.repository)},
		Values:         values,
		Timeout:        pulumi.Int(600),
		Compat:         pulumi.String("true"),
	}, &helmRelease{}, opts...)
}
