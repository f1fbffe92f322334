package storage_test

import (
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/components/storage"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// refused runs a program that must end with an error that says all of some texts, and must register nothing.
func refused(t *testing.T, program func(*pulumi.Context) error, says ...string) {
	t.Helper()
	graph, err := pulumitest.RunErr(t, program, account())
	if err == nil {
		t.Fatalf("it was registered:\n%s", graph)
	}
	for _, text := range says {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("the error does not say %q:\n%v", text, err)
		}
	}
	if len(graph.Resources) > 0 {
		t.Errorf("something was registered:\n%s", graph)
	}
}

func TestS3RefusesWhatS3Refuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		name string
		args storage.S3Args
		says []string
	}{
		"name":                {"Prod_Data", storage.S3Args{}, []string{"up to 55 lower-case letters, digits and dashes"}},
		"long name":           {strings.Repeat("a", 56), storage.S3Args{}, []string{"up to 55"}},
		"early archive":       {"a-b", storage.S3Args{ArchiveDays: 29}, []string{"archiveDays", "before it is 30 days old"}},
		"expires in archive":  {"a-b", storage.S3Args{ArchiveDays: 30, ExpireDays: 119}, []string{"charges for 90", "after 120 days or later"}},
		"tiered and archived": {"a-b", storage.S3Args{ArchiveDays: 30, Tiered: true}, []string{"tiered"}},
		"express name":        {"a-b", storage.S3Args{ExpressZone: "us-east-2a"}, []string{`"us-east-2a" is not the id of a zone`}},
		"express long":        {strings.Repeat("a", 55), storage.S3Args{ExpressZone: "use2-az1"}, []string{"79 characters long, and 63 are allowed"}},
		"express versions":    {"a-b", storage.S3Args{ExpressZone: "use2-az1", Checkpoints: true}, []string{"keeps no versions"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			refused(t, func(ctx *pulumi.Context) error {
				_, err := storage.NewS3(ctx, c.name, &c.args)
				return err
			}, c.says...)
		})
	}
}

func TestFSxLustreRefusesWhatFSxRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit func(*storage.FSxLustreArgs)
		says []string
	}{
		"throughput":    {func(a *storage.FSxLustreArgs) { a.ThroughputPerTiB = 300 }, []string{"300 is not one of 125, 250, 500, 1000"}},
		"size":          {func(a *storage.FSxLustreArgs) { a.SizeGiB = 2500 }, []string{"2500 is no size that FSx makes: the next is 4800, in steps of 2400"}},
		"size with efa": {func(a *storage.FSxLustreArgs) { a.EFA = true }, []string{"the next is 19200, in steps of 19200"}},
		"fabric":        {func(a *storage.FSxLustreArgs) { a.Fabrics = map[string]pulumi.StringInput{"a": pulumi.String("sg-1")} }, []string{"efa is false"}},
		"linked, backup": {func(a *storage.FSxLustreArgs) {
			a.Linked = &storage.LinkedBucket{Path: "/a", BucketName: pulumi.String("b")}
		}, []string{"backs up no file system that is linked"}},
		"linked path": {func(a *storage.FSxLustreArgs) {
			a.BackupDays, a.Linked = 0, &storage.LinkedBucket{Path: "a", BucketName: pulumi.String("b")}
		}, []string{"a path such as /datasets"}},
		"backups": {func(a *storage.FSxLustreArgs) { a.BackupDays = 91 }, []string{"91 is not between 0 and 90"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := lustreArgs()
			c.edit(args)
			refused(t, func(ctx *pulumi.Context) error {
				_, err := storage.NewFSxLustre(ctx, "prod-scratch", args)
				return err
			}, c.says...)
		})
	}
	refused(t, func(ctx *pulumi.Context) error {
		_, err := storage.NewFSxLustre(ctx, "prod-scratch", nil)
		return err
	}, "vpcId, subnetId and clientGroupId")
}

func TestMountpointRefusesTwoVolumesOfOneHandle(t *testing.T) {
	t.Parallel()
	args := mountpointArgs()
	args.Buckets[1].Name = args.Buckets[0].Name
	refused(t, func(ctx *pulumi.Context) error {
		_, err := storage.NewMountpoint(ctx, "prod", args)
		return err
	}, `buckets[1].name: "datasets" is there twice`)
	refused(t, func(ctx *pulumi.Context) error {
		_, err := storage.NewMountpoint(ctx, "prod", &storage.MountpointArgs{ClusterName: pulumi.String("prod")})
		return err
	}, "there are none", "a Kubernetes version")
}

func TestLustreMountsRefusesTwoVolumesOfOneName(t *testing.T) {
	t.Parallel()
	args := lustreMountsArgs()
	args.FileSystems = append(args.FileSystems, args.FileSystems[0])
	refused(t, func(ctx *pulumi.Context) error {
		_, err := storage.NewLustreMounts(ctx, "prod-lustre", args)
		return err
	}, `fileSystems[1].volume: "prod-scratch" is there twice`)
	refused(t, func(ctx *pulumi.Context) error {
		_, err := storage.NewLustreMounts(ctx, "prod-lustre", nil)
		return err
	}, "there are none")
}
