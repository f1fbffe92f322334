package network

import (
	"encoding/json"

	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/cloudwatch"
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
	group, err := cloudwatch.NewLogGroup(b.ctx, name, &cloudwatch.LogGroupArgs{
		RetentionInDays: pulumi.Int(flowLogRetentionDays),
		Tags:            tags.Merge(b.args.Tags, name),
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
		Policy: group.Arn.ApplyT(flowLogPolicy).(pulumi.StringOutput),
	}, b.opts...)
	if err != nil {
		return err
	}
	_, err = ec2.NewFlowLog(b.ctx, name, &ec2.FlowLogArgs{
		VpcId:                  b.vpc.ID(),
		TrafficType:            pulumi.String("ALL"),
		LogDestinationType:     pulumi.String("cloud-watch-logs"),
		LogDestination:         group.Arn,
		IamRoleArn:             role.Arn,
		MaxAggregationInterval: pulumi.Int(flowLogInterval),
		Tags:                   tags.Merge(b.args.Tags, name),
	}, b.with(pulumi.DependsOn([]pulumi.Resource{policy}))...)
	return err
}

// policyDocument is the part of IAM's policy language that flow logs need.
type policyDocument struct {
	Version   string
	Statement []policyStatement
}

type policyStatement struct {
	Effect    string
	Principal map[string]string `json:",omitempty"`
	Action    []string
	Resource  []string `json:",omitempty"`
}

// flowLogTrust lets the flow log service take a role.
func flowLogTrust() string {
	return document(policyStatement{Principal: map[string]string{"Service": "vpc-flow-logs.amazonaws.com"}, Action: []string{"sts:AssumeRole"}})
}

// flowLogPolicy lets the flow log service write to one group; to list groups is a right over all of them.
// Source: Amazon VPC User Guide, "IAM role for publishing flow logs to CloudWatch Logs".
func flowLogPolicy(groupARN string) string {
	return document(
		policyStatement{
			Action:   []string{"logs:CreateLogStream", "logs:DescribeLogStreams", "logs:PutLogEvents"},
			Resource: []string{groupARN, groupARN + ":*"},
		},
		policyStatement{Action: []string{"logs:DescribeLogGroups"}, Resource: []string{"*"}},
	)
}

// document writes a policy that allows something.
func document(statements ...policyStatement) string {
	for i := range statements {
		statements[i].Effect = "Allow"
	}
	text, err := json.Marshal(policyDocument{Version: "2012-10-17", Statement: statements})
	if err != nil {
		panic(err) // strings and maps of strings always encode
	}
	return string(text)
}
