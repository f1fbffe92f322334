package storage

import (
	"github.com/gpuyard/gpuyard/components/internal/iampolicy"
	"github.com/gpuyard/gpuyard/components/internal/lightaws"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// access registers what keeps a bucket private, and returns its policy.
func (b *bucketBuilder) access(bucket *lightaws.Bucket) (pulumi.CustomResource, error) {
	block, err := lightaws.NewBucketSetting(b.ctx, lightaws.BucketPublicAccessBlock, b.name, bucket, pulumi.Map{
		"blockPublicAcls": pulumi.Bool(true), "blockPublicPolicy": pulumi.Bool(true),
		"ignorePublicAcls": pulumi.Bool(true), "restrictPublicBuckets": pulumi.Bool(true),
	}, b.opts...)
	if err != nil {
		return nil, err
	}
	// Without ACLs, whoever writes an object cannot keep it from the bucket's owner.
	_, err = lightaws.NewBucketSetting(b.ctx, lightaws.BucketOwnershipControls, b.name, bucket, pulumi.Map{
		"rule": pulumi.StringMap{"objectOwnership": pulumi.String("BucketOwnerEnforced")},
	}, b.opts...)
	if err != nil {
		return nil, err
	}
	// S3 refuses two changes of one bucket's access at a time, so the policy waits for the block.
	return lightaws.NewBucketSetting(b.ctx, lightaws.BucketPolicy, b.name, bucket, pulumi.Map{
		"policy": bucket.ARN.ApplyT(tlsOnly).(pulumi.StringOutput),
	}, append([]pulumi.ResourceOption{pulumi.DependsOn([]pulumi.Resource{block})}, b.opts...)...)
}

// tlsOnly is the policy of a bucket that refuses requests in the clear, which S3 would answer.
// Source: Amazon S3 User Guide, "Security best practices", "Enforce encryption of data in transit".
func tlsOnly(bucketARN string) string {
	return iampolicy.Document(iampolicy.Statement{
		Sid: "TLSOnly", Effect: "Deny", Principal: map[string]string{"AWS": "*"},
		Action: []string{"s3:*"}, Resource: []string{bucketARN, bucketARN + "/*"},
		Condition: map[string]map[string]string{"Bool": {"aws:SecureTransport": "false"}},
	})
}

// encryption registers how objects are encrypted and returns the key's ARN. Checkpoints have a key of their own: who may
// read them is then said once more, apart from the bucket. With a bucket key S3 asks KMS once for many objects, and not
// for each. Data sets are encrypted under S3's own key, which costs no request at all.
// Source: Amazon S3 User Guide, "Reducing the cost of SSE-KMS with Amazon S3 Bucket Keys".
func (b *bucketBuilder) encryption(bucket *lightaws.Bucket) (pulumi.StringOutput, error) {
	arn := pulumi.String("").ToStringOutput()
	byDefault := pulumi.StringMap{"sseAlgorithm": pulumi.String("AES256")}
	if b.args.Checkpoints {
		key, err := dataKey(b.ctx, b.name, keyArgs{
			description: "Objects of the bucket " + b.name, lustre: b.args.LustreLinked, allowDataLoss: b.args.AllowDataLoss, tags: b.args.Tags,
		}, b.parent)
		if err != nil {
			return arn, err
		}
		arn = key.Arn
		byDefault = pulumi.StringMap{"sseAlgorithm": pulumi.String("aws:kms"), "kmsMasterKeyId": key.Arn}
	}
	_, err := lightaws.NewBucketSetting(b.ctx, lightaws.BucketEncryption, b.name, bucket, pulumi.Map{
		"rules": pulumi.MapArray{pulumi.Map{
			"applyServerSideEncryptionByDefault": byDefault,
			"bucketKeyEnabled":                   pulumi.Bool(b.args.Checkpoints),
		}},
	}, b.opts...)
	return arn, err
}
