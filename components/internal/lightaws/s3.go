package lightaws

import (
	"maps"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Bucket is a bucket of S3, general or of one zone.
type Bucket struct {
	pulumi.CustomResourceState
	ARN  pulumi.StringOutput `pulumi:"arn"`
	Name pulumi.StringOutput `pulumi:"bucket"`
}

// NewBucket registers a general bucket: forceDestroy, tags. What else it has are resources of their own.
// Source: Pulumi Registry, aws.s3.BucketV2.
func NewBucket(ctx *pulumi.Context, name string, inputs pulumi.Map, opts ...pulumi.ResourceOption) (*Bucket, error) {
	var bucket Bucket
	wasBucket := pulumi.Aliases([]pulumi.Alias{{Type: pulumi.String("aws:s3/bucket:Bucket")}}) // as the SDK's package has it
	opts = append([]pulumi.ResourceOption{wasBucket}, opts...)
	if err := register(ctx, "aws:s3/bucketV2:BucketV2", name, inputs, &bucket, opts); err != nil {
		return nil, err
	}
	return &bucket, nil
}

// NewDirectoryBucket registers a bucket of S3 Express One Zone. It must have bucket, its name, and location.
// Source: Pulumi Registry, aws.s3.DirectoryBucket.
func NewDirectoryBucket(ctx *pulumi.Context, name string, inputs pulumi.Map, opts ...pulumi.ResourceOption) (*Bucket, error) {
	var bucket Bucket
	if err := register(ctx, "aws:s3/directoryBucket:DirectoryBucket", name, inputs, &bucket, opts); err != nil {
		return nil, err
	}
	return &bucket, nil
}

// BucketSetting is the token of a resource that sets one thing of a bucket. S3 has one of each kind a bucket.
type BucketSetting string

// The settings of buckets, each with the inputs that it must have beside bucket.
// Source: Pulumi Registry, aws.s3.
const (
	BucketPolicy            BucketSetting = "aws:s3/bucketPolicy:BucketPolicy"                                                           // policy
	BucketPublicAccessBlock BucketSetting = "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock"                                     // none
	BucketOwnershipControls BucketSetting = "aws:s3/bucketOwnershipControls:BucketOwnershipControls"                                     // rule
	BucketEncryption        BucketSetting = "aws:s3/bucketServerSideEncryptionConfigurationV2:BucketServerSideEncryptionConfigurationV2" // rules
	BucketVersioning        BucketSetting = "aws:s3/bucketVersioningV2:BucketVersioningV2"                                               // versioningConfiguration
	BucketLifecycle         BucketSetting = "aws:s3/bucketLifecycleConfigurationV2:BucketLifecycleConfigurationV2"                       // rules
)

// NewBucketSetting registers a setting of a bucket, whose name it adds to the inputs.
func NewBucketSetting(ctx *pulumi.Context, setting BucketSetting, name string, bucket *Bucket, inputs pulumi.Map, opts ...pulumi.ResourceOption) (pulumi.CustomResource, error) {
	all := pulumi.Map{"bucket": bucket.ID()}
	maps.Copy(all, inputs)
	var resource pulumi.CustomResourceState
	err := register(ctx, string(setting), name, all, &resource, opts)
	return &resource, err
}
