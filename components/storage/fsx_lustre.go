package storage

import (
	"slices"

	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/components/internal/lightaws"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/gpuyard/gpuyard/internal/lustre"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeFSxLustre is the type token of FSxLustre.
const TypeFSxLustre = "gpuyard:storage:FSxLustre"

// lustreVersion is the version of Lustre that file systems have. Clients of today's kernels mount no older one.
// Source: aws-fsx-csi-driver issue 437; amazon-linux-2023 issue 723.
const lustreVersion = "2.15"

// FSxLustreArgs describes a file system.
type FSxLustreArgs struct {
	// SizeGiB is the capacity: one that FSx makes, see lustre.Capacity.
	SizeGiB int `pulumi:"sizeGiB"`
	// ThroughputPerTiB is 125, 250, 500 or 1000 MB/s for each TiB.
	ThroughputPerTiB int `pulumi:"throughputPerTiB"`
	// EFA serves clients over EFA. It cannot be changed later, nor can then ThroughputPerTiB.
	EFA bool `pulumi:"efa,optional"`
	// VpcID and SubnetID say where it is: in one zone, that of the nodes that use it.
	VpcID    pulumi.StringInput `pulumi:"vpcId"`
	SubnetID pulumi.StringInput `pulumi:"subnetId"`
	// ClientGroupID is the security group that all nodes have.
	ClientGroupID pulumi.StringInput `pulumi:"clientGroupId"`
	// Fabrics are the security groups of the EFA interfaces of the pools that reach it over EFA, by pool.
	Fabrics map[string]pulumi.StringInput `pulumi:"fabrics,optional"`
	// Linked is the bucket whose objects appear as files, nil for none.
	Linked *LinkedBucket `pulumi:"linked,optional"`
	// BackupDays is how long daily backups are kept, 0 for none. FSx backs up no file system that is linked to a bucket.
	BackupDays int `pulumi:"backupDays,optional"`
	// AllowDataLoss lets the file system be replaced or removed with everything in it.
	AllowDataLoss bool `pulumi:"allowDataLoss,optional"`
	// Tags are put on everything that takes tags.
	Tags map[string]string `pulumi:"tags,optional"`
}

// LinkedBucket is a bucket that a file system shows.
type LinkedBucket struct {
	// Path is the folder of the file system that shows the bucket, such as /datasets.
	Path string `pulumi:"path"`
	// BucketName is the bucket's name.
	BucketName pulumi.StringInput `pulumi:"bucketName"`
	// Export writes files of the folder back to the bucket as they are made, changed and deleted.
	Export bool `pulumi:"export,optional"`
}

// FSxLustre is an Amazon FSx for Lustre file system, PERSISTENT_2 on SSD, encrypted under a key of its own.
// Pods mount it by NewLustreMounts.
//
// It leaves a last backup behind when it is removed; a link to a bucket is taken off before that.
type FSxLustre struct {
	pulumi.ResourceState

	// FileSystemID, DNSName and MountName are what a client mounts: DNSName@tcp:/MountName.
	FileSystemID pulumi.StringOutput `pulumi:"fileSystemId"`
	DNSName      pulumi.StringOutput `pulumi:"dnsName"`
	MountName    pulumi.StringOutput `pulumi:"mountName"`
	// SecurityGroupID is the group of its interfaces.
	SecurityGroupID pulumi.StringOutput `pulumi:"securityGroupId"`
}

// NewFSxLustre registers an FSxLustre.
func NewFSxLustre(ctx *pulumi.Context, name string, args *FSxLustreArgs, opts ...pulumi.ResourceOption) (*FSxLustre, error) {
	if err := checkFSxLustre(name, args); err != nil {
		return nil, err
	}
	c := &FSxLustre{}
	if err := ctx.RegisterComponentResourceV2(TypeFSxLustre, name, args.inputs(), c, opts...); err != nil {
		return nil, err
	}
	b := &lustreBuilder{ctx: ctx, name: name, args: args, parent: c, opts: []pulumi.ResourceOption{pulumi.Parent(c)}}
	system, err := b.fileSystem()
	if err != nil {
		return nil, err
	}
	if err := b.link(system); err != nil {
		return nil, err
	}
	c.FileSystemID, c.DNSName, c.MountName, c.SecurityGroupID = system.ID().ToStringOutput(), system.DNSName, system.MountName, b.groupID
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{
		"fileSystemId": c.FileSystemID, "dnsName": c.DNSName, "mountName": c.MountName, "securityGroupId": c.SecurityGroupID,
	})
}

// inputs returns the arguments as the component's own inputs, for policies to judge. The groups of its clients are left
// out: a component waits for its inputs, and what cluster and pools take ten minutes for does not hold the file system up.
func (a *FSxLustreArgs) inputs() pulumi.Map {
	inputs := pulumi.Map{
		"sizeGiB": pulumi.Int(a.SizeGiB), "throughputPerTiB": pulumi.Int(a.ThroughputPerTiB), "efa": pulumi.Bool(a.EFA),
		"vpcId": a.VpcID, "subnetId": a.SubnetID, "backupDays": pulumi.Int(a.BackupDays),
		"allowDataLoss": pulumi.Bool(a.AllowDataLoss), "tags": pulumi.ToStringMap(a.Tags),
	}
	if l := a.Linked; l != nil {
		inputs["linked"] = pulumi.Map{"path": pulumi.String(l.Path), "bucketName": l.BucketName, "export": pulumi.Bool(l.Export)}
	}
	return inputs
}

// lustreBuilder holds what the resources of one file system share while they are registered.
type lustreBuilder struct {
	ctx     *pulumi.Context
	name    string
	args    *FSxLustreArgs
	parent  pulumi.Resource
	opts    []pulumi.ResourceOption
	groupID pulumi.StringOutput
}

// fileSystem registers the file system. When FSx makes it, it looks at what its security group opens to itself, so these
// rules come first; those for clients need the cluster, which takes as long as the file system. The metadata configuration
// is always given: it cannot be added later, and EFA needs one.
// Source: FSx for Lustre User Guide, "Can't create a file system"; aws-parallelcluster issue 7616.
func (b *lustreBuilder) fileSystem() (*lightaws.LustreFileSystem, error) {
	rules, err := b.securityGroup()
	if err != nil {
		return nil, err
	}
	key, err := dataKey(b.ctx, b.name, keyArgs{
		description: "Files of the Lustre file system " + b.name, allowDataLoss: b.args.AllowDataLoss, tags: b.args.Tags,
	}, b.parent)
	if err != nil {
		return nil, err
	}
	inputs := pulumi.Map{
		"deploymentType":           pulumi.String("PERSISTENT_2"),
		"storageType":              pulumi.String("SSD"),
		"fileSystemTypeVersion":    pulumi.String(lustreVersion),
		"storageCapacity":          pulumi.Int(b.args.SizeGiB),
		"perUnitStorageThroughput": pulumi.Int(b.args.ThroughputPerTiB),
		"efaEnabled":               pulumi.Bool(b.args.EFA),
		"dataCompressionType":      pulumi.String("LZ4"),
		"metadataConfiguration":    pulumi.Map{"mode": pulumi.String("AUTOMATIC")},
		"subnetIds":                b.args.SubnetID,
		"securityGroupIds":         pulumi.StringArray{b.groupID},
		"kmsKeyId":                 key.Arn,
		// Left out, it is true, and a removed file system leaves nothing behind.
		"skipFinalBackup":              pulumi.Bool(false),
		"automaticBackupRetentionDays": pulumi.Int(b.args.BackupDays),
		"tags":                         tags.Merge(b.args.Tags, b.name),
	}
	if b.args.BackupDays > 0 {
		inputs["copyTagsToBackups"] = pulumi.Bool(true)
	}
	opts := append([]pulumi.ResourceOption{pulumi.DependsOn(rules)}, b.opts...)
	if b.args.EFA {
		// FSx refuses to change it, in the middle of an update: as a replacement, it is refused before.
		opts = append(opts, pulumi.ReplaceOnChanges([]string{"perUnitStorageThroughput"}))
	}
	return lightaws.NewLustreFileSystem(b.ctx, b.name, inputs, keep(b.args.AllowDataLoss, opts...)...)
}

// link registers the association with a bucket: objects appear as files at once and as they come, and files go to the
// bucket where that is asked for. The link does not own the files: they stay when it goes.
// Source: FSx for Lustre User Guide, "Linking your file system to an Amazon S3 bucket".
func (b *lustreBuilder) link(system *lightaws.LustreFileSystem) error {
	l := b.args.Linked
	if l == nil {
		return nil
	}
	events := pulumi.ToStringArray([]string{"NEW", "CHANGED", "DELETED"})
	sync := pulumi.Map{"autoImportPolicy": pulumi.Map{"events": events}}
	if l.Export {
		sync["autoExportPolicy"] = pulumi.Map{"events": events}
	}
	return lightaws.NewDataRepositoryAssociation(b.ctx, b.name, pulumi.Map{
		"fileSystemId":                system.ID(),
		"fileSystemPath":              pulumi.String(l.Path),
		"dataRepositoryPath":          pulumi.Sprintf("s3://%s", l.BucketName),
		"batchImportMetaDataOnCreate": pulumi.Bool(true),
		"s3":                          sync,
		"tags":                        tags.Merge(b.args.Tags, b.name),
	}, b.opts...)
}

func checkFSxLustre(name string, args *FSxLustreArgs) error {
	check := argument.For(TypeFSxLustre, name)
	if args == nil || args.VpcID == nil || args.SubnetID == nil || args.ClientGroupID == nil {
		check.Failf("args", "a file system needs vpcId, subnetId and clientGroupId")
		return check.Err()
	}
	if !slices.Contains(lustre.Throughputs(), args.ThroughputPerTiB) {
		check.Failf("throughputPerTiB", "%d is not one of 125, 250, 500, 1000", args.ThroughputPerTiB)
		return check.Err()
	}
	if size, step := lustre.Capacity(args.SizeGiB, args.ThroughputPerTiB, args.EFA); size != args.SizeGiB {
		check.Failf("sizeGiB", "%d is no size that FSx makes: the next is %d, in steps of %d", args.SizeGiB, size, step)
	}
	if len(args.Fabrics) > 0 && !args.EFA {
		check.Failf("fabrics", "they are of EFA interfaces, and efa is false")
	}
	if args.BackupDays < 0 || args.BackupDays > 90 {
		check.Failf("backupDays", "%d is not between 0 and 90", args.BackupDays)
	}
	if l := args.Linked; l != nil {
		if args.BackupDays > 0 {
			check.Failf("backupDays", "FSx backs up no file system that is linked to a bucket: let it be 0, or leave linked out")
		}
		if l.BucketName == nil || len(l.Path) < 2 || l.Path[0] != '/' {
			check.Failf("linked", "it needs bucketName and a path such as /datasets")
		}
	}
	return check.Err()
}
