package storage

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"

	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/components/internal/lightaws"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeS3 is the type token of S3.
const TypeS3 = "gpuyard:storage:S3"

// S3Args describes a bucket.
type S3Args struct {
	// Checkpoints says that the bucket holds checkpoints: it keeps versions, and is encrypted under a key of its own.
	Checkpoints bool `pulumi:"checkpoints,optional"`
	// Versioned keeps what is overwritten or deleted for a week. A bucket of checkpoints does so in any case.
	Versioned bool `pulumi:"versioned,optional"`
	// ExpireDays is the age at which objects are deleted; 0 is never.
	ExpireDays int `pulumi:"expireDays,optional"`
	// ArchiveDays is the age at which objects move to Glacier Instant Retrieval, 30 or more; 0 is never.
	ArchiveDays int `pulumi:"archiveDays,optional"`
	// Tiered lets S3 move objects that nobody reads to cheaper tiers, and back at the first read.
	Tiered bool `pulumi:"tiered,optional"`
	// ExpressZone makes a directory bucket of S3 Express One Zone in the zone of this id, such as use2-az1. Such a bucket
	// has no versions and no lifecycle here.
	ExpressZone string `pulumi:"expressZone,optional"`
	// LustreLinked lets FSx for Lustre read and write objects under the bucket's own key.
	LustreLinked bool `pulumi:"lustreLinked,optional"`
	// AllowDataLoss lets the bucket be replaced or removed with everything in it.
	AllowDataLoss bool `pulumi:"allowDataLoss,optional"`
	// Tags are put on everything that takes tags.
	Tags map[string]string `pulumi:"tags,optional"`
}

// S3 is a bucket: private, encrypted, and reached by TLS only.
type S3 struct {
	pulumi.ResourceState

	// BucketName is the bucket's name, which is unique in the world.
	BucketName pulumi.StringOutput `pulumi:"bucketName"`
	// BucketARN is the bucket's ARN. It is known when the bucket's policy is in force.
	BucketARN pulumi.StringOutput `pulumi:"bucketArn"`
	// KeyARN is the key that objects are encrypted under, and empty where that is S3's own.
	KeyARN pulumi.StringOutput `pulumi:"keyArn"`
}

// NewS3 registers an S3.
func NewS3(ctx *pulumi.Context, name string, args *S3Args, opts ...pulumi.ResourceOption) (*S3, error) {
	if args == nil {
		args = &S3Args{}
	}
	if err := checkS3(name, args); err != nil {
		return nil, err
	}
	c := &S3{}
	if err := ctx.RegisterComponentResourceV2(TypeS3, name, args.inputs(), c, opts...); err != nil {
		return nil, err
	}
	b := &bucketBuilder{ctx: ctx, name: name, args: args, parent: c, opts: []pulumi.ResourceOption{pulumi.Parent(c)}}
	var err error
	if args.ExpressZone != "" {
		err = b.directoryBucket(c)
	} else {
		err = b.generalBucket(c)
	}
	if err != nil {
		return nil, err
	}
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{
		"bucketName": c.BucketName, "bucketArn": c.BucketARN, "keyArn": c.KeyARN,
	})
}

func (a *S3Args) inputs() pulumi.Map {
	inputs := pulumi.Map{
		"checkpoints": pulumi.Bool(a.Checkpoints), "allowDataLoss": pulumi.Bool(a.AllowDataLoss), "tags": pulumi.ToStringMap(a.Tags),
	}
	for name, on := range map[string]bool{"versioned": a.Versioned, "tiered": a.Tiered, "lustreLinked": a.LustreLinked} {
		if on {
			inputs[name] = pulumi.Bool(true)
		}
	}
	for name, days := range map[string]int{"expireDays": a.ExpireDays, "archiveDays": a.ArchiveDays} {
		if days > 0 {
			inputs[name] = pulumi.Int(days)
		}
	}
	if a.ExpressZone != "" {
		inputs["expressZone"] = pulumi.String(a.ExpressZone)
	}
	return inputs
}

// versioned says whether the bucket keeps versions.
func (a *S3Args) versioned() bool { return a.Versioned || a.Checkpoints }

// bucketBuilder holds what the resources of one bucket share while they are registered.
type bucketBuilder struct {
	ctx    *pulumi.Context
	name   string
	args   *S3Args
	parent pulumi.Resource
	opts   []pulumi.ResourceOption
}

// generalBucket registers a bucket in all zones of the region. Its name ends in characters of the provider's choice, as
// all names of buckets share one space in the world.
func (b *bucketBuilder) generalBucket(c *S3) error {
	bucket, err := lightaws.NewBucket(b.ctx, b.name, pulumi.Map{
		// S3 deletes no bucket with objects in it, and so fails an update half way, unless the provider empties it.
		"forceDestroy": pulumi.Bool(b.args.AllowDataLoss),
		"tags":         tags.Merge(b.args.Tags, b.name),
	}, keep(b.args.AllowDataLoss, b.opts...)...)
	if err != nil {
		return err
	}
	key, err := b.encryption(bucket)
	if err != nil {
		return err
	}
	policy, err := b.access(bucket)
	if err != nil {
		return err
	}
	if err := b.lifecycle(bucket); err != nil {
		return err
	}
	c.BucketName, c.KeyARN = bucket.Name, key
	c.BucketARN = pulumi.All(bucket.ARN, policy.ID()).ApplyT(func(v []any) string { return v[0].(string) }).(pulumi.StringOutput)
	return nil
}

// directoryBucket registers a bucket of S3 Express One Zone. It blocks public access, has no ACLs and speaks TLS by
// itself, and S3's own key encrypts it.
// Source: Amazon S3 User Guide, "Security best practices for S3 Express One Zone" and "Directory bucket naming rules".
func (b *bucketBuilder) directoryBucket(c *S3) error {
	bucket, err := lightaws.NewDirectoryBucket(b.ctx, b.name, pulumi.Map{
		"bucket":         pulumi.String(directoryBucketName(b.name, b.ctx.Organization()+"/"+b.ctx.Project()+"/"+b.ctx.Stack(), b.args.ExpressZone)),
		"dataRedundancy": pulumi.String("SingleAvailabilityZone"),
		"type":           pulumi.String("Directory"),
		"forceDestroy":   pulumi.Bool(b.args.AllowDataLoss),
		"location":       pulumi.StringMap{"name": pulumi.String(b.args.ExpressZone), "type": pulumi.String("AvailabilityZone")},
	}, keep(b.args.AllowDataLoss, b.opts...)...)
	if err != nil {
		return err
	}
	c.BucketName, c.BucketARN = bucket.Name, bucket.ARN
	c.KeyARN = pulumi.String("").ToStringOutput()
	return nil
}

// directoryBucketName returns the name of a directory bucket. It has to end in its zone, and no other bucket of the
// zone may have it: what stands between tells this stack's bucket from those of others.
// Source: Amazon S3 User Guide, "Directory bucket naming rules".
func directoryBucketName(name, stack, zone string) string {
	sum := sha256.Sum256([]byte(stack))
	return name + "-" + hex.EncodeToString(sum[:])[:7] + "--" + zone + "--x-s3"
}

// The names that buckets can be made of. A general bucket's name gets a dash and seven characters more.
// Source: Amazon S3 User Guide, "General purpose bucket naming rules".
const longestBucketName = 63 - 8

var bucketNamePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*[a-z0-9]$`)

// Stays in storage classes. Source: Amazon S3 User Guide, "Understanding and managing Amazon S3 storage classes".
const (
	shortestArchive = 30 // days before S3 moves an object by age
	archiveStay     = 90 // days that Glacier Instant Retrieval charges for at least
)

func checkS3(name string, args *S3Args) error {
	check := argument.For(TypeS3, name)
	if !bucketNamePattern.MatchString(name) || len(name) > longestBucketName {
		check.Failf("name", "a bucket's name is made of it: up to %d lower-case letters, digits and dashes, with a letter or a digit at both ends", longestBucketName)
	}
	if args.ExpireDays < 0 || args.ArchiveDays < 0 {
		check.Failf("expireDays", "an age is a number of days, and 0 is never")
	}
	if a := args.ArchiveDays; a > 0 && a < shortestArchive {
		check.Failf("archiveDays", "S3 moves no object before it is %d days old", shortestArchive)
	}
	if a, e := args.ArchiveDays, args.ExpireDays; a > 0 && e > 0 && e < a+archiveStay {
		check.Failf("expireDays", "objects move to Glacier Instant Retrieval after %d days, which charges for %d: let them expire after %d days or later, or leave one of both out", a, archiveStay, a+archiveStay)
	}
	if args.Tiered && args.ArchiveDays > 0 {
		check.Failf("tiered", "objects that move to Glacier Instant Retrieval at a fixed age are not tiered by use: leave one of both out")
	}
	if args.ExpressZone != "" {
		checkExpress(check, name, args)
	}
	return check.Err()
}

var zoneID = regexp.MustCompile(`^[a-z]+[0-9]-az[0-9]+$`)

// checkExpress refuses what a directory bucket does not have.
// Source: Amazon S3 User Guide, "Differences for directory buckets".
func checkExpress(check *argument.Checker, name string, args *S3Args) {
	if !zoneID.MatchString(args.ExpressZone) {
		check.Failf("expressZone", "%q is not the id of a zone, such as use2-az1", args.ExpressZone)
	}
	if n := directoryBucketName(name, "", args.ExpressZone); len(n) > 63 {
		check.Failf("name", "it makes the name of a directory bucket %d characters long, and 63 are allowed", len(n))
	}
	if args.versioned() || args.ExpireDays > 0 || args.ArchiveDays > 0 || args.Tiered || args.LustreLinked {
		check.Failf("expressZone", "a directory bucket keeps no versions, has one storage class, and is linked to no file system: leave out versioned, checkpoints, tiered, lustreLinked and the ages, or expressZone")
	}
}
