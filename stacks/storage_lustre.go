package stacks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/blueprint"
	"github.com/gpuyard/gpuyard/components/storage"
	"github.com/gpuyard/gpuyard/internal/lustre"
)

func lustreKind() storageKind {
	return storageKind{kind: "fsx_lustre", explain: explainLustre, deploy: deployLustre}
}

// lustreSize is the capacity in GiB that a file system gets, and the step between capacities.
func lustreSize(f *blueprint.FSxLustre) (gib, step int) {
	return lustre.Capacity(f.Size.Value, f.ThroughputPerTiB.Value, f.EFA.Value)
}

// lustreRate is what a file system serves in all, in MB/s.
func lustreRate(f *blueprint.FSxLustre) int {
	gib, _ := lustreSize(f)
	return lustre.Throughput(gib, f.ThroughputPerTiB.Value)
}

// backupDays is how long backups of a file system are kept: FSx makes none of one that is linked to a bucket.
func backupDays(f *blueprint.FSxLustre) int {
	if f.LinkedTo.Value != nil {
		return 0
	}
	return f.BackupDays.Value
}

// lustrePools are the pools that reach a file system over EFA: those with a fabric in its zone.
func lustrePools(p *Plan, f *blueprint.FSxLustre) []string {
	var names []string
	for _, pool := range p.Pools {
		if f.EFA.Value && pool.Pool.Fabric.Value == "efa" && slices.Equal(pool.Zones, []string{f.Zone.Value}) {
			names = append(names, pool.Pool.Name.Value)
		}
	}
	return names
}

// deployLustre makes the file systems, and the driver by which pods mount them.
func deployLustre(d *storing, stores []*blueprint.Storage) error {
	env := d.plan.Blueprint.Environment.Name.Value
	mounts := &storage.LustreMountsArgs{}
	for _, s := range stores {
		name, f := s.Name.Value, s.FSxLustre
		size, _ := lustreSize(f)
		args := &storage.FSxLustreArgs{
			SizeGiB: size, ThroughputPerTiB: f.ThroughputPerTiB.Value, EFA: f.EFA.Value,
			VpcID: d.vpc.VpcID, SubnetID: d.vpc.PrivateSubnets.MapIndex(pulumi.String(f.Zone.Value)), ClientGroupID: d.eks.SecurityGroupID,
			Fabrics: map[string]pulumi.StringInput{}, BackupDays: backupDays(f),
			AllowDataLoss: s.AllowDataLoss(), Tags: d.tags,
		}
		for _, pool := range lustrePools(d.plan, f) {
			args.Fabrics[pool] = d.fabrics[pool]
		}
		if bucket := f.LinkedTo.Value; bucket != nil {
			args.Linked = &storage.LinkedBucket{Path: "/" + bucket.Name.Value, BucketName: d.buckets[bucket.Name.Value].BucketName, Export: f.Export.Value}
		}
		system, err := storage.NewFSxLustre(d.ctx, d.name(name), args, d.cloud...)
		if err != nil {
			return err
		}
		d.outputs[name] = pulumi.Map{
			"kind": pulumi.String("fsx_lustre"), "fileSystemId": system.FileSystemID, "dnsName": system.DNSName, "mountName": system.MountName,
			"claim": pulumi.String(name), "sizeGiB": pulumi.Int(size),
		}
		mounts.FileSystems = append(mounts.FileSystems, storage.MountedLustre{
			Name: name, Volume: d.name(name), FileSystemID: system.FileSystemID, DNSName: system.DNSName, MountName: system.MountName, SizeGiB: size,
		})
	}
	_, err := storage.NewLustreMounts(d.ctx, env+"-lustre", mounts, d.providers, pulumi.DependsOn(d.nodes))
	return err
}

func explainLustre(p *Plan, s *blueprint.Storage) []Fact {
	var x Section
	f := s.FSxLustre
	size, step := lustreSize(f)
	why := stated(f.Size)
	if size != f.Size.Value {
		why = fmt.Sprintf("%d GiB are wanted (%s), and FSx makes such file systems in steps of %d GiB", f.Size.Value, stated(f.Size), step)
	}
	x.add("size", fmt.Sprintf("%d GiB", size), why)
	x.add("throughput", fmt.Sprintf("%d MB/s in all, %d for each TiB", lustreRate(f), f.ThroughputPerTiB.Value), stated(f.ThroughputPerTiB))
	x.add("zone", f.Zone.Value, stated(f.Zone))
	x.add("version", "Lustre 2.15, PERSISTENT_2 on SSD, LZ4, metadata by size", "clients of today's kernels mount no older one")
	x.add("encryption", "a key of its own, rotated every year", "always")
	clients, why := "over TCP", stated(f.EFA)
	if f.EFA.Value {
		clients = "over EFA from " + strings.Join(lustrePools(p, f), ", ") + "; over TCP from all others"
		why += ": it can only be chosen at creation, and fixes the throughput for each TiB"
	}
	x.add("clients", clients, why)
	x.addLink(f)
	x.add("mount", fmt.Sprintf("claim %s in namespace default", s.Name.Value), "a static volume: no driver makes or deletes the file system")
	x.addCheckpoints(f.Checkpoints, int64(lustreRate(f))*1e6)
	x.addDataLoss(s)
	return x.Facts
}

// addLink says what a file system shows of a bucket, and what copy there is of its files.
func (s *Section) addLink(f *blueprint.FSxLustre) {
	bucket := f.LinkedTo.Value
	if bucket == nil {
		s.add("backups", fmt.Sprintf("every day, kept for %d days, and one when it is removed", backupDays(f)), stated(f.BackupDays))
		return
	}
	name := bucket.Name.Value
	s.add("linked to", fmt.Sprintf("bucket %s as folder /%s", name, name), stated(f.LinkedTo))
	if f.Export.Value {
		s.add("export", fmt.Sprintf("files below /%s go to the bucket as they are made, changed and deleted", name), stated(f.Export))
	}
	s.add("backups", "one when it is removed", "FSx backs up no file system while it is linked to a bucket: what is exported is the copy")
}
