package stacks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/components/storage"
)

func cephKind() storageKind {
	return storageKind{kind: "ceph", explain: explainCeph, deploy: deployCeph}
}

// cephArgs maps a Ceph of the blueprint to the arguments of its component.
func cephArgs(p *Plan, s *blueprint.Storage) *storage.CephArgs {
	c, pool := s.Ceph, s.Ceph.Pool.Value
	args := &storage.CephArgs{
		Placement: placement(pool), Nodes: pool.Size.Desired.Value, Zones: len(pool.Zones(p.Blueprint.Network)),
		Replicas: c.Replicas.Value, FailureDomain: c.FailureDomain.Value, ObjectStore: c.ObjectStore.Value,
		DefaultClass: p.Blueprint.HasDefaultClass(s), Monitoring: c.Monitoring.Value, AllowDataLoss: s.AllowDataLoss(),
	}
	switch {
	case pool.Hosts != nil:
		for _, address := range pool.Hosts.Addresses {
			args.Hosts = append(args.Hosts, storage.CephHost{Name: address.Value, Devices: values(c.Devices)})
		}
	case c.VolumeSize.IsSet():
		args.Volumes = &storage.CephDisks{PerNode: 1, SizeGiB: c.VolumeSize.Value}
	default:
		args.LocalDisks = &storage.CephDisks{PerNode: c.DisksPerNode(pool.Types[0]), SizeGiB: gibOfGB(pool.Types[0].Disks.SizeGB)}
		for _, t := range pool.Types[1:] {
			args.LocalDisks.PerNode = min(args.LocalDisks.PerNode, c.DisksPerNode(t))
		}
	}
	if c.Snapshots != nil {
		args.Snapshots = &storage.SnapshotPlan{Every: c.Snapshots.Every.Value, Keep: c.Snapshots.Keep.Value, Namespaces: values(c.Snapshots.Namespaces)}
	}
	return args
}

// gibOfGB converts the size of a disk, which is sold by powers of ten.
func gibOfGB(gb int) int { return int(int64(gb) * 1e9 >> 30) }

func deployCeph(d *storing, stores []*blueprint.Storage) error {
	after := d.early // its operator asks for neither names nor volumes
	var snapshots []pulumi.Resource
	if slices.ContainsFunc(stores, func(s *blueprint.Storage) bool { return s.Ceph.Snapshots != nil }) {
		made, err := storage.NewSnapshots(d.ctx, environment(d.plan), &storage.SnapshotsArgs{
			ClusterName: d.eks.Name, Version: d.plan.Blueprint.Environment.KubernetesVersion.Value, Tags: d.tags,
		}, d.providers, pulumi.DependsOn(d.nodes))
		if err != nil {
			return err
		}
		snapshots = made.Ready()
	}
	if slices.ContainsFunc(stores, func(s *blueprint.Storage) bool { return s.Ceph.Monitoring.Value }) {
		monitoring, err := storage.NewMonitoring(d.ctx, environment(d.plan), d.providers, pulumi.DependsOn(d.early))
		if err != nil {
			return err
		}
		after = slices.Concat(after, monitoring.Ready())
	}
	for _, s := range stores {
		args := cephArgs(d.plan, s)
		args.ClusterNeeds, args.SnapshotNeeds = d.nodes, snapshots
		ceph, err := storage.NewCeph(d.ctx, d.name(s.Name.Value), args, d.providers, pulumi.DependsOn(after))
		if err != nil {
			return err
		}
		d.outputs[s.Name.Value] = pulumi.Map{
			"kind": pulumi.String("ceph"), "blockClass": ceph.BlockClass, "fileClass": ceph.FileClass, "bucketClass": ceph.BucketClass,
			"failureDomain": ceph.FailureDomain, "disks": ceph.OSDs,
		}
	}
	return nil
}

func explainCeph(p *Plan, s *blueprint.Storage) []Fact {
	var x Section
	args := cephArgs(p, s)
	plan, err := storage.PlanCeph(s.Name.Value, args)
	if err != nil {
		panic(fmt.Sprintf("a checked blueprint has a Ceph that cannot be planned: %v", err))
	}
	name := environment(p) + "-" + s.Name.Value
	x.add("pool", s.Ceph.Pool.Value.Name.Value, stated(s.Ceph.Pool))
	x.add("disks", fmt.Sprint(plan.OSDs), disksWhy(s.Ceph, args))
	x.add("copies", fmt.Sprintf("%d, each in another %s", plan.Replicas, plan.FailureDomain), plan.Why)
	if plan.RawGiB > 0 {
		x.add("room", fmt.Sprintf("%d GiB", plan.UsableGiB), fmt.Sprintf("%d GiB of disks hold %d copies, and Ceph warns when they are 85 %% full", plan.RawGiB, plan.Replicas))
	}
	x.add("daemons", fmt.Sprintf("%d monitors, %d managers", plan.Monitors, plan.Managers), "three monitors outlive the loss of one")
	classes := fmt.Sprintf("%s-block for one pod, %s-file for many", name, name)
	if args.ObjectStore {
		classes += fmt.Sprintf(", %s-bucket for objects", name)
	}
	x.add("storage classes", classes, "made when all disks have joined")
	x.addDefaultClass(args.DefaultClass)
	x.addSnapshots(s.Ceph.Snapshots)
	if args.Monitoring {
		x.add("monitoring", "Ceph's alerts, scraped services, a Grafana dashboard", stated(s.Ceph.Monitoring)+"; the cluster's own Prometheus and Grafana read them")
	}
	x.addCheckpoints(s.Checkpoints(), 0)
	x.addDataLoss(s)
	return x.Facts
}

func disksWhy(c *blueprint.Ceph, args *storage.CephArgs) string {
	switch {
	case args.Volumes != nil:
		return fmt.Sprintf("%d nodes with a gp3 volume of %d GiB each", args.Nodes, args.Volumes.SizeGiB)
	case args.LocalDisks != nil:
		return fmt.Sprintf("%d nodes of %s with %d local disks of %d GiB each", args.Nodes, c.Pool.Value.Types[0].Name, args.LocalDisks.PerNode, args.LocalDisks.SizeGiB)
	default:
		return fmt.Sprintf("%d hosts with the disks that devices names", len(args.Hosts))
	}
}

// addSnapshots says when volumes are snapshotted, and how long a snapshot is kept.
func (s *Section) addSnapshots(snapshots *blueprint.Snapshots) {
	if snapshots == nil {
		s.add("snapshots", "none", "default")
		return
	}
	namespaces := values(snapshots.Namespaces)
	if len(namespaces) == 0 {
		namespaces = []string{"default"}
	}
	cron, err := storage.SnapshotCron(snapshots.Every.Value)
	if err != nil {
		panic(fmt.Sprintf("a checked blueprint has snapshots without a schedule: %v", err))
	}
	s.add("snapshots", fmt.Sprintf("every %s at half past (%s), the newest %d of each claim in %s", hours(snapshots.Every.Value), cron, snapshots.Keep.Value, strings.Join(namespaces, ", ")), stated(snapshots.Every))
}
