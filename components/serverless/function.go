package serverless

import (
	"fmt"

	"github.com/gpuyard/gpuyard/components/internal/lightaws"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/lambda"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeFunction is the type token of Function.
const TypeFunction = "gpuyard:serverless:Function"

// aliasName is the alias that callers name.
const aliasName = "live"

// Function is a Lambda function with its role, logs, alias, queues and alarms.
type Function struct {
	pulumi.ResourceState

	// Name is the function's name and Version the number of the version that runs.
	Name    pulumi.StringOutput `pulumi:"name"`
	Version pulumi.StringOutput `pulumi:"version"`
	// AliasARN is what callers name.
	AliasARN pulumi.StringOutput `pulumi:"aliasArn"`
	// FailedQueueURL is the queue of what failed, and QueueURL the queue that calls the function; "" if it has none.
	FailedQueueURL pulumi.StringOutput `pulumi:"failedQueueUrl"`
	QueueURL       pulumi.StringOutput `pulumi:"queueUrl"`
	// URL is the function's address; "" if it has none.
	URL pulumi.StringOutput `pulumi:"url"`
}

// NewFunction registers a Function. The component's name becomes the function's.
func NewFunction(ctx *pulumi.Context, name string, args *FunctionArgs, opts ...pulumi.ResourceOption) (*Function, error) {
	if err := checkFunction(name, args); err != nil {
		return nil, err
	}
	c := &Function{}
	if err := ctx.RegisterComponentResourceV2(TypeFunction, name, args.inputs(), c, opts...); err != nil {
		return nil, err
	}
	none := pulumi.String("").ToStringOutput()
	c.QueueURL, c.URL = none, none
	b := &functionBuilder{ctx: ctx, name: name, args: args, opts: []pulumi.ResourceOption{pulumi.Parent(c)}}
	for _, step := range []func(*Function) error{b.logs, b.queues, b.role, b.function, b.warm, b.alias, b.scale, b.sources, b.address, b.alarms} {
		if err := step(c); err != nil {
			return nil, err
		}
	}
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{
		"name": c.Name, "version": c.Version, "aliasArn": c.AliasARN,
		"failedQueueUrl": c.FailedQueueURL, "queueUrl": c.QueueURL, "url": c.URL,
	})
}

// functionBuilder holds what the resources of one function share while they are registered.
type functionBuilder struct {
	ctx  *pulumi.Context
	name string
	args *FunctionArgs
	opts []pulumi.ResourceOption

	group      *lightaws.LogGroup
	queue      *queuePair
	roleARN    pulumi.StringOutput
	fn         *lambda.Function
	ready      []pulumi.Resource // what must be there before the alias moves
	live       *lambda.Alias
	alarmTopic pulumi.StringInput
}

// after returns the options of a child that waits for something.
func (b *functionBuilder) after(resources ...pulumi.Resource) []pulumi.ResourceOption {
	return append(append([]pulumi.ResourceOption{}, b.opts...), pulumi.DependsOn(resources))
}

func (b *functionBuilder) tags(name string) pulumi.StringMap { return tags.Merge(b.args.Tags, name) }

// logs registers the log group, so that it has a retention and goes with the function. Lambda would make one without.
func (b *functionBuilder) logs(*Function) (err error) {
	b.group, err = lightaws.NewLogGroup(b.ctx, b.name, pulumi.Map{
		"name":            pulumi.String("/aws/lambda/" + b.name),
		"retentionInDays": pulumi.Int(b.args.LogRetentionDays),
		"tags":            b.tags(b.name),
	}, b.opts...)
	return err
}

// function registers the function itself.
func (b *functionBuilder) function(c *Function) (err error) {
	a := b.args
	tracing := "PassThrough"
	if a.Tracing {
		tracing = "Active"
	}
	args := &lambda.FunctionArgs{
		Name:             pulumi.String(b.name),
		PackageType:      pulumi.String("Image"),
		ImageUri:         a.ImageURI.ToStringOutput(),
		Architectures:    pulumi.ToStringArray([]string{a.Architecture}),
		Role:             b.roleARN,
		MemorySize:       pulumi.Int(a.Memory),
		Timeout:          pulumi.Int(a.Timeout),
		EphemeralStorage: &lambda.FunctionEphemeralStorageArgs{Size: pulumi.Int(a.EphemeralStorage)},
		// Without a published version the alias would stay on $LATEST, which nothing can be kept warm of.
		Publish:       pulumi.Bool(true),
		LoggingConfig: &lambda.FunctionLoggingConfigArgs{LogFormat: pulumi.String("JSON"), LogGroup: b.group.Name},
		TracingConfig: &lambda.FunctionTracingConfigArgs{Mode: pulumi.String(tracing)},
		Tags:          b.tags(b.name),
	}
	if a.ReservedConcurrency != nil {
		args.ReservedConcurrentExecutions = pulumi.Int(*a.ReservedConcurrency)
	}
	if variables := a.variables(); len(variables) > 0 {
		args.Environment = &lambda.FunctionEnvironmentArgs{Variables: pulumi.ToStringMap(variables)}
	}
	if a.SubnetIDs != nil {
		args.VpcConfig = &lambda.FunctionVpcConfigArgs{
			SubnetIds: a.SubnetIDs, SecurityGroupIds: pulumi.StringArray{a.SecurityGroupID},
		}
	}
	if a.AccessPointARN != nil {
		args.FileSystemConfig = &lambda.FunctionFileSystemConfigArgs{
			Arn: a.AccessPointARN, LocalMountPath: pulumi.String(a.MountPath),
		}
	}
	b.fn, err = lambda.NewFunction(b.ctx, b.name, args, b.opts...)
	if err != nil {
		return err
	}
	c.Name, c.Version = b.fn.Name, b.fn.Version
	return nil
}

// alias registers the alias, which moves when what keeps the new version warm is ready.
func (b *functionBuilder) alias(c *Function) (err error) {
	opts := b.after(b.ready...)
	if b.args.Scaling != nil {
		// The copies are the alias's: while it moves, Lambda shows a routing of its own, which nobody asked for.
		opts = append(opts, pulumi.IgnoreChanges([]string{"routingConfig"}))
	}
	b.live, err = lambda.NewAlias(b.ctx, b.name, &lambda.AliasArgs{
		Name:            pulumi.String(aliasName),
		Description:     pulumi.String("The version that callers get"),
		FunctionName:    b.fn.Name,
		FunctionVersion: b.fn.Version,
	}, opts...)
	if err != nil {
		return err
	}
	c.AliasARN = b.live.Arn
	return nil
}

// address registers the function's URL, where it has one.
func (b *functionBuilder) address(c *Function) error {
	u := b.args.URL
	if u == nil {
		return nil
	}
	auth, mode := "AWS_IAM", "BUFFERED"
	if u.Public {
		auth = "NONE"
	}
	if u.Stream {
		mode = "RESPONSE_STREAM"
	}
	address, err := lambda.NewFunctionUrl(b.ctx, b.name, &lambda.FunctionUrlArgs{
		FunctionName: b.fn.Name, Qualifier: b.live.Name, AuthorizationType: pulumi.String(auth), InvokeMode: pulumi.String(mode),
	}, b.opts...)
	if err != nil {
		return err
	}
	c.URL = address.FunctionUrl
	return nil
}

// variables are the environment variables that the function gets.
func (a *FunctionArgs) variables() map[string]string {
	all := map[string]string{}
	for name, value := range a.Environment {
		all[name] = value
	}
	if w := a.Weights; w != nil {
		all[EnvWeightsSource], all[EnvWeightsPath] = w.Source, w.Path
		all[EnvWeightsMemoryMap] = fmt.Sprint(w.MemoryMap)
		if w.SHA256 != "" {
			all[EnvWeightsSHA256] = w.SHA256
		}
		if w.Size > 0 {
			all[EnvWeightsSize] = fmt.Sprint(w.Size << 20)
		}
	}
	return all
}
