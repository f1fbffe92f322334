package storage

import (
	"fmt"
	"strings"

	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/components/internal/helm"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeFluid and TypeAlluxio are the type tokens of Fluid and Alluxio.
const (
	TypeFluid   = "gpuyard:storage:Fluid"
	TypeAlluxio = "gpuyard:storage:Alluxio"
)

// fluidVersion is the version of Fluid's chart, and alluxioImage and alluxioTag are its default image of Alluxio. Client
// and workers must be of one version; 2.8 leaves broken mounts behind.
// Source: Fluid 1.0.8, charts/fluid/fluid/values.yaml; fluid#1831.
const (
	fluidVersion = "1.0.8"
	alluxioImage = "alluxio/alluxio-dev"
	alluxioTag   = "2.9.0"
)

// Fluid is the operator of caches. A cluster has it once.
type Fluid struct {
	pulumi.ResourceState

	ready []pulumi.Resource
}

// Ready is what caches wait for, by pulumi.DependsOn: before it their kinds do not exist.
func (f *Fluid) Ready() []pulumi.Resource { return f.ready }

// NewFluid registers Fluid. Its pods need nodes: pass pulumi.DependsOn of the node pools.
func NewFluid(ctx *pulumi.Context, name string, opts ...pulumi.ResourceOption) (*Fluid, error) {
	f := &Fluid{}
	if err := ctx.RegisterComponentResourceV2(TypeFluid, name, pulumi.Map{}, f, opts...); err != nil {
		return nil, err
	}
	release, err := helm.Install(ctx, name, helm.Release{
		Chart:     helm.Chart{Name: "fluid", Version: fluidVersion, Repository: "https://fluid-cloudnative.github.io/charts"},
		Namespace: "fluid-system",
	}, fluidValues(), pulumi.Parent(f))
	if err != nil {
		return nil, err
	}
	f.ready = []pulumi.Resource{release}
	return f, ctx.RegisterResourceOutputs(f, pulumi.Map{})
}

// fluidValues are the values of Fluid's release. The controller of Alluxio is started by the first cache unless it is
// enabled. A client that is killed for its memory is mounted again only with FuseRecovery; jobs would have to be started
// anew. Credentials of nodes cannot be borrowed on EKS: their kubeconfig calls a program that is not in Fluid's image.
// Source: Fluid 1.0.8, charts/fluid/fluid/values.yaml and CHANGELOG.md; Alluxio#15248.
func fluidValues() pulumi.Map {
	return pulumi.Map{
		"csi": pulumi.Map{
			"featureGates":         pulumi.String("FuseRecovery=true"),
			"useNodeAuthorization": pulumi.Bool(false),
		},
		"runtime": pulumi.Map{"alluxio": pulumi.Map{"enabled": pulumi.Bool(true)}},
	}
}

// AlluxioArgs describes an Alluxio.
type AlluxioArgs struct {
	// Placement is the pool whose nodes keep the cached data.
	Placement Placement `pulumi:"placement"`
	// Workers is how many of its nodes do.
	Workers int `pulumi:"workers"`
	// Readers are the taints of all nodes whose pods read through the cache, besides those of the placement.
	Readers []Taint `pulumi:"readers,optional"`
	// Namespace is where the cache's claim is, default if it is empty.
	Namespace string `pulumi:"namespace,optional"`
	// Source is what is cached: "pvc://CLAIM" of the same namespace, or "s3://BUCKET/PREFIX".
	Source pulumi.StringInput `pulumi:"source"`
	// Options are Alluxio's properties of the source.
	Options map[string]string `pulumi:"options,optional"`
	// MemoryMiB is the memory of each worker for data.
	MemoryMiB int `pulumi:"memoryMiB"`
	// Warm is a folder of each worker's node for what does not fit into memory; nil for none.
	Warm *WarmTier `pulumi:"warm,optional"`
	// Preload are paths of the source that are loaded ahead.
	Preload []string `pulumi:"preload,optional"`
}

// WarmTier is the part of a cache on the disks of nodes.
type WarmTier struct {
	// Path is a folder on the node, and QuotaGiB how much of its disk is used.
	Path     string `pulumi:"path"`
	QuotaGiB int    `pulumi:"quotaGiB"`
}

// Alluxio is a read-only cache of memory and local disks in front of a bucket, that pods mount as a claim of its own. It
// is for data sets. What writes through it, such as a checkpoint, could be lost with a worker.
type Alluxio struct {
	pulumi.ResourceState

	// ClaimName is the claim that pods mount.
	ClaimName pulumi.StringOutput `pulumi:"claimName"`
	// Namespace is the claim's.
	Namespace pulumi.StringOutput `pulumi:"namespace"`

	ready []pulumi.Resource
}

// Ready is what pods that mount the claim wait for.
func (a *Alluxio) Ready() []pulumi.Resource { return a.ready }

// NewAlluxio registers an Alluxio. Pass pulumi.DependsOn of what Fluid returns as Ready, and of the source.
func NewAlluxio(ctx *pulumi.Context, name string, args *AlluxioArgs, opts ...pulumi.ResourceOption) (*Alluxio, error) {
	if err := checkAlluxio(name, args); err != nil {
		return nil, err
	}
	a := &Alluxio{}
	if err := ctx.RegisterComponentResourceV2(TypeAlluxio, name, args.inputs(), a, opts...); err != nil {
		return nil, err
	}
	var err error
	if a.ready, err = newCache(ctx, name, args, pulumi.Parent(a)); err != nil {
		return nil, err
	}
	a.ClaimName, a.Namespace = pulumi.String(name).ToStringOutput(), pulumi.String(args.namespace()).ToStringOutput()
	return a, ctx.RegisterResourceOutputs(a, pulumi.Map{"claimName": a.ClaimName, "namespace": a.Namespace})
}

func (a *AlluxioArgs) namespace() string {
	if a.Namespace == "" {
		return defaultNamespace
	}
	return a.Namespace
}

func (a *AlluxioArgs) inputs() pulumi.Map {
	inputs := pulumi.Map{
		"placement": a.Placement.inputs(), "workers": pulumi.Int(a.Workers), "readers": taintInputs(a.Readers), "namespace": pulumi.String(a.namespace()),
		"source": a.Source, "memoryMiB": pulumi.Int(a.MemoryMiB), "preload": pulumi.ToStringArray(a.Preload),
	}
	if len(a.Options) > 0 {
		inputs["options"] = pulumi.ToStringMap(a.Options)
	}
	if a.Warm != nil {
		inputs["warm"] = pulumi.Map{"path": pulumi.String(a.Warm.Path), "quotaGiB": pulumi.Int(a.Warm.QuotaGiB)}
	}
	return inputs
}

func checkAlluxio(name string, args *AlluxioArgs) error {
	c := argument.For(TypeAlluxio, name)
	if args == nil {
		c.Failf("args", "they are missing")
		return c.Err()
	}
	args.Placement.check(c, "placement")
	if args.Source == nil {
		c.Failf("source", "it is not given")
	}
	if args.Workers < 0 {
		c.Failf("workers", "there are %d", args.Workers)
	}
	if args.MemoryMiB < 1024 {
		c.Failf("memoryMiB", "%d: a worker needs 1024 at least", args.MemoryMiB)
	}
	if w := args.Warm; w != nil && (!strings.HasPrefix(w.Path, "/") || strings.Contains(w.Path, ",") || w.QuotaGiB < 1) {
		c.Failf("warm", "a path from the root, without a comma, and a quota of at least 1 GiB are needed; got %q and %d", w.Path, w.QuotaGiB)
	}
	for i, p := range args.Preload {
		if strings.Contains(p, "..") || strings.ContainsAny(p, " \t\n") {
			c.Failf(fmt.Sprintf("preload[%d]", i), "%q is no path below the source", p)
		}
	}
	return c.Err()
}
