package storage

import (
	"fmt"
	"regexp"
	"time"

	"github.com/gpuyard/gpuyard/components/internal/addon"
	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/components/internal/helm"
	"github.com/gpuyard/gpuyard/components/internal/manifest"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeSnapshots is the type token of Snapshots.
const TypeSnapshots = "gpuyard:storage:Snapshots"

// The API versions of snapshots and of their schedules.
const (
	apiSnapshots = "snapshot.storage.k8s.io/v1"
	apiSchedules = "snapscheduler.backube/v1"
)

// snapschedulerVersion is the version of snapscheduler's chart; the program's is 3.5.0.
const snapschedulerVersion = "3.6.0"

// SnapshotsArgs describes Snapshots.
type SnapshotsArgs struct {
	// ClusterName is the cluster, and Version its Kubernetes version, such as 1.35.
	ClusterName pulumi.StringInput `pulumi:"clusterName"`
	Version     string             `pulumi:"version"`
	// Tags are put on everything that takes tags.
	Tags map[string]string `pulumi:"tags,optional"`
}

// Snapshots is what takes snapshots of volumes in a cluster: the snapshot controller with the kinds of objects that it
// serves, and snapscheduler, which makes snapshots on schedule and removes old ones. A cluster has it once.
type Snapshots struct {
	pulumi.ResourceState

	ready []pulumi.Resource
}

// Ready is what snapshot classes and schedules wait for, by pulumi.DependsOn: before it their kinds do not exist.
func (s *Snapshots) Ready() []pulumi.Resource { return s.ready }

// NewSnapshots registers Snapshots. Its pods need nodes: pass pulumi.DependsOn of the node pools.
func NewSnapshots(ctx *pulumi.Context, name string, args *SnapshotsArgs, opts ...pulumi.ResourceOption) (*Snapshots, error) {
	check := argument.For(TypeSnapshots, name)
	if args == nil || args.ClusterName == nil || args.Version == "" {
		check.Failf("args", "clusterName and version are needed")
		return nil, check.Err()
	}
	s := &Snapshots{}
	if err := ctx.RegisterComponentResourceV2(TypeSnapshots, name, pulumi.Map{
		"clusterName": args.ClusterName, "version": pulumi.String(args.Version), "tags": pulumi.ToStringMap(args.Tags),
	}, s, opts...); err != nil {
		return nil, err
	}
	controller, err := addon.New(ctx, name+"-snapshot-controller", addon.Addon{
		Cluster: args.ClusterName, KubernetesVersion: args.Version, Name: "snapshot-controller", Tags: args.Tags,
	}, s, nil)
	if err != nil {
		return nil, err
	}
	scheduler, err := helm.Install(ctx, name+"-snapscheduler", helm.Release{
		Chart:     helm.Chart{Name: "snapscheduler", Version: snapschedulerVersion, Repository: "https://backube.github.io/helm-charts/"},
		Namespace: "snapscheduler",
	}, snapschedulerValues(), pulumi.Parent(s), pulumi.DependsOn([]pulumi.Resource{controller}))
	if err != nil {
		return nil, err
	}
	s.ready = []pulumi.Resource{controller, scheduler}
	return s, ctx.RegisterResourceOutputs(s, pulumi.Map{})
}

// snapschedulerValues are the values of snapscheduler's release. Owner references stay off, as the chart has them: else
// removing a schedule would remove its snapshots.
func snapschedulerValues() pulumi.Map {
	return pulumi.Map{
		"enableOwnerReferences": pulumi.Bool(false),
		"priorityClassName":     pulumi.String("system-cluster-critical"),
	}
}

// SnapshotPlan says when volumes are snapshotted.
type SnapshotPlan struct {
	// Every is the time between snapshots: a whole number of hours that divides a day, a day, or seven.
	Every time.Duration `pulumi:"every"`
	// Keep is how many snapshots are kept of each volume.
	Keep int `pulumi:"keep"`
	// Namespaces are those whose claims are snapshotted, default if it is empty.
	Namespaces []string `pulumi:"namespaces,optional"`
}

func (p *SnapshotPlan) namespaces() []string {
	if len(p.Namespaces) == 0 {
		return []string{defaultNamespace}
	}
	return p.Namespaces
}

func (p *SnapshotPlan) inputs() pulumi.Map {
	return pulumi.Map{
		"every": pulumi.String(p.Every.String()), "keep": pulumi.Int(p.Keep), "namespaces": pulumi.ToStringArray(p.namespaces()),
	}
}

var namespaceShape = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

func (p *SnapshotPlan) check(c *argument.Checker, name string) {
	if _, err := SnapshotCron(p.Every); err != nil {
		c.Failf(name+".every", "%v", err)
	}
	if p.Keep < 1 {
		c.Failf(name+".keep", "%d: at least one snapshot is kept, or none is ever removed", p.Keep)
	}
	for _, n := range p.Namespaces {
		if !namespaceShape.MatchString(n) {
			c.Failf(name+".namespaces", "%q is no name of a namespace", n)
		}
	}
}

// SnapshotCron returns the schedule of snapshots in cron's words. They are taken at half past: a job that saves at the
// full hour has done so.
func SnapshotCron(every time.Duration) (string, error) {
	hours := int(every / time.Hour)
	switch {
	case every%time.Hour != 0 || hours < 1:
	case hours == 1:
		return "30 * * * *", nil
	case hours < 24 && 24%hours == 0:
		return fmt.Sprintf("30 */%d * * *", hours), nil
	case hours == 24:
		return "30 0 * * *", nil
	case hours == 7*24:
		return "30 0 * * 0", nil
	}
	return "", fmt.Errorf("%s is no interval that a schedule can say: it may be 1, 2, 3, 4, 6, 8 or 12 hours, 1 day or 7 days", every)
}

// schedule registers a schedule in each namespace. It takes every claim but those that have volumes of no Ceph: those
// with the label gpuyard.dev/snapshots = off, and those that Fluid makes for a cache.
// Source: snapscheduler, api/v1/snapshotschedule_types.go (a schedule is about claims of its own namespace); Fluid 1.0.8,
// pkg/utils/dataset/volume/create.go (the label of its claims).
func (p *SnapshotPlan) schedule(ctx *pulumi.Context, name string, opts ...pulumi.ResourceOption) error {
	cron, err := SnapshotCron(p.Every)
	if err != nil {
		return err
	}
	for _, namespace := range p.namespaces() {
		if _, err := manifest.New(ctx, name+"-snapshots-"+namespace, manifest.Object{
			APIVersion: apiSchedules, Kind: "SnapshotSchedule", Name: name, Namespace: namespace,
			Fields: pulumi.Map{"spec": pulumi.Map{
				"schedule":  pulumi.String(cron),
				"retention": pulumi.Map{"maxCount": pulumi.Int(p.Keep)},
				"claimSelector": pulumi.Map{"matchExpressions": pulumi.Array{
					pulumi.Map{"key": pulumi.String(labelSnapshots), "operator": pulumi.String("NotIn"), "values": pulumi.ToStringArray([]string{snapshotsOff})},
					pulumi.Map{"key": pulumi.String("fluid.io/dataset-id"), "operator": pulumi.String("DoesNotExist")},
				}},
			}},
		}, opts...); err != nil {
			return err
		}
	}
	return nil
}
