package storage

import (
	"slices"

	"github.com/gpuyard/gpuyard/components/internal/helm"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeCeph is the type token of Ceph.
const TypeCeph = "gpuyard:storage:Ceph"

// Versions that belong together: the operator's chart brings the operator of the CSI drivers as a subchart, and the
// drivers' chart must be of that subchart's version.
// Source: Rook 1.20.6, deploy/charts/rook-ceph/Chart.yaml and Documentation/Helm-Charts/csi-drivers-chart.md.
const (
	rookVersion    = "v1.20.6"
	driversVersion = "1.0.4"
)

// cephNamespace is where Rook, the drivers and the Ceph cluster live. A cluster of Kubernetes has one Ceph: the operator,
// the drivers' names and the folder of the monitors on the nodes are all of one.
const cephNamespace = "rook-ceph"

// CephArgs describes a Ceph.
type CephArgs struct {
	// Placement is the pool whose nodes hold the data, and run all of Ceph.
	Placement Placement `pulumi:"placement"`
	// Nodes is how many nodes hold data, and Zones in how many zones they are.
	Nodes int `pulumi:"nodes"`
	Zones int `pulumi:"zones"`
	// LocalDisks are raw disks of the nodes, Volumes are volumes of EBS, and Hosts are servers of one's own with the disks
	// that are named. Exactly one of them is given.
	LocalDisks *CephDisks `pulumi:"localDisks,optional"`
	Volumes    *CephDisks `pulumi:"volumes,optional"`
	Hosts      []CephHost `pulumi:"hosts,optional"`
	// Replicas is how many copies there are of everything, 3 when it is zero.
	Replicas int `pulumi:"replicas,optional"`
	// FailureDomain is what copies are spread over: zone, host, or empty for zone where there are enough of them.
	FailureDomain string `pulumi:"failureDomain,optional"`
	// ObjectStore adds a store of objects that speaks S3.
	ObjectStore bool `pulumi:"objectStore,optional"`
	// DefaultClass makes the storage class of block volumes the cluster's default.
	DefaultClass bool `pulumi:"defaultClass,optional"`
	// Snapshots says when volumes are snapshotted; nil for never. The cluster needs Snapshots.
	Snapshots *SnapshotPlan `pulumi:"snapshots,optional"`
	// Monitoring adds alerts and a dashboard. The cluster needs Monitoring, or the Prometheus operator.
	Monitoring bool `pulumi:"monitoring,optional"`
	// AllowDataLoss lets pools be removed with everything in them.
	AllowDataLoss bool `pulumi:"allowDataLoss,optional"`
	// ClusterNeeds is what the cluster waits for and the operator does not: the driver of EBS for its volumes, and names.
	ClusterNeeds []pulumi.Resource
	// SnapshotNeeds is what snapshots wait for and the cluster does not: what Snapshots returns as Ready.
	SnapshotNeeds []pulumi.Resource
}

// CephDisks are alike disks of each node.
type CephDisks struct {
	// PerNode is how many a node has, and SizeGiB the size of each.
	PerNode int `pulumi:"perNode"`
	SizeGiB int `pulumi:"sizeGiB"`
}

// CephHost is a server with its disks.
type CephHost struct {
	// Name is the node's label kubernetes.io/hostname.
	Name string `pulumi:"name"`
	// Devices are disks by a path that survives a restart, such as /dev/disk/by-id/….
	Devices []string `pulumi:"devices"`
}

// Ceph is a Ceph cluster run by Rook: block volumes, a shared file system and, if asked for, objects.
//
// Three releases make it, in this order: the operator, the CSI drivers, the cluster. Then a job counts the disks that
// joined: Rook reports a cluster ready that has none, when it skipped disks which somebody else had formatted. Only then
// come pools and storage classes. A claim that is older than its pool fails, and is tried again late.
//
// Source: Rook 1.20.6, Documentation/Helm-Charts; rook#6832 and rook#3397 (disks that are skipped), rook#17644 (drivers
// are a release of their own).
type Ceph struct {
	pulumi.ResourceState

	// BlockClass is the storage class of volumes for one pod, FileClass that of volumes that many pods write, and
	// BucketClass that of buckets, empty without ObjectStore.
	BlockClass  pulumi.StringOutput `pulumi:"blockClass"`
	FileClass   pulumi.StringOutput `pulumi:"fileClass"`
	BucketClass pulumi.StringOutput `pulumi:"bucketClass"`
	// FailureDomain is what copies are spread over, and OSDs how many disks hold data.
	FailureDomain pulumi.StringOutput `pulumi:"failureDomain"`
	OSDs          pulumi.IntOutput    `pulumi:"osds"`

	ready []pulumi.Resource
}

// Ready are the storage classes and what they stand on: claims wait for it by pulumi.DependsOn.
func (c *Ceph) Ready() []pulumi.Resource { return c.ready }

// NewCeph registers a Ceph. It registers nothing when the arguments are wrong. Its pods need nodes: pass pulumi.DependsOn of
// the node pools.
func NewCeph(ctx *pulumi.Context, name string, args *CephArgs, opts ...pulumi.ResourceOption) (*Ceph, error) {
	plan, err := PlanCeph(name, args)
	if err != nil {
		return nil, err
	}
	c := &Ceph{}
	if err := ctx.RegisterComponentResourceV2(TypeCeph, name, args.inputs(), c, opts...); err != nil {
		return nil, err
	}
	b := &cephBuilder{ctx: ctx, name: name, args: args, plan: plan, parent: pulumi.Parent(c)}
	for _, step := range []func() error{b.disks, b.releases, b.readiness, b.pools, b.snapshots, b.dashboard} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	c.ready = b.classes
	c.BlockClass, c.FileClass = pulumi.String(name+"-block").ToStringOutput(), pulumi.String(name+"-file").ToStringOutput()
	c.BucketClass = pulumi.String("").ToStringOutput()
	if args.ObjectStore {
		c.BucketClass = pulumi.String(name + "-bucket").ToStringOutput()
	}
	c.FailureDomain, c.OSDs = pulumi.String(plan.FailureDomain).ToStringOutput(), pulumi.Int(plan.OSDs).ToIntOutput()
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{
		"blockClass": c.BlockClass, "fileClass": c.FileClass, "bucketClass": c.BucketClass,
		"failureDomain": c.FailureDomain, "osds": c.OSDs,
	})
}

// inputs returns the arguments as the component's own inputs, for policies to judge.
func (a *CephArgs) inputs() pulumi.Map {
	inputs := pulumi.Map{
		"placement": a.Placement.inputs(), "nodes": pulumi.Int(a.Nodes), "zones": pulumi.Int(a.Zones), "replicas": pulumi.Int(a.replicas()),
		"objectStore": pulumi.Bool(a.ObjectStore), "defaultClass": pulumi.Bool(a.DefaultClass), "monitoring": pulumi.Bool(a.Monitoring),
		"allowDataLoss": pulumi.Bool(a.AllowDataLoss),
	}
	if a.FailureDomain != "" {
		inputs["failureDomain"] = pulumi.String(a.FailureDomain)
	}
	for key, disks := range map[string]*CephDisks{"localDisks": a.LocalDisks, "volumes": a.Volumes} {
		if disks != nil {
			inputs[key] = pulumi.Map{"perNode": pulumi.Int(disks.PerNode), "sizeGiB": pulumi.Int(disks.SizeGiB)}
		}
	}
	var hosts pulumi.Array
	for _, h := range a.Hosts {
		hosts = append(hosts, pulumi.Map{"name": pulumi.String(h.Name), "devices": pulumi.ToStringArray(h.Devices)})
	}
	if len(hosts) > 0 {
		inputs["hosts"] = hosts
	}
	if a.Snapshots != nil {
		inputs["snapshots"] = a.Snapshots.inputs()
	}
	return inputs
}

func (a *CephArgs) replicas() int {
	if a.Replicas == 0 {
		return 3
	}
	return a.Replicas
}

// cephBuilder registers the parts of a Ceph one after the other. Each step waits for what the one before it made, by
// after.
type cephBuilder struct {
	ctx    *pulumi.Context
	name   string
	args   *CephArgs
	plan   CephPlan
	parent pulumi.ResourceOption

	offered []pulumi.Resource // what disks come from
	after   []pulumi.Resource
	classes []pulumi.Resource
}

// with returns the options of a part that waits for what was made so far.
func (b *cephBuilder) with(opts ...pulumi.ResourceOption) []pulumi.ResourceOption {
	return append([]pulumi.ResourceOption{b.parent, pulumi.DependsOn(b.after)}, opts...)
}

// diskClass is the storage class that disks and monitors get their volumes from.
func (b *cephBuilder) diskClass() string { return b.name + "-disks" }

// monitorClass is the storage class of the monitors' own volumes, which outlive a node.
func (b *cephBuilder) monitorClass() string { return b.name + "-monitors" }

// disks registers the storage classes of what Ceph itself lives on.
func (b *cephBuilder) disks() error {
	if len(b.args.Hosts) > 0 {
		return nil
	}
	monitors, err := newStorageClass(b.ctx, b.name+"-monitors", ebsClass(b.monitorClass()), b.parent)
	if err != nil {
		return err
	}
	b.offered = append(b.offered, monitors)
	if b.args.Volumes != nil {
		class, err := newStorageClass(b.ctx, b.name+"-disks", ebsClass(b.diskClass()), b.parent)
		b.offered = append(b.offered, class)
		return err
	}
	volumes := localVolumes{class: b.diskClass(), mode: "Block", Placement: b.args.Placement}
	made, err := provision(b.ctx, b.name+"-disks", volumes, false, b.parent)
	b.offered = append(b.offered, made...)
	return err
}

// releases registers operator, drivers and cluster. Only the cluster needs disks.
func (b *cephBuilder) releases() error {
	const rook, csi = "https://charts.rook.io/release", "https://ceph.github.io/ceph-csi-operator"
	for _, r := range []struct {
		chart  helm.Chart
		values pulumi.Map
		needs  []pulumi.Resource
		opts   []pulumi.ResourceOption
	}{
		{helm.Chart{Name: "rook-ceph", Version: rookVersion, Repository: rook}, operatorValues(b.args), nil, nil},
		{helm.Chart{Name: "ceph-csi-drivers", Version: driversVersion, Repository: csi}, driverValues(), nil, nil},
		{helm.Chart{Name: "rook-ceph-cluster", Version: rookVersion, Repository: rook}, b.clusterValues(),
			slices.Concat(b.offered, b.args.ClusterNeeds), keep(b.args.AllowDataLoss)},
	} {
		b.after = append(b.after, r.needs...)
		release, err := helm.Install(b.ctx, b.name+"-"+r.chart.Name, helm.Release{Chart: r.chart, Namespace: cephNamespace, Timeout: 900},
			r.values, b.with(r.opts...)...)
		if err != nil {
			return err
		}
		b.after = []pulumi.Resource{release}
	}
	return nil
}
