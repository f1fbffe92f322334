package aws

import (
	"slices"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const flowLogToken = "aws:ec2/flowLog:FlowLog"

func flowLog(a Account) *engine.Resource {
	const source = "EC2 API, CreateFlowLogs"
	return &engine.Resource{
		Token: flowLogToken, Args: ec2.FlowLogArgs{}, State: ec2.FlowLog{},
		Replace: []string{
			"deliverCrossAccountRole", "destinationOptions", "eniId", "iamRoleArn", "logDestination", "logDestinationType", "logFormat", "logGroupName",
			"maxAggregationInterval", "subnetId", "trafficType", "transitGatewayAttachmentId", "transitGatewayId", "vpcId",
		},
		Refs: []engine.Ref{
			{Path: "vpcId", To: vpcToken, By: byID, Code: "InvalidVpcId.NotFound"},
			{Path: "subnetId", To: subnetToken, By: byID, Code: "InvalidSubnetId.NotFound"},
			{Path: "eniId", To: "aws:ec2/networkInterface:NetworkInterface", By: byID, Code: "InvalidNetworkInterfaceId.NotFound"},
			{Path: "logDestination", To: logGroupToken, By: []string{"arn"}, Code: "InvalidParameter"},
			{Path: "logGroupName", To: logGroupToken, By: byID, Code: "InvalidParameter"},
			{Path: "iamRoleArn", To: roleToken, By: []string{"arn"}, Code: "InvalidParameter"},
		},
		Plan: []engine.Rule{
			exactlyOne("one-source", source, "vpcId", "subnetId", "eniId", "transitGatewayId", "transitGatewayAttachmentId"),
			oneOf("trafficType", source, "ACCEPT", "REJECT", "ALL"),
			oneOf("logDestinationType", source, "cloud-watch-logs", "s3", "kinesis-data-firehose"),
			flowParts, flowInterval,
		},
		Apply: []engine.Rule{flowRole, flowOnce, a.flowQuota()},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			if vpc := c.In.Str("vpcId"); vpc != "" {
				c.ComeWith(vpcToken, vpc)
			} else {
				c.ComeWith(subnetToken, c.In.Str("subnetId"))
			}
			id, err := c.NewID("fl-")
			out := engine.Outputs{"arn": arn(c, "ec2", "vpc-flow-log/"+id)}
			setDefault(c, out, "logDestinationType", "cloud-watch-logs")
			setDefault(c, out, "maxAggregationInterval", 600)
			setDefault(c, out, "logFormat", "${version} ${account-id} ${interface-id} ${srcaddr} ${dstaddr} ${srcport} ${dstport} ${protocol} ${packets} ${bytes} ${start} ${end} ${action} ${log-status}")
			if group, ok := c.Resolve("logDestination"); ok {
				out["logGroupName"] = group.ID
			}
			if group, ok := c.Resolve("logGroupName"); ok {
				out["logDestination"] = group.Out.Str("arn")
			}
			return id, out, err
		},
	}
}

var flowParts = engine.Rule{
	Name: "flow-parts", Says: "a log of a VPC or subnet has a `trafficType`; one that goes to a log group, as the embedded cloud has them only, names the group once, and a role", Source: "EC2 API, CreateFlowLogs",
	Judge: func(c *engine.Call) error {
		if kind := c.In.Str("logDestinationType"); kind != "" && kind != "cloud-watch-logs" {
			return engine.Invalid("logDestinationType", "got %s: the embedded cloud has no destination for flow logs but log groups", kind)
		}
		if !c.In.Has("trafficType") && !c.In.Has("transitGatewayId") && !c.In.Has("transitGatewayAttachmentId") {
			return engine.Invalid("trafficType", "missing: give ACCEPT, REJECT or ALL")
		}
		if n := count(c.In, []string{"logDestination", "logGroupName"}); n != 1 {
			return engine.Invalid("logDestination", "names %d destinations; give exactly one of logDestination and logGroupName", n)
		}
		if !c.In.Has("iamRoleArn") {
			return engine.Invalid("iamRoleArn", "missing: DeliverLogsPermissionArn is required to write to a log group")
		}
		return nil
	},
}

var flowInterval = engine.Rule{
	Name: "flow-interval", Says: "`maxAggregationInterval` is 60 or 600 seconds", Source: "EC2 API, CreateFlowLogs",
	Judge: func(c *engine.Call) error {
		if n, ok := c.In.Int("maxAggregationInterval"); ok && n != 60 && n != 600 {
			return engine.Invalid("maxAggregationInterval", "got %d, wanted 60 or 600", n)
		}
		return nil
	},
}

// flowRole is stricter than AWS, which makes the log and then writes nothing.
var flowRole = engine.Rule{
	Name: "flow-role", Says: "the role trusts vpc-flow-logs.amazonaws.com, and may make log streams and write to them; AWS makes the log and reports an access error", Source: "VPC User Guide, \"IAM role for publishing flow logs to CloudWatch Logs\"",
	Judge: func(c *engine.Call) error {
		r, ok := c.Resolve("iamRoleArn")
		if !ok {
			return nil
		}
		if !trusts(r, "vpc-flow-logs.amazonaws.com", "sts:AssumeRole") {
			return engine.Refuse("InvalidParameter", "Access error: the role %s does not let vpc-flow-logs.amazonaws.com assume it", r.ID)
		}
		for _, action := range []string{"logs:CreateLogStream", "logs:PutLogEvents"} {
			if !mayDo(c, r, action) {
				return engine.Refuse("InvalidParameter", "Access error: no policy of the role %s allows %s; let the flow log depend on the policy", r.ID, action)
			}
		}
		return nil
	},
}

// mayDo says whether some policy of a role allows an action, whatever on.
func mayDo(c *engine.Call, role engine.Item, action string) bool {
	allows := func(text string) bool {
		doc, err := parseDocument(text, identityPolicy)
		return err == nil && slices.ContainsFunc(doc.Statement, func(s statement) bool {
			return s.Effect == "Allow" && slices.ContainsFunc(s.Actions, func(pattern string) bool { return matches(pattern, action) })
		})
	}
	for _, p := range c.All(rolePolicyToken) {
		if p.In.Str("role") == role.ID && allows(p.In.Str("policy")) {
			return true
		}
	}
	for _, p := range c.All(policyToken) {
		if slices.Contains(attachments(c, role.ID), p.Out.Str("arn")) && allows(p.In.Str("policy")) {
			return true
		}
	}
	return carries(c, role, "CloudWatchLogsFullAccess")
}

var flowOnce = engine.Rule{
	Name: "flow-once", Says: "no two logs of one source have the same traffic and destination", Source: "EC2 API, CreateFlowLogs (FlowLogAlreadyExists)",
	Judge: func(c *engine.Call) error {
		for _, other := range c.Others(flowLogToken) {
			if flowSource(other.In) == flowSource(c.In) && other.In.Str("trafficType") == c.In.Str("trafficType") && other.Out.Str("logDestination") == destination(c) {
				return engine.Refuse("FlowLogAlreadyExists", "There is an existing Flow Log with the same configuration and log destination: %s", other.ID)
			}
		}
		return nil
	},
}

// flowSource returns what a log is of.
func flowSource(in engine.Props) string {
	for _, path := range []string{"vpcId", "subnetId", "eniId"} {
		if id := in.Str(path); id != "" {
			return id
		}
	}
	return ""
}

// destination returns the ARN of the log group that a call names.
func destination(c *engine.Call) string {
	if group, ok := c.Resolve("logGroupName"); ok {
		return group.Out.Str("arn")
	}
	return c.In.Str("logDestination")
}

func (a Account) flowQuota() engine.Rule {
	limit := a.limit("flow-logs")
	return engine.Rule{
		Name: "flow-quota", Says: "at most " + itoa(limit) + " logs of one source", Source: "VPC User Guide, \"Flow log limitations\"",
		Judge: func(c *engine.Call) error {
			n := 0
			for _, other := range c.Others(flowLogToken) {
				if flowSource(other.In) == flowSource(c.In) {
					n++
				}
			}
			if n >= limit {
				return engine.Refuse("FlowLogsLimitExceeded", "%s has %d of at most %d flow logs", flowSource(c.In), n, limit)
			}
			return nil
		},
	}
}
