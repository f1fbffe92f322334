package aws

import (
	"regexp"
	"strings"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/appautoscaling"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	scalableToken        = "aws:appautoscaling/target:Target"
	scalingPolicyToken   = "aws:appautoscaling/policy:Policy"
	scheduledActionToken = "aws:appautoscaling/scheduledAction:ScheduledAction"
	provisionedDimension = "lambda:function:ProvisionedConcurrency"
	registerTarget       = "Application Auto Scaling API, RegisterScalableTarget"
	putScalingPolicy     = "Application Auto Scaling API, PutScalingPolicy"
	putScheduledAction   = "Application Auto Scaling API, PutScheduledAction"
)

// scaled are the rules on what is scaled: the embedded cloud scales warm copies of functions.
func scaled(source string) []engine.Rule {
	return []engine.Rule{
		oneOf("serviceNamespace", source, "lambda"),
		oneOf("scalableDimension", source, provisionedDimension),
		shape("resourceId", "has the form function:NAME:VERSION-OR-ALIAS", source, regexp.MustCompile(`^function:[a-zA-Z0-9-_]+:[a-zA-Z0-9-_]+$`)),
	}
}

// scalableID is how the provider calls a scalable target.
func scalableID(c *engine.Call) string { return c.In.Str("resourceId") }

func scalableTarget() *engine.Resource {
	return &engine.Resource{
		Token: scalableToken, Args: appautoscaling.TargetArgs{}, State: appautoscaling.Target{},
		Replace: []string{"serviceNamespace", "scalableDimension", "resourceId"},
		Plan:    append(scaled(registerTarget), capacityOrder),
		Apply:   []engine.Rule{scalesFunction},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			h, err := c.NewHex("target")
			return scalableID(c), engine.Outputs{
				"arn":     arn(c, "application-autoscaling", "scalable-target/"+h[:40]),
				"roleArn": globalARN(c, "iam", "role/aws-service-role/lambda.application-autoscaling.amazonaws.com/AWSServiceRoleForApplicationAutoScaling_LambdaConcurrency"),
			}, err
		},
	}
}

var capacityOrder = engine.Rule{
	Name: "capacity-order", Says: "the smallest capacity is not larger than the largest", Source: registerTarget,
	Judge: func(c *engine.Call) error {
		low, lowKnown := c.In.Int("minCapacity")
		high, highKnown := c.In.Int("maxCapacity")
		if lowKnown && highKnown && (low < 0 || low > high) {
			return engine.Invalid("minCapacity", "got %d to %d: Maximum capacity cannot be less than minimum capacity", low, high)
		}
		return nil
	},
}

var scalesFunction = engine.Rule{
	Name: "scales-function", Says: "the function's version or alias is there", Source: registerTarget,
	Judge: func(c *engine.Call) error {
		parts := strings.Split(c.In.Str("resourceId"), ":")
		if len(parts) != 3 {
			return nil // its shape is judged before
		}
		f, ok := c.Get(functionToken, parts[1])
		if _, alias := c.Get(lambdaAliasToken, parts[1]+":"+parts[2]); ok && (alias || versionThere(f, parts[2])) {
			return nil
		}
		return engine.Refuse("ValidationException", "No lambda function found for resource ID: %s", c.In.Str("resourceId"))
	},
}

// ofTarget is the reference of a policy or an action to its target.
func ofTarget() engine.Ref {
	return engine.Ref{Path: "resourceId", To: scalableToken, By: byID, Code: "ObjectNotFoundException"}
}

func scalingPolicy() *engine.Resource {
	return &engine.Resource{
		Token: scalingPolicyToken, Args: appautoscaling.PolicyArgs{}, State: appautoscaling.Policy{},
		Replace:  []string{"name", "serviceNamespace", "scalableDimension", "resourceId"},
		AutoName: &engine.AutoName{Property: "name", Max: 256},
		Refs:     []engine.Ref{ofTarget()},
		Plan: []engine.Rule{
			oneOf("policyType", putScalingPolicy, "TargetTrackingScaling", "StepScaling"),
			oneOf("targetTrackingScalingPolicyConfiguration.predefinedMetricSpecification.predefinedMetricType", putScalingPolicy, "LambdaProvisionedConcurrencyUtilization"),
			trackedShare,
		},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			c.ComeWith(scalableToken, scalableID(c))
			h, err := c.NewHex("policy")
			return c.In.Str("name") + "/" + scalableID(c), engine.Outputs{
				"arn": arn(c, "autoscaling", "scalingPolicy:"+uuid(h)+":resource/lambda/"+scalableID(c)+":policyName/"+c.In.Str("name")), "alarmArns": []any{},
			}, err
		},
	}
}

var trackedShare = engine.Rule{
	Name: "tracked-share", Says: "the busy share of warm copies that is tracked lies between 0.1 and 0.9", Source: "Application Auto Scaling User Guide, \"AWS Lambda and Application Auto Scaling\"",
	Judge: func(c *engine.Call) error {
		for _, l := range c.In.Leaves("targetTrackingScalingPolicyConfiguration.targetValue") {
			if l.Value.IsNumber() && (l.Value.NumberValue() < 0.1 || l.Value.NumberValue() > 0.9) {
				return engine.Invalid(l.Path, "got %g, wanted 0.1 to 0.9", l.Value.NumberValue())
			}
		}
		return nil
	},
}

func scheduledAction() *engine.Resource {
	return &engine.Resource{
		Token: scheduledActionToken, Args: appautoscaling.ScheduledActionArgs{}, State: appautoscaling.ScheduledAction{},
		Replace:  []string{"name", "serviceNamespace", "resourceId"},
		AutoName: &engine.AutoName{Property: "name", Max: 256},
		Refs:     []engine.Ref{ofTarget()},
		Plan: []engine.Rule{
			shape("schedule", "has the form at(…), rate(…) or cron(…) with six fields", putScheduledAction, regexp.MustCompile(`^(at\([0-9T:-]+\)|rate\([0-9]+ \w+\)|cron\(\S+( \S+){5}\))$`)),
			timezoneKnown("timezone", putScheduledAction),
		},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			c.ComeWith(scalableToken, scalableID(c))
			h, err := c.NewHex("action")
			out := engine.Outputs{"arn": arn(c, "autoscaling", "scheduledAction:"+uuid(h)+":resource/lambda/"+scalableID(c)+":scheduledActionName/"+c.In.Str("name"))}
			setDefault(c, out, "timezone", "UTC")
			return c.In.Str("name") + "-lambda-" + scalableID(c), out, err
		},
	}
}
