package helm_test

import (
	"testing"

	"github.com/gpuyard/gpuyard/components/internal/helm"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func TestNewRelease(t *testing.T) {
	t.Parallel()
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
		for name, c := range map[string]helm.Chart{
			"indexed": {Name: "plugin", Version: "1.2.3", Repository: "https://charts.example.com"},
			"oci":     {Name: "plugin", Version: "1.2.3", Repository: "oci://registry.example.com/charts"},
		} {
			if _, err := helm.NewRelease(ctx, name, c, pulumi.Map{"a": pulumi.Bool(true)}); err != nil {
				return err
			}
		}
		_, err := helm.Install(ctx, "elsewhere", helm.Release{
			Chart: helm.Chart{Name: "operator", Version: "1.2.3", Repository: "https://charts.example.com"},
			Name:  "first", Namespace: "operators", Timeout: 900,
		}, pulumi.Map{})
		return err
	}, pulumitest.Options{})
	pulumitest.Golden(t, graph.String(), "testdata/releases.golden")
}
