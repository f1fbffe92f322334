package storage

import (
	"github.com/gpuyard/gpuyard/components/internal/iampolicy"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/s3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// access registers what keeps a bucket private, and returns its policy.
func (b *bucketBuilder) access(bucket *s3.BucketV2) (*s3.BucketPolicy, error) {
	block, err := s3.NewBucketPublicAccessBlock(b.ctx, b.name, &s3.BucketPublicAccessBlockArgs{
		Bucket:          bucket.ID(),
		BlockPublicAcls: pulumi.Bool(true), BlockPublicPolicy: pulumi.Bool(true),
		IgnorePublicAcls: pulumi.Bool(true), RestrictPublicBuckets: pulumi.Bool(true),
	}, b.opts...)
	if err != nil {
		return nil, err
	}
	// Without ACLs, whoever writes an object cannot keep it from the bucket's owner.
	_, err = s3.NewBucketOwnershipControls(b.ctx, b.name, &s3.BucketOwnershipControlsArgs{
		Bucket: bucket.ID(),
		Rule:   &s3.BucketOwnershipControlsRuleArgs{ObjectOwnership: pulumi.String("BucketOwnerEnforced")},
	}, b.opts...)
	if err != nil {
		return nil, err
	}
	// S3 refuses two changes of one bucket's access at a time, so the policy waits for the block.
	return s3.NewBucketPolicy(b.ctx, b.name, &s3.BucketPolicyArgs{
		Bucket: bucket.ID(),
		Policy: bucket.Arn.ApplyT(tlsOnly).(pulumi.StringOutput),
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
func (b *bucketBuilder) encryption(bucket *s3.BucketV2) (pulumi.StringOutput, error) {
	arn := pulumi.String("").ToStringOutput()
	byDefault := &s3.BucketServerSideEncryptionConfigurationV2RuleApplyServerSideEncryptionByDefaultArgs{SseAlgorithm: pulumi.String("AES256")}
	if b.args.Checkpoints {
		key, err := dataKey(b.ctx, b.name, keyArgs{
			description: "Objects of the bucket " + b.name, lustre: b.args.LustreLinked, allowDataLoss: b.args.AllowDataLoss, tags: b.args.Tags,
		}, b.parent)
		if err != nil {
			return arn, err
		}
		arn = key.Arn
		byDefault.SseAlgorithm, byDefault.KmsMasterKeyId = pulumi.String("aws:kms"), key.Arn
	}
	_, err := s3.NewBucketServerSideEncryptionConfigurationV2(b.ctx, b.name, &s3.BucketServerSideEncryptionConfigurationV2Args{
		Bucket: bucket.ID(),
		Rules: s3.BucketServerSideEncryptionConfigurationV2RuleArray{&s3.BucketServerSideEncryptionConfigurationV2RuleArgs{
			ApplyServerSideEncryptionByDefault: byDefault,
			BucketKeyEnabled:                   pulumi.Bool(b.args.Checkpoints),
		}},
	}, b.opts...)
	return arn, err
}
