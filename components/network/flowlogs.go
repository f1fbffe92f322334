package network

import (
	"github.com/gpuyard/gpuyard/components/internal/iampolicy"
	"github.com/gpuyard/gpuyard/components/internal/lightaws"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/iam"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// flowLogRetentionDays is how long flow logs are kept: they are bulky, and asked for within days of what they show.
const flowLogRetentionDays = 30

// flowLogInterval is the longest time in seconds over which flows are summed up, and the cheapest.
// Source: Amazon VPC User Guide, "Flow log basics".
const flowLogInterval = 600

// flowLogs registers a log of who talked to whom in the VPC. EFA's own protocol is not in it: it is no IP traffic.
func (b *builder) flowLogs() error {
	if !b.args.FlowLogs {
		return nil
	}
	name := b.name + "-flow-logs"
	group, err := lightaws.NewLogGroup(b.ctx, name, pulumi.Map{
		"retentionInDays": pulumi.Int(flowLogRetentionDays),
		"tags":            tags.Merge(b.args.Tags, name),
	}, b.opts...)
	if err != nil {
		return err
	}
	role, err := iam.NewRole(b.ctx, name, &iam.RoleArgs{
		AssumeRolePolicy: pulumi.String(flowLogTrust()),
		Description:      pulumi.String("Flow logs of the VPC " + b.name),
		Tags:             tags.Merge(b.args.Tags, name),
	}, b.opts...)
	if err != nil {
		return err
	}
	policy, err := iam.NewRolePolicy(b.ctx, name, &iam.RolePolicyArgs{
		Role:   role.Name,
		Policy: group.ARN.ApplyT(flowLogPolicy).(pulumi.StringOutput),
	}, b.opts...)
	if err != nil {
		return err
	}
	_, err = ec2.NewFlowLog(b.ctx, name, &ec2.FlowLogArgs{
		VpcId:                  b.vpc.ID(),
		TrafficType:            pulumi.String("ALL"),
		LogDestinationType:     pulumi.String("cloud-watch-logs"),
		LogDestination:         group.ARN,
		IamRoleArn:             role.Arn,
		MaxAggregationInterval: pulumi.Int(flowLogInterval),
		Tags:                   tags.Merge(b.args.Tags, name),
	}, b.with(pulumi.DependsOn([]pulumi.Resource{policy}))...)
	return err
}

// flowLogTrust lets the flow log service take a role.
func flowLogTrust() string {
	return iampolicy.ServiceTrust("vpc-flow-logs.amazonaws.com")
}

// flowLogPolicy lets the flow log service write to one group; to list groups is a right over all of them.
// Source: Amazon VPC User Guide, "IAM role for publishing flow logs to CloudWatch Logs".
func flowLogPolicy(groupARN string) string {
	return iampolicy.Allow(
		iampolicy.Statement{
			Action:   []string{"logs:CreateLogStream", "logs:DescribeLogStreams", "logs:PutLogEvents"},
			Resource: []string{groupARN, groupARN + ":*"},
		},
		iampolicy.Statement{Action: []string{"logs:DescribeLogGroups"}, Resource: []string{"*"}},
	)
}
