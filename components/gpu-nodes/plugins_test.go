package gpunodes

import (
	"reflect"
	"testing"

	"github.com/gpuyard/gpuyard/components/internal/helm"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// runPlugins registers plugins named "plugins" and returns the graph.
func runPlugins(t *testing.T, args *PluginsArgs) *pulumitest.Graph {
	t.Helper()
	return pulumitest.Run(t, func(ctx *pulumi.Context) error {
		_, err := NewPlugins(ctx, "plugins", args)
		return err
	}, world())
}

// values returns the values of one of the releases.
func values(t *testing.T, args *PluginsArgs, name string) resource.PropertyMap {
	t.Helper()
	return runPlugins(t, args).Get(t, helm.TokenRelease, name).Inputs["values"].ObjectValue()
}

func pluginPools(pools ...PluginPool) *PluginsArgs { return &PluginsArgs{Pools: pools} }

func TestNewPlugins(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]*PluginsArgs{
		"mixed": {
			Pools: []PluginPool{
				{Name: "system", InstanceTypes: []string{"m7i.xlarge"}},
				{Name: "gpu", InstanceTypes: []string{"g6.xlarge", "g6.2xlarge"}, Fabric: "none"},
				{Name: "h100", InstanceTypes: []string{"p5.48xlarge"}, Fabric: "efa", Taints: []Taint{
					{Key: "team", Value: "vision", Effect: "NoExecute"}, {Key: "nvidia.com/gpu", Value: "h100", Effect: "NoSchedule"},
				}},
				{Name: "trn", InstanceTypes: []string{"trn1.32xlarge"}, Fabric: "efa"},
			},
			EFAPluginVersion:   "v0.5.21-mirror.1",
			EFAImageRepository: "registry.example.com/efa-plugin",
		},
		"shared": pluginPools(
			PluginPool{Name: "mig", InstanceTypes: []string{"p4d.24xlarge"}, GPUSharing: &GPUSharing{Kind: "mig", Profile: "1g.5gb"}},
			PluginPool{Name: "slices", InstanceTypes: []string{"g6.xlarge"}, GPUSharing: &GPUSharing{Kind: "time_slicing", Replicas: 4}},
			PluginPool{Name: "whole", InstanceTypes: []string{"g6.xlarge"}},
		),
		"gaudi": {
			Pools:            []PluginPool{{Name: "gaudi", InstanceTypes: []string{"dl1.24xlarge"}, Fabric: "efa", Taints: []Taint{{Key: "team", Effect: "NoExecute"}}}},
			GaudiPluginImage: "registry.example.com/gaudi-plugin:1.23.0-695",
		},
		"bottlerocket": pluginPools(PluginPool{Name: "gpu", InstanceTypes: []string{"g6.xlarge"}, OS: "bottlerocket"}),
		"gpu":          pluginPools(PluginPool{Name: "gpu", InstanceTypes: []string{"g6.xlarge"}}),
		"efa":          pluginPools(PluginPool{Name: "hpc", InstanceTypes: []string{"hpc7a.96xlarge"}, Fabric: "efa"}),
		"none":         pluginPools(PluginPool{Name: "system", InstanceTypes: []string{"m7i.xlarge"}}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var plugins *Plugins
			graph := pulumitest.Run(t, func(ctx *pulumi.Context) (err error) {
				plugins, err = NewPlugins(ctx, "plugins", args)
				return err
			}, world())
			pulumitest.Golden(t, graph.String()+pulumitest.Outputs(t, plugins), "testdata/plugins/"+name+".golden")
		})
	}
}

func TestPluginsTakeTheProviderOfTheirOptions(t *testing.T) {
	t.Parallel()
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
		var provider pulumi.ProviderResourceState
		if err := ctx.RegisterResource("pulumi:providers:kubernetes", "cluster", nil, &provider); err != nil {
			return err
		}
		_, err := NewPlugins(ctx, "plugins", pluginPools(PluginPool{InstanceTypes: []string{"g6.xlarge"}}), pulumi.Providers(&provider))
		return err
	}, world())
	if got := graph.Get(t, helm.TokenRelease, "plugins-nvidia").Provider; got != "cluster" {
		t.Errorf("the release has the provider %q, want cluster", got)
	}
}

func TestNewPluginsRefuses(t *testing.T) {
	t.Parallel()
	b200 := PluginPool{Name: "b200", InstanceTypes: []string{"p6-b200.48xlarge"}, Fabric: "efa"}
	for name, c := range map[string]struct {
		args *PluginsArgs
		says string
	}{
		"nothing":      {nil, `args: they are missing`},
		"no types":     {pluginPools(PluginPool{Name: "a"}), `pools[a].instanceTypes: 0 are given`},
		"unknown type": {pluginPools(PluginPool{Name: "a", InstanceTypes: []string{"p5.48xl"}}), `pools[a].instanceTypes: unknown instance type "p5.48xl"`},
		"no EFA":       {pluginPools(PluginPool{Name: "a", InstanceTypes: []string{"g6.xlarge"}, Fabric: "efa"}), `pools[a].fabric: g6.xlarge has no EFA`},
		"taint": {pluginPools(PluginPool{Name: "a", InstanceTypes: []string{"g6.xlarge"}, Taints: []Taint{{Key: "b"}}}),
			`pools[a].taints: b has the effect ""`},
		"sharing": {pluginPools(PluginPool{Name: "a", InstanceTypes: []string{"g6.xlarge"}, GPUSharing: &GPUSharing{Kind: "mig", Profile: "1g.5gb"}}),
			`pools[a].gpuSharing: the L4 of g6.xlarge cannot be split`},
		"system":      {pluginPools(PluginPool{Name: "a", InstanceTypes: []string{"g6.xlarge"}, OS: "windows"}), `pools[a].os: "windows" is unknown`},
		"floating":    {&PluginsArgs{GaudiPluginImage: "registry.example.com:5000/gaudi:latest"}, `gaudiPluginImage: registry.example.com:5000/gaudi:latest floats`},
		"no tag":      {&PluginsArgs{GaudiPluginImage: "registry.example.com:5000/gaudi"}, `gaudiPluginImage: registry.example.com:5000/gaudi floats`},
		"version":     {&PluginsArgs{Pools: []PluginPool{b200}, EFAPluginVersion: "latest"}, `efaPluginVersion: "latest" is no version such as v0.5.20`},
		"old version": {&PluginsArgs{Pools: []PluginPool{b200}, EFAPluginVersion: "v0.4.4"}, `v0.4.4 miscounts the EFAs of p6-b200.48xlarge: v0.5.10 is the first`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error {
				_, err := NewPlugins(ctx, "plugins", c.args)
				return err
			}, world())
			refused(t, graph, err, `gpuyard:gpunodes:Plugins "plugins"`, c.says)
		})
	}
}

func TestMinimumEFAPlugin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typ, version string
		fits         bool
	}{
		{"p6-b200.48xlarge", "v0.5.9", false},
		{"p6-b200.48xlarge", "0.5.10", true},
		{"p6-b200.48xlarge", "v0.5.10-eksbuild.1", true},
		{"p6-b200.48xlarge", "v0.10.0", true},
		{"p5.48xlarge", "v0.4.4", true},
	} {
		args := &PluginsArgs{
			Pools:            []PluginPool{{Name: "a", InstanceTypes: []string{c.typ}, Fabric: "efa"}},
			EFAPluginVersion: c.version,
		}
		if _, err := judgePools("plugins", args); (err == nil) != c.fits {
			t.Errorf("%s with %s: got %v", c.typ, c.version, err)
		}
	}
}

// The pinned version serves every type that can be in a pool.
func TestPinnedEFAPluginServesEveryType(t *testing.T) {
	t.Parallel()
	for _, typ := range efaTypes(t) {
		if _, err := judgePools("plugins", pluginPools(PluginPool{Name: "a", InstanceTypes: []string{typ.Name}, Fabric: "efa"})); err != nil {
			t.Error(err)
		}
	}
}

// A taint that a pool gets and a plugin does not tolerate leaves nodes without devices.
func TestPluginsTolerateEveryTaintOfTheirPools(t *testing.T) {
	t.Parallel()
	own := Taint{Key: "team", Value: "vision", Effect: "NoExecute"}
	for _, typ := range []string{"p5.48xlarge", "p4d.24xlarge"} {
		args := pluginPools(PluginPool{Name: "a", InstanceTypes: []string{typ}, Fabric: "efa", Taints: []Taint{own}})
		for _, release := range []string{"plugins-nvidia", "plugins-efa"} {
			for _, taint := range mergeTaints(DefaultTaints(types(t, typ)), []Taint{own}) {
				want := resource.PropertyMap{
					"key": resource.NewProperty(taint.Key), "effect": resource.NewProperty(taint.Effect), "operator": resource.NewProperty("Exists"),
				}
				if !contains(values(t, args, release)["tolerations"], want) {
					t.Errorf("%s does not tolerate %v of %s", release, taint, typ)
				}
			}
		}
	}
}

// contains reports whether a list holds an object.
func contains(list resource.PropertyValue, want resource.PropertyMap) bool {
	for _, item := range list.ArrayValue() {
		if reflect.DeepEqual(item.ObjectValue(), want) {
			return true
		}
	}
	return false
}

// strs returns a list of strings.
func strs(list resource.PropertyValue) []string {
	var all []string
	for _, item := range list.ArrayValue() {
		all = append(all, item.StringValue())
	}
	return all
}
