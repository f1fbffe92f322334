package storage_test

import (
	"testing"

	"github.com/gpuyard/gpuyard/components/storage"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// account answers what components ask of AWS.
func account() pulumitest.Options {
	answer := func(m map[string]string) pulumitest.CallFunc {
		return func(resource.PropertyMap) (resource.PropertyMap, error) {
			out := resource.PropertyMap{}
			for k, v := range m {
				out[resource.PropertyKey(k)] = resource.NewProperty(v)
			}
			return out, nil
		}
	}
	own := func(key string) pulumitest.OutputFunc {
		return func(name string, inputs resource.PropertyMap) resource.PropertyMap {
			if inputs.HasValue(resource.PropertyKey(key)) {
				return nil
			}
			return resource.PropertyMap{resource.PropertyKey(key): resource.NewProperty(name + "-0123456")}
		}
	}
	return pulumitest.Options{
		Calls: map[string]pulumitest.CallFunc{
			"aws:index/getPartition:getPartition":           answer(map[string]string{"partition": "aws", "dnsSuffix": "amazonaws.com"}),
			"aws:index/getCallerIdentity:getCallerIdentity": answer(map[string]string{"accountId": "111122223333"}),
			"aws:eks/getAddonVersion:getAddonVersion":       answer(map[string]string{"version": "v2.2.2-eksbuild.1"}),
		},
		Outputs: map[string]pulumitest.OutputFunc{
			"aws:s3/bucketV2:BucketV2": own("bucket"),
			"aws:fsx/lustreFileSystem:LustreFileSystem": func(string, resource.PropertyMap) resource.PropertyMap {
				return resource.PropertyMap{"dnsName": resource.NewProperty("fs-0.fsx.us-east-2.amazonaws.com"), "mountName": resource.NewProperty("abcdef")}
			},
		},
	}
}

// tags are those of the environment.
func tags() map[string]string { return map[string]string{"team": "vision"} }

func TestS3Graphs(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]*storage.S3Args{
		"plain":       nil,
		"tiered":      {Tiered: true, Versioned: true, Tags: tags()},
		"checkpoints": {Checkpoints: true, ExpireDays: 30, LustreLinked: true, Tags: tags()},
		"archive":     {ArchiveDays: 30, ExpireDays: 365, AllowDataLoss: true},
		"express":     {ExpressZone: "use2-az1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
				_, err := storage.NewS3(ctx, "prod-data", args)
				return err
			}, account())
			pulumitest.Golden(t, graph.String(), "testdata/s3-"+name+".golden")
		})
	}
}

func TestMountpointGraph(t *testing.T) {
	t.Parallel()
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
		_, err := storage.NewMountpoint(ctx, "prod", mountpointArgs())
		return err
	}, account())
	pulumitest.Golden(t, graph.String(), "testdata/mountpoint.golden")
}

// mountpointArgs describe a bucket of each kind of access.
func mountpointArgs() *storage.MountpointArgs {
	bucket := func(name, key string) storage.MountedBucket {
		return storage.MountedBucket{
			Name: name, BucketName: pulumi.String(name + "-0"), BucketARN: pulumi.String("arn:aws:s3:::" + name + "-0"), KeyARN: pulumi.String(key),
		}
	}
	const key = "arn:aws:kms:us-east-2:111122223333:key/1"
	read, written, fast := bucket("datasets", ""), bucket("results", key), bucket("fast", "")
	written.Write, fast.Express = true, true
	return &storage.MountpointArgs{
		ClusterName: pulumi.String("prod"), Version: "1.35", Region: "us-east-2", Tags: tags(),
		Buckets: []storage.MountedBucket{read, written, fast, bucket("checkpoints", key)},
	}
}

// lustreArgs describes a small file system without EFA.
func lustreArgs() *storage.FSxLustreArgs {
	return &storage.FSxLustreArgs{
		SizeGiB: 2400, ThroughputPerTiB: 250, VpcID: pulumi.String("vpc-1"), SubnetID: pulumi.String("subnet-1"),
		ClientGroupID: pulumi.String("sg-cluster"), BackupDays: 7, Tags: tags(),
	}
}

func TestFSxLustreGraphs(t *testing.T) {
	t.Parallel()
	efa := lustreArgs()
	efa.SizeGiB, efa.ThroughputPerTiB, efa.EFA, efa.BackupDays = 14400, 1000, true, 0
	efa.Fabrics = map[string]pulumi.StringInput{"h100": pulumi.String("sg-h100")}
	efa.Linked = &storage.LinkedBucket{Path: "/datasets", BucketName: pulumi.String("prod-datasets-0123456"), Export: true}
	for name, args := range map[string]*storage.FSxLustreArgs{"tcp": lustreArgs(), "efa-linked": efa} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
				_, err := storage.NewFSxLustre(ctx, "prod-scratch", args)
				return err
			}, account())
			pulumitest.Golden(t, graph.String(), "testdata/fsx-lustre-"+name+".golden")
		})
	}
}

func TestLustreMountsGraph(t *testing.T) {
	t.Parallel()
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
		_, err := storage.NewLustreMounts(ctx, "prod-lustre", lustreMountsArgs())
		return err
	}, account())
	pulumitest.Golden(t, graph.String(), "testdata/lustre-mounts.golden")
}

func lustreMountsArgs() *storage.LustreMountsArgs {
	return &storage.LustreMountsArgs{FileSystems: []storage.MountedLustre{{
		Name: "scratch", Volume: "prod-scratch", FileSystemID: pulumi.String("fs-1"), DNSName: pulumi.String("fs-1.fsx.us-east-2.amazonaws.com"),
		MountName: pulumi.String("abcdef"), SizeGiB: 14400,
	}}}
}
