// Package lightaws registers resources of AWS services whose SDK packages would cost every program that imports a
// component more than the component itself: aws/cloudwatch takes a processor 15 s to compile, for log groups and alarms.
//
// To the engine and the provider, a resource that is registered here is the same as the SDK's. The compiler does not
// check its inputs; the embedded cloud does, against the SDK's types.
package lightaws

import (
	"runtime/debug"
	"strings"
	"sync"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// LogGroup is a log group of CloudWatch.
type LogGroup struct {
	pulumi.CustomResourceState
	ARN  pulumi.StringOutput `pulumi:"arn"`
	Name pulumi.StringOutput `pulumi:"name"`
}

// NewLogGroup registers a log group: name, retentionInDays, tags.
// Source: Pulumi Registry, aws.cloudwatch.LogGroup.
func NewLogGroup(ctx *pulumi.Context, name string, inputs pulumi.Map, opts ...pulumi.ResourceOption) (*LogGroup, error) {
	var group LogGroup
	if err := register(ctx, "aws:cloudwatch/logGroup:LogGroup", name, inputs, &group, opts); err != nil {
		return nil, err
	}
	return &group, nil
}

// NewMetricAlarm registers an alarm of CloudWatch. It must have comparisonOperator and evaluationPeriods.
// Source: Pulumi Registry, aws.cloudwatch.MetricAlarm.
func NewMetricAlarm(ctx *pulumi.Context, name string, inputs pulumi.Map, opts ...pulumi.ResourceOption) error {
	var alarm pulumi.CustomResourceState
	return register(ctx, "aws:cloudwatch/metricAlarm:MetricAlarm", name, inputs, &alarm, opts)
}

// NewSchedule registers a change of size that an Auto Scaling group makes at a time, once or again and again. It must
// have autoscalingGroupName and scheduledActionName. A size of -1 stays as it is.
// Source: Pulumi Registry, aws.autoscaling.Schedule.
func NewSchedule(ctx *pulumi.Context, name string, inputs pulumi.Map, opts ...pulumi.ResourceOption) error {
	var schedule pulumi.CustomResourceState
	return register(ctx, "aws:autoscaling/schedule:Schedule", name, inputs, &schedule, opts)
}

// Activation is what lets machines outside of EC2 register with Systems Manager. Its id and its code do so together.
type Activation struct {
	pulumi.CustomResourceState
	Code pulumi.StringOutput `pulumi:"activationCode"`
}

// NewActivation registers an activation: name, description, iamRole, registrationLimit, tags. Its code is a secret.
// Source: Pulumi Registry, aws.ssm.Activation.
func NewActivation(ctx *pulumi.Context, name string, inputs pulumi.Map, opts ...pulumi.ResourceOption) (*Activation, error) {
	var activation Activation
	opts = append([]pulumi.ResourceOption{pulumi.AdditionalSecretOutputs([]string{"activationCode"})}, opts...)
	if err := register(ctx, "aws:ssm/activation:Activation", name, inputs, &activation, opts); err != nil {
		return nil, err
	}
	return &activation, nil
}

// LustreFileSystem is a file system of FSx for Lustre.
type LustreFileSystem struct {
	pulumi.CustomResourceState
	DNSName   pulumi.StringOutput `pulumi:"dnsName"`
	MountName pulumi.StringOutput `pulumi:"mountName"`
}

// NewLustreFileSystem registers a file system. It must have subnetIds, which is one id.
// Source: Pulumi Registry, aws.fsx.LustreFileSystem.
func NewLustreFileSystem(ctx *pulumi.Context, name string, inputs pulumi.Map, opts ...pulumi.ResourceOption) (*LustreFileSystem, error) {
	var system LustreFileSystem
	if err := register(ctx, "aws:fsx/lustreFileSystem:LustreFileSystem", name, inputs, &system, opts); err != nil {
		return nil, err
	}
	return &system, nil
}

// NewDataRepositoryAssociation registers what shows a bucket in a file system. It must have dataRepositoryPath, fileSystemId
// and fileSystemPath.
// Source: Pulumi Registry, aws.fsx.DataRepositoryAssociation.
func NewDataRepositoryAssociation(ctx *pulumi.Context, name string, inputs pulumi.Map, opts ...pulumi.ResourceOption) error {
	var association pulumi.CustomResourceState
	return register(ctx, "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation", name, inputs, &association, opts)
}

// Parameter returns the value of a public parameter of Systems Manager, such as the release of an image.
// Source: Pulumi Registry, aws.ssm.getParameter.
func Parameter(ctx *pulumi.Context, name string, opts ...pulumi.InvokeOption) (string, error) {
	args := struct {
		Name string `pulumi:"name"`
	}{name}
	var found struct {
		Value string `pulumi:"insecureValue"`
	}
	opts = append([]pulumi.InvokeOption{pulumi.Version(sdkVersion())}, opts...)
	err := ctx.Invoke("aws:ssm/getParameter:getParameter", &args, &found, opts...)
	return found.Value, err
}

func register(ctx *pulumi.Context, token, name string, inputs pulumi.Map, resource pulumi.CustomResource, opts []pulumi.ResourceOption) error {
	opts = append([]pulumi.ResourceOption{pulumi.Version(sdkVersion())}, opts...) // a slice of the caller's is not written to
	return ctx.RegisterResource(token, name, inputs, resource, opts...)
}

// sdkVersion is the version of the provider that the SDK's own packages ask for, which is the SDK's. Without it, these
// resources could be made by another version than their neighbours. A program that was built without modules has none.
var sdkVersion = sync.OnceValue(func() string {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, module := range build.Deps {
		if module.Path == "github.com/pulumi/pulumi-aws/sdk/v6" {
			return strings.TrimPrefix(module.Version, "v")
		}
	}
	return ""
})
