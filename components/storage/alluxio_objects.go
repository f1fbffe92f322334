package storage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/components/internal/manifest"
	"github.com/gpuyard/gpuyard/internal/headroom"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// apiFluid is the API version of Fluid's custom resources.
const apiFluid = "data.fluid.io/v1alpha1"

// newCache registers the data set, the runtime that keeps it, which has its name, and what loads it ahead.
func newCache(ctx *pulumi.Context, name string, args *AlluxioArgs, parent pulumi.ResourceOption) ([]pulumi.Resource, error) {
	object := func(kind string, spec pulumi.Map, await string) manifest.Object {
		o := manifest.Object{APIVersion: apiFluid, Kind: kind, Name: name, Namespace: args.namespace(), Fields: pulumi.Map{"spec": spec}}
		if await != "" {
			o.Annotations = map[string]string{waitFor: await}
		}
		return o
	}
	dataset, err := manifest.New(ctx, name, object("Dataset", args.dataset(name), ""), parent)
	if err != nil {
		return nil, err
	}
	runtime, err := manifest.New(ctx, name, object("AlluxioRuntime", args.runtime(), "jsonpath={.status.masterPhase}=Ready"), parent, pulumi.DependsOn([]pulumi.Resource{dataset}))
	if err != nil || len(args.Preload) == 0 {
		return []pulumi.Resource{dataset, runtime}, err
	}
	_, err = manifest.New(ctx, name, object("DataLoad", args.load(name), ""), parent, pulumi.DependsOn([]pulumi.Resource{runtime}))
	return []pulumi.Resource{dataset, runtime}, err
}

// tolerations are those of workers and clients: Fluid gives both what the data set says.
func (a *AlluxioArgs) tolerations() pulumi.Array {
	all := slices.Concat(a.Placement.Taints, a.Readers)
	var once []Taint
	for _, t := range all {
		if !slices.Contains(once, t) {
			once = append(once, t)
		}
	}
	return tolerate(once)
}

// dataset is the specification of the data set: the source as its root, to read only, one cache a node.
// Source: Fluid 1.0.8, api/v1alpha1/dataset_types.go.
func (a *AlluxioArgs) dataset(name string) pulumi.Map {
	mount := pulumi.Map{"mountPoint": a.Source, "name": pulumi.String(name), "path": pulumi.String("/"), "readOnly": pulumi.Bool(true), "shared": pulumi.Bool(true)}
	if len(a.Options) > 0 {
		mount["options"] = pulumi.ToStringMap(a.Options)
	}
	return pulumi.Map{
		"mounts":       pulumi.Array{mount},
		"accessModes":  pulumi.ToStringArray([]string{"ReadOnlyMany"}),
		"placement":    pulumi.String("Exclusive"),
		"nodeAffinity": pulumi.Map{"required": a.Placement.nodeTerms()},
		"tolerations":  a.tolerations(),
	}
}

// runtime is the specification of the cache: memory first, then disks. Watermarks stay below 0.99, or workers refuse to
// write with room left; and a memory limit below the quota of memory is refused by Fluid, which itself adds that quota to
// the client's limit.
// Source: Fluid 1.0.8, api/v1alpha1/alluxioruntime_types.go and pkg/ddc/alluxio/transform_resources.go; fluid#201.
func (a *AlluxioArgs) runtime() pulumi.Map {
	level := func(medium, path, quota string) pulumi.Map {
		return pulumi.Map{
			"mediumtype": pulumi.String(medium), "volumeType": pulumi.String("hostPath"), "path": pulumi.String(path), "quota": pulumi.String(quota),
			"high": pulumi.String("0.95"), "low": pulumi.String("0.7"),
		}
	}
	levels := pulumi.Array{level("MEM", "/dev/shm", fmt.Sprintf("%dMi", a.MemoryMiB))}
	if a.Warm != nil {
		levels = append(levels, level("SSD", a.Warm.Path, fmt.Sprintf("%dGi", a.Warm.QuotaGiB)))
	}
	worker, client := headroom.WorkerHeapMiB, headroom.FuseHeapMiB
	return pulumi.Map{
		"replicas":       pulumi.Int(a.Workers),
		"alluxioVersion": pulumi.Map{"image": pulumi.String(alluxioImage), "imageTag": pulumi.String(alluxioTag)},
		"tieredstore":    pulumi.Map{"levels": levels},
		"data":           pulumi.Map{"replicas": pulumi.Int(1)},
		"worker": pulumi.Map{
			"jvmOptions":   heap(worker),
			"nodeSelector": a.Placement.selector(),
			"resources": pulumi.Map{
				"requests": pulumi.Map{"memory": pulumi.String(fmt.Sprintf("%dMi", a.MemoryMiB+worker))},
				"limits":   pulumi.Map{"memory": pulumi.String(fmt.Sprintf("%dMi", a.MemoryMiB+worker))},
			},
		},
		"fuse": pulumi.Map{
			"jvmOptions": heap(client), "cleanPolicy": pulumi.String("OnDemand"),
			"resources": pulumi.Map{
				"requests": pulumi.Map{"memory": pulumi.String(fmt.Sprintf("%dMi", client))},
				"limits":   pulumi.Map{"memory": pulumi.String(fmt.Sprintf("%dMi", client))},
			},
		},
		"management": pulumi.Map{"cleanCachePolicy": pulumi.Map{"gracePeriodSeconds": pulumi.Int(60), "maxRetryAttempts": pulumi.Int(3)}},
	}
}

// heap returns options of a virtual machine that may use so much memory in all: half of it as heap, a quarter outside of
// it, and the rest for code, threads and the machine itself.
func heap(mib int) pulumi.StringArray {
	return pulumi.ToStringArray([]string{fmt.Sprintf("-Xmx%dm", mib/2), fmt.Sprintf("-XX:MaxDirectMemorySize=%dm", mib/4)})
}

// load is the specification of what is loaded ahead, once, with the names and sizes of all files.
func (a *AlluxioArgs) load(name string) pulumi.Map {
	var targets pulumi.Array
	for _, p := range a.Preload {
		targets = append(targets, pulumi.Map{"path": pulumi.String("/" + strings.Trim(p, "/")), "replicas": pulumi.Int(1)})
	}
	return pulumi.Map{
		"dataset":      pulumi.Map{"name": pulumi.String(name), "namespace": pulumi.String(a.namespace())},
		"loadMetadata": pulumi.Bool(true), "policy": pulumi.String("Once"), "target": targets,
		"tolerations": a.tolerations(),
	}
}
