package serverless

import (
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/appautoscaling"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/lambda"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// How Application Auto Scaling calls the number of warm copies of a function, and what it watches.
// Source: Application Auto Scaling User Guide, "AWS Lambda and Application Auto Scaling".
const (
	scalingNamespace = "lambda"
	scalingDimension = "lambda:function:ProvisionedConcurrency"
	scalingMetric    = "LambdaProvisionedConcurrencyUtilization"
)

// warm keeps a fixed number of copies of the version ready. A new version gets its own before the alias moves to it, and
// the old version loses its own after: between the two both are paid for, and no call waits for a start.
func (b *functionBuilder) warm(*Function) error {
	if b.args.ProvisionedConcurrency == 0 || b.args.Scaling != nil {
		return nil
	}
	copies, err := b.copies(b.fn.Version)
	b.ready = append(b.ready, copies)
	return err
}

// scale keeps a number of copies of the alias ready that follows the load. It is the alias's, so that a new version gets
// as many as the old one has, and what a schedule has set stays: Lambda itself sends calls to the old version until the
// new one has its copies.
func (b *functionBuilder) scale(*Function) error {
	s := b.args.Scaling
	if s == nil {
		return nil
	}
	copies, err := b.copies(b.live.Name,
		pulumi.IgnoreChanges([]string{"provisionedConcurrentExecutions"}),
		// Lambda refuses copies of an alias beside those of its version, which were there before the number was to follow.
		pulumi.DeleteBeforeReplace(true))
	if err != nil {
		return err
	}
	target, err := appautoscaling.NewTarget(b.ctx, b.name, &appautoscaling.TargetArgs{
		ServiceNamespace:  pulumi.String(scalingNamespace),
		ScalableDimension: pulumi.String(scalingDimension),
		ResourceId:        pulumi.Sprintf("function:%s:%s", b.fn.Name, b.live.Name),
		MinCapacity:       pulumi.Int(b.args.ProvisionedConcurrency),
		MaxCapacity:       pulumi.Int(s.Max),
		Tags:              b.tags(b.name),
	}, b.after(copies)...)
	if err != nil {
		return err
	}
	_, err = appautoscaling.NewPolicy(b.ctx, b.name, &appautoscaling.PolicyArgs{
		Name:              pulumi.String(b.name + "-busy"),
		PolicyType:        pulumi.String("TargetTrackingScaling"),
		ServiceNamespace:  target.ServiceNamespace,
		ScalableDimension: target.ScalableDimension,
		ResourceId:        target.ResourceId,
		TargetTrackingScalingPolicyConfiguration: &appautoscaling.PolicyTargetTrackingScalingPolicyConfigurationArgs{
			TargetValue: pulumi.Float64(s.Target),
			PredefinedMetricSpecification: &appautoscaling.PolicyTargetTrackingScalingPolicyConfigurationPredefinedMetricSpecificationArgs{
				PredefinedMetricType: pulumi.String(scalingMetric),
			},
		},
	}, b.opts...)
	if err != nil {
		return err
	}
	for _, at := range s.Schedules {
		_, err := appautoscaling.NewScheduledAction(b.ctx, b.name+"-"+at.Name, &appautoscaling.ScheduledActionArgs{
			Name:              pulumi.String(b.name + "-" + at.Name),
			ServiceNamespace:  target.ServiceNamespace,
			ScalableDimension: target.ScalableDimension,
			ResourceId:        target.ResourceId,
			Schedule:          pulumi.String("cron(" + at.Cron + ")"),
			Timezone:          pulumi.String(at.Timezone),
			ScalableTargetAction: &appautoscaling.ScheduledActionScalableTargetActionArgs{
				MinCapacity: pulumi.Int(at.Min), MaxCapacity: pulumi.Int(at.Max),
			},
		}, b.opts...)
		if err != nil {
			return err
		}
	}
	return nil
}

// copies keeps copies of a version or an alias ready.
func (b *functionBuilder) copies(of pulumi.StringInput, opts ...pulumi.ResourceOption) (*lambda.ProvisionedConcurrencyConfig, error) {
	return lambda.NewProvisionedConcurrencyConfig(b.ctx, b.name, &lambda.ProvisionedConcurrencyConfigArgs{
		FunctionName:                    b.fn.Name,
		Qualifier:                       of,
		ProvisionedConcurrentExecutions: pulumi.Int(b.args.ProvisionedConcurrency),
	}, append(append([]pulumi.ResourceOption{}, b.opts...), opts...)...)
}
