package storage

import (
	"fmt"

	"github.com/gpuyard/gpuyard/components/internal/iampolicy"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/kms"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// keyDeletionDays is how long a deleted key can be called back, the longest that KMS allows: without the key, nobody
// reads the data again. Source: AWS KMS Developer Guide, "Deleting AWS KMS keys".
const keyDeletionDays = 30

// keyArgs describes a key.
type keyArgs struct {
	description string
	// lustre lets FSx for Lustre use the key for objects of a linked bucket.
	lustre        bool
	allowDataLoss bool
	tags          map[string]string
}

// dataKey registers the key that a store is encrypted under, with an alias, rotated every year.
func dataKey(ctx *pulumi.Context, name string, args keyArgs, parent pulumi.Resource) (*kms.Key, error) {
	var policy pulumi.StringPtrInput
	if args.lustre {
		account, err := aws.GetCallerIdentity(ctx, &aws.GetCallerIdentityArgs{}, pulumi.Parent(parent))
		if err != nil {
			return nil, fmt.Errorf("asking AWS which account this is: %w", err)
		}
		partition, err := aws.GetPartition(ctx, &aws.GetPartitionArgs{}, pulumi.Parent(parent))
		if err != nil {
			return nil, fmt.Errorf("looking up the AWS partition: %w", err)
		}
		policy = pulumi.String(lustreKeyPolicy(partition.Partition, account.AccountId))
	}
	key, err := kms.NewKey(ctx, name, &kms.KeyArgs{
		Description:          pulumi.String(args.description),
		EnableKeyRotation:    pulumi.Bool(true),
		DeletionWindowInDays: pulumi.Int(keyDeletionDays),
		Policy:               policy,
		Tags:                 tags.Merge(args.tags, name),
	}, keep(args.allowDataLoss, pulumi.Parent(parent))...)
	if err != nil {
		return nil, err
	}
	_, err = kms.NewAlias(ctx, name, &kms.AliasArgs{
		Name: pulumi.String("alias/gpuyard/" + name), TargetKeyId: key.KeyId,
	}, pulumi.Parent(parent))
	return key, err
}

// lustreKeyPolicy is KMS's default policy, which leaves access to the account's IAM policies, and lets the roles that
// FSx makes for linked file systems use the key: the policies of those roles are AWS's own and say nothing of KMS.
// Source: FSx for Lustre User Guide, "Working with server-side encrypted Amazon S3 buckets".
func lustreKeyPolicy(partition, account string) string {
	root := fmt.Sprintf("arn:%s:iam::%s:root", partition, account)
	return iampolicy.Document(
		iampolicy.Statement{
			Sid: "Account", Effect: "Allow", Principal: map[string]string{"AWS": root}, Action: []string{"kms:*"}, Resource: []string{"*"},
		},
		iampolicy.Statement{
			// FSx makes a role for each file system when it is there: its name is not known before.
			Sid: "LinkedFileSystems", Effect: "Allow", Principal: map[string]string{"AWS": "*"},
			Action:   []string{"kms:Encrypt", "kms:Decrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:DescribeKey"},
			Resource: []string{"*"},
			Condition: map[string]map[string]string{
				"StringEquals": {"kms:CallerAccount": account},
				"ArnLike": {"aws:PrincipalArn": fmt.Sprintf("arn:%s:iam::%s:role/aws-service-role/s3.data-source.lustre.fsx.amazonaws.com/"+
					"AWSServiceRoleForFSxS3Access_*", partition, account)},
			},
		},
	)
}
