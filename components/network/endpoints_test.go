package network_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/components/network"
	"github.com/gpuyard/gpuyard/internal/awsendpoint"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

const tokenEndpoint = "aws:ec2/vpcEndpoint:VpcEndpoint"

// private returns a VPC without a way out but some endpoints.
func private(endpoints ...string) *network.VPCArgs {
	return vpcArgs(func(a *network.VPCArgs) {
		a.NAT, a.Zones, a.Endpoints = network.NATNone, []string{"us-west-2a", "us-west-2b"}, endpoints
	})
}

func TestEndpointsGraph(t *testing.T) {
	t.Parallel()
	args := private("ecr", "s3", "dynamodb", "sts")
	args.FlowLogs, args.Tags = true, map[string]string{"team": "vision"}
	vpc, graph := runVPC(t, args)
	pulumitest.Golden(t, graph.String()+pulumitest.Outputs(t, vpc), filepath.Join("testdata", "vpc-endpoints.golden"))
}

// endpoints returns the endpoints of a VPC by the end of their service's name.
func endpoints(t *testing.T, args *network.VPCArgs) map[string]resource.PropertyMap {
	t.Helper()
	_, graph := runVPC(t, args)
	found := map[string]resource.PropertyMap{}
	for _, r := range graph.OfType(tokenEndpoint) {
		end, ok := strings.CutPrefix(r.Inputs["serviceName"].StringValue(), "com.amazonaws.us-west-2.")
		if !ok {
			t.Errorf("%s is of no service in the region: %v", r.Name, r.Inputs["serviceName"])
		}
		found[end] = r.Inputs
	}
	return found
}

func TestEveryEndpointThatNodesNeedIsMade(t *testing.T) {
	t.Parallel()
	found := endpoints(t, private(awsendpoint.ForPrivateNodes()...))
	for _, service := range []string{"ec2", "ecr.api", "ecr.dkr", "eks", "eks-auth", "logs", "sts"} {
		inputs, ok := found[service]
		if !ok {
			t.Errorf("there is no endpoint of %s", service)
			continue
		}
		if inputs["vpcEndpointType"].StringValue() != "Interface" || !inputs["privateDnsEnabled"].BoolValue() {
			t.Errorf("%s is not reached under its own name: %v", service, inputs)
		}
		if got := len(inputs["subnetIds"].ArrayValue()); got != 2 {
			t.Errorf("%s is in %d of 2 private subnets", service, got)
		}
		if got := inputs["securityGroupIds"].ArrayValue(); len(got) != 1 || got[0].StringValue() != "${SecurityGroup net-endpoints.id}" {
			t.Errorf("%s has the groups %v", service, got)
		}
	}
	if got := found["s3"]["vpcEndpointType"]; !got.IsString() || got.StringValue() != "Gateway" {
		t.Errorf("S3 is reached by %v, want a gateway", got)
	}
}

func TestGatewaysNeedNoSecurityGroup(t *testing.T) {
	t.Parallel()
	_, graph := runVPC(t, private("s3", "dynamodb", "s3express"))
	if got := graph.OfType(tokenGroup); len(got) > 0 {
		t.Errorf("there is a group: %v", got)
	}
	if got := len(graph.OfType(tokenEndpoint)); got != 3 {
		t.Errorf("there are %d endpoints, want 3", got)
	}
}

func TestEndpointsAreOpenToTheVPCAlone(t *testing.T) {
	t.Parallel()
	_, graph := runVPC(t, private("sts"))
	rules := graph.OfType(tokenIngress)
	if len(rules) != 1 {
		t.Fatalf("there are %d rules", len(rules))
	}
	rule := rules[0].Inputs
	if rule["cidrIpv4"].StringValue() != "10.20.0.0/16" || rule["fromPort"].NumberValue() != 443 || rule["toPort"].NumberValue() != 443 {
		t.Errorf("the rule is %v", rule)
	}
}

// What waits for the ways out of the VPC waits for its endpoints: a node that starts before them does not join.
func TestNodesWaitForEndpoints(t *testing.T) {
	t.Parallel()
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
		vpc, err := network.New(ctx, "net", private("sts"))
		if err != nil {
			return err
		}
		var node pulumi.CustomResourceState
		return ctx.RegisterResource("test:index:Node", "node", pulumi.Map{}, &node, pulumi.DependsOn(vpc.Ways()))
	}, pulumitest.Options{})
	waits := graph.Get(t, "test:index:Node", "node").Dependencies
	for _, want := range []string{tokenEndpoint + " net-sts", tokenEndpoint + " net-s3", tokenIngress + " net-endpoints-https"} {
		if !slices.Contains(waits, want) {
			t.Errorf("a node waits for %v and not for %s", waits, want)
		}
	}
}

func TestEndpointsRefused(t *testing.T) {
	t.Parallel()
	graph, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error {
		_, err := network.New(ctx, "net", private("ecr.api", "sts", "sts"))
		return err
	}, pulumitest.Options{})
	wantRefusal(t, graph, err, []string{
		`endpoints: "ecr.api" is unknown: it may be autoscaling, dynamodb, ec2, ecr,`, `endpoints: "sts" is there twice`,
	})
}

// The service that writes flow logs may write to their group and to no other.
func TestFlowLogsWriteToTheirGroupOnly(t *testing.T) {
	t.Parallel()
	args := private()
	args.FlowLogs = true
	_, graph := runVPC(t, args)
	var policy struct {
		Statement []struct{ Effect, Action, Resource any }
	}
	text := graph.Get(t, "aws:iam/rolePolicy:RolePolicy", "net-flow-logs").Inputs["policy"].StringValue()
	if err := json.Unmarshal([]byte(text), &policy); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	for _, s := range policy.Statement {
		everywhere := slices.Contains(s.Resource.([]any), any("*"))
		if writes := slices.Contains(s.Action.([]any), any("logs:PutLogEvents")); writes && everywhere {
			t.Errorf("it may write everywhere: %s", text)
		}
	}
	log := graph.Get(t, "aws:ec2/flowLog:FlowLog", "net-flow-logs")
	if got := log.Inputs["logDestination"].StringValue(); got != "${LogGroup net-flow-logs.arn}" {
		t.Errorf("the log goes to %s", got)
	}
	if !slices.Contains(log.Dependencies, "aws:iam/rolePolicy:RolePolicy net-flow-logs") {
		t.Errorf("the log does not wait for its right to write: %v", log.Dependencies)
	}
}
