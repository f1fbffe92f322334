package serverless

import (
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/iam"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/components/internal/iampolicy"
)

// rights is what a function may do, by the names of what it may do it to.
type rights struct {
	partition, logGroup, failedQueue string
	queue, accessPoint               string // empty: none
	bucket, key                      string // of weights; empty: none
	vpc, tracing                     bool
}

// policy returns the policy of a function's role: its own logs, its own queues, its own weights and nothing else.
// Sources: Lambda Developer Guide, "Defining Lambda function permissions with an execution role", "Giving Lambda
// functions access to resources in an Amazon VPC"; EFS User Guide, "Using IAM to control file system data access"; S3
// User Guide, "Using server-side encryption with AWS KMS keys".
func (r rights) policy() string {
	statements := []iampolicy.Statement{
		{Action: []string{"logs:CreateLogStream", "logs:PutLogEvents"}, Resource: []string{r.logGroup + ":*"}},
		{Action: []string{"sqs:SendMessage"}, Resource: []string{r.failedQueue}},
	}
	if r.queue != "" {
		statements = append(statements, iampolicy.Statement{
			Action: []string{"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ChangeMessageVisibility"}, Resource: []string{r.queue},
		})
	}
	if r.bucket != "" {
		object := "arn:" + r.partition + ":s3:::" + r.bucket
		statements = append(statements,
			iampolicy.Statement{Action: []string{"s3:GetObject"}, Resource: []string{object + "/" + r.key}},
			// A bucket with a key of its own is read through S3 alone, and only for this bucket.
			iampolicy.Statement{Action: []string{"kms:Decrypt"}, Resource: []string{"*"}, Condition: map[string]map[string]string{"StringLike": {
				"kms:ViaService": "s3.*.amazonaws.com", "kms:EncryptionContext:aws:s3:arn": object + "*",
			}}})
	}
	if r.vpc {
		statements = append(statements, iampolicy.Statement{Action: []string{
			"ec2:CreateNetworkInterface", "ec2:DescribeNetworkInterfaces", "ec2:DescribeSubnets", "ec2:DeleteNetworkInterface",
			"ec2:AssignPrivateIpAddresses", "ec2:UnassignPrivateIpAddresses",
		}, Resource: []string{"*"}})
	}
	if r.accessPoint != "" {
		statements = append(statements, iampolicy.Statement{
			Action: []string{"elasticfilesystem:ClientMount", "elasticfilesystem:ClientWrite"}, Resource: []string{"*"},
			Condition: map[string]map[string]string{"StringEquals": {"elasticfilesystem:AccessPointArn": r.accessPoint}},
		})
	}
	if r.tracing {
		statements = append(statements, iampolicy.Statement{Action: []string{"xray:PutTraceSegments", "xray:PutTelemetryRecords"}, Resource: []string{"*"}})
	}
	return iampolicy.Allow(statements...)
}

// role registers the function's role. Its ARN is known when the policy is there: the function is refused without it.
func (b *functionBuilder) role(*Function) error {
	partition, err := aws.GetPartition(b.ctx, nil, pulumi.Parent(b.group))
	if err != nil {
		return err
	}
	role, err := iam.NewRole(b.ctx, b.name, &iam.RoleArgs{
		Description:      pulumi.String("The Lambda function " + b.name),
		AssumeRolePolicy: pulumi.String(iampolicy.ServiceTrust("lambda.amazonaws.com")),
		Tags:             b.tags(b.name),
	}, b.opts...)
	if err != nil {
		return err
	}
	a := b.args
	may := rights{partition: partition.Partition, vpc: a.SubnetIDs != nil, tracing: a.Tracing}
	if a.Weights != nil {
		may.bucket, may.key = a.Weights.object()
	}
	none := pulumi.String("").ToStringOutput()
	queue, accessPoint := none, none
	if b.queue.calls != nil {
		queue = b.queue.calls.Arn
	}
	if a.AccessPointARN != nil {
		accessPoint = a.AccessPointARN.ToStringOutput()
	}
	policy, err := iam.NewRolePolicy(b.ctx, b.name, &iam.RolePolicyArgs{
		Role: role.Name,
		Policy: pulumi.All(b.group.ARN, b.queue.failed.Arn, queue, accessPoint).ApplyT(func(arns []any) string {
			r := may
			r.logGroup, r.failedQueue, r.queue, r.accessPoint = arns[0].(string), arns[1].(string), arns[2].(string), arns[3].(string)
			return r.policy()
		}).(pulumi.StringOutput),
	}, b.opts...)
	if err != nil {
		return err
	}
	b.roleARN = pulumi.All(role.Arn, policy.ID()).ApplyT(func(all []any) string { return all[0].(string) }).(pulumi.StringOutput)
	return nil
}
