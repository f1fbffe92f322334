package gpunodes

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/components/internal/helm"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypePlugins is the type token of Plugins.
const TypePlugins = "gpuyard:gpunodes:Plugins"

// PluginsArgs says which pools device plugins are for.
type PluginsArgs struct {
	// Pools are the pools to serve. A plugin is installed only when one of them needs it.
	Pools []PluginPool `pulumi:"pools"`
	// EFAPluginVersion is the tag of the EFA plugin's image, the chart's own when empty.
	EFAPluginVersion string `pulumi:"efaPluginVersion,optional"`
	// EFAImageRepository is where the EFA plugin's image is pulled from. The chart's own is an account of AWS in
	// us-west-2, which all commercial regions can read; regions in China and GovCloud, and clusters that reach ECR
	// only through endpoints of their own region, need another.
	EFAImageRepository string `pulumi:"efaImageRepository,optional"`
	// GaudiPluginImage is the image of the Gaudi device plugin, with its tag or digest. It should be of the release of the
	// driver in the nodes' image; when empty it is that of 1.22.1.
	GaudiPluginImage string `pulumi:"gaudiPluginImage,optional"`
	// Catalog is what the instance types are; nil means catalog.Default.
	Catalog *catalog.Catalog `pulumi:"-"`
}

// PluginPool is what plugins must know of a pool.
type PluginPool struct {
	// Name is the pool's name, for messages.
	Name string `pulumi:"name"`
	// InstanceTypes are the pool's; none for a pool of servers.
	InstanceTypes []string `pulumi:"instanceTypes,optional"`
	// Accelerator and AcceleratorCount are what each server of the pool holds, such as eight gaudi2; empty on EC2.
	Accelerator      string `pulumi:"accelerator,optional"`
	AcceleratorCount int    `pulumi:"acceleratorCount,optional"`
	// Fabric is the pool's, "efa" or "none"; empty is none.
	Fabric string `pulumi:"fabric,optional"`
	// Taints are the pool's own taints; the default ones are known.
	Taints []Taint `pulumi:"taints,optional"`
	// GPUSharing is the pool's; nil for whole GPUs.
	GPUSharing *GPUSharing `pulumi:"gpuSharing,optional"`
	// OS is the pool's, "al2023", also when it is empty, or "bottlerocket", whose images run the NVIDIA plugin themselves.
	OS string `pulumi:"os,optional"`
}

// Plugins are the device plugins that make accelerators and EFA interfaces visible to pods. They are Helm releases in
// kube-system; the Kubernetes provider comes through the options.
type Plugins struct {
	pulumi.ResourceState

	// Releases are the names of the Helm releases.
	Releases pulumi.StringArrayOutput `pulumi:"releases"`
}

// NewPlugins registers Plugins. It registers nothing when the arguments are wrong.
func NewPlugins(ctx *pulumi.Context, name string, args *PluginsArgs, opts ...pulumi.ResourceOption) (*Plugins, error) {
	pools, err := judgePools(name, args)
	if err != nil {
		return nil, err
	}
	plugins := &Plugins{}
	if err := ctx.RegisterComponentResourceV2(TypePlugins, name, args.inputs(), plugins, opts...); err != nil {
		return nil, err
	}
	releases := pulumi.StringArray{}
	for _, r := range []struct {
		suffix string
		chart  helm.Chart
		pools  []pluginPool
		values func([]pluginPool, *PluginsArgs) pulumi.Map
	}{
		{"-nvidia", nvidiaChart(), needing(pools, pluginPool.needsNVIDIA), nvidiaValues},
		{"-neuron", neuronChart(), needing(pools, pluginPool.needsNeuron), neuronValues},
		{"-efa", efaChart(), needing(pools, pluginPool.needsEFA), efaValues},
	} {
		if len(r.pools) == 0 {
			continue
		}
		if _, err := helm.NewRelease(ctx, name+r.suffix, r.chart, r.values(r.pools, args), pulumi.Parent(plugins)); err != nil {
			return nil, err
		}
		releases = append(releases, pulumi.String(r.chart.Name))
	}
	if gaudi := needing(pools, pluginPool.needsGaudi); len(gaudi) > 0 {
		if err := newGaudiPlugin(ctx, name+"-gaudi", gaudi, args, pulumi.Parent(plugins)); err != nil {
			return nil, err
		}
	}
	plugins.Releases = releases.ToStringArrayOutput()
	return plugins, ctx.RegisterResourceOutputs(plugins, pulumi.Map{"releases": plugins.Releases})
}

// inputs returns the arguments as the component's own inputs, for policies to judge.
func (a *PluginsArgs) inputs() pulumi.Map {
	pools := pulumi.MapArray{}
	for _, p := range a.Pools {
		pool := pulumi.Map{
			"name":          pulumi.String(p.Name),
			"instanceTypes": pulumi.ToStringArray(p.InstanceTypes),
			"fabric":        pulumi.String(p.Fabric),
			"taints":        taintInputs(p.Taints),
		}
		if p.GPUSharing != nil {
			pool["gpuSharing"] = p.GPUSharing.inputs()
		}
		if p.OS != "" {
			pool["os"] = pulumi.String(p.OS)
		}
		if p.Accelerator != "" {
			pool["accelerator"], pool["acceleratorCount"] = pulumi.String(p.Accelerator), pulumi.Int(p.AcceleratorCount)
		}
		pools = append(pools, pool)
	}
	inputs := pulumi.Map{"pools": pools}
	if a.EFAPluginVersion != "" {
		inputs["efaPluginVersion"] = pulumi.String(a.EFAPluginVersion)
	}
	if a.EFAImageRepository != "" {
		inputs["efaImageRepository"] = pulumi.String(a.EFAImageRepository)
	}
	if a.GaudiPluginImage != "" {
		inputs["gaudiPluginImage"] = pulumi.String(a.GaudiPluginImage)
	}
	return inputs
}

// pluginPool is a PluginPool with its types found.
type pluginPool struct {
	PluginPool
	types []*catalog.InstanceType
}

func (p pluginPool) needsNVIDIA() bool {
	return p.OS != osBottlerocket && fewest(p.types, nvidiaGPUs) > 0
}
func (p pluginPool) needsNeuron() bool { return fewest(p.types, devicesOf(catalog.MakerNeuron)) > 0 }
func (p pluginPool) needsGaudi() bool  { return fewest(p.types, devicesOf(catalog.MakerHabana)) > 0 }
func (p pluginPool) needsEFA() bool    { return p.Fabric == string(catalog.FabricEFA) }

// needing returns the pools that need a plugin.
func needing(pools []pluginPool, needs func(pluginPool) bool) []pluginPool {
	return slices.DeleteFunc(slices.Clone(pools), func(p pluginPool) bool { return !needs(p) })
}

// judgePools finds the types of the pools. Its error holds all that is wrong.
func judgePools(name string, args *PluginsArgs) ([]pluginPool, error) {
	c := argument.For(TypePlugins, name)
	if args == nil {
		c.Failf("args", "they are missing")
		return nil, c.Err()
	}
	if _, ok := versionNumbers(efaVersion(args)); !ok {
		c.Failf("efaPluginVersion", "%q is no version such as %s", args.EFAPluginVersion, efaPluginVersion)
	}
	checkGaudiImage(c, gaudiImage(args))
	var pools []pluginPool
	for _, pool := range args.Pools {
		arg := fmt.Sprintf("pools[%s].", pool.Name)
		pool.Fabric = fabricOrNone(pool.Fabric)
		if pool.servers() {
			pools = append(pools, judgeServers(c, arg, pool))
			continue
		}
		p := pluginPool{PluginPool: pool, types: lookUp(c, cmp.Or(args.Catalog, catalog.Default()), arg+"instanceTypes", pool.InstanceTypes)}
		checkTaints(c, arg+"taints", pool.Taints)
		checkOS(c, arg+"os", pool.OS)
		checkSharing(c, arg+"gpuSharing", pool.GPUSharing, p.types)
		if _, err := poolInterfaces(p.types, catalog.Fabric(pool.Fabric)); err != nil {
			c.Failf(arg+"fabric", "%v", err)
		}
		if p.needsEFA() {
			checkEFAPlugin(c, p.types, efaVersion(args))
		}
		pools = append(pools, p)
	}
	return pools, c.Err()
}

// servers says whether a pool is one of servers, which tell no instance type.
func (p PluginPool) servers() bool { return len(p.InstanceTypes) == 0 && p.Accelerator != "" }

// judgeServers finds what the servers of a pool hold.
func judgeServers(c *argument.Checker, arg string, pool PluginPool) pluginPool {
	checkTaints(c, arg+"taints", pool.Taints)
	kind, err := HostType(pool.Accelerator, pool.AcceleratorCount)
	if err != nil {
		c.Failf(arg+"accelerator", "%v", err)
		return pluginPool{PluginPool: pool}
	}
	return pluginPool{PluginPool: pool, types: []*catalog.InstanceType{kind}}
}
