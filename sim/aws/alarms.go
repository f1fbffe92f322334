package aws

import (
	"errors"
	"regexp"
	"strings"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/cloudwatch"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/sns"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	metricAlarmToken  = "aws:cloudwatch/metricAlarm:MetricAlarm"
	topicToken        = "aws:sns/topic:Topic"
	subscriptionToken = "aws:sns/topicSubscription:TopicSubscription"
)

func metricAlarm() *engine.Resource {
	const source = "CloudWatch API, PutMetricAlarm"
	return &engine.Resource{
		Token: metricAlarmToken, Args: cloudwatch.MetricAlarmArgs{}, State: cloudwatch.MetricAlarm{},
		Replace:  []string{"name"},
		AutoName: &engine.AutoName{Property: "name", Max: 255},
		Plan: []engine.Rule{
			oneOf("comparisonOperator", source, "GreaterThanOrEqualToThreshold", "GreaterThanThreshold", "LessThanThreshold", "LessThanOrEqualToThreshold"),
			oneOf("statistic", source, "SampleCount", "Average", "Sum", "Minimum", "Maximum"),
			shape("extendedStatistic", "is a percentile such as p99 or a trimmed statistic", source, regexp.MustCompile(`^(p|tm|tc|ts|wm)\d{1,2}(\.\d+)?$|^IQM$`)),
			oneOf("treatMissingData", source, "missing", "ignore", "breaching", "notBreaching"),
			exactlyOne("one-statistic", source, "statistic", "extendedStatistic"),
			alarmPeriods,
		},
		Apply: []engine.Rule{alarmTells},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			out := engine.Outputs{"arn": arn(c, "cloudwatch", "alarm:"+c.In.Str("name"))}
			setDefault(c, out, "actionsEnabled", true)
			setDefault(c, out, "treatMissingData", "missing")
			return c.In.Str("name"), out, nil
		},
	}
}

var alarmPeriods = engine.Rule{
	Name: "alarm-periods", Says: "a period is 10, 30 or a multiple of 60 seconds, and all that are evaluated make up a day at most", Source: "CloudWatch API, PutMetricAlarm",
	Judge: func(c *engine.Call) error {
		period, ok := c.In.Int("period")
		n, _ := c.In.Int("evaluationPeriods")
		if ok && (period != 10 && period != 30 && (period < 60 || period%60 != 0) || period*n > 86400) {
			return engine.Invalid("period", "got %d seconds, %d times", period, n)
		}
		return nil
	},
}

var alarmTells = engine.Rule{
	Name: "alarm-tells", Says: "a topic of the account that an alarm tells is there", Source: "CloudWatch API, PutMetricAlarm",
	Judge: func(c *engine.Call) error {
		var errs []error
		for _, action := range c.In.Strs("alarmActions[*]") {
			if _, ok := c.Find(topicToken, "arn", action); !ok && strings.HasPrefix(action, arn(c, "sns", "")) {
				errs = append(errs, engine.Refuse("ValidationError", "Invalid arn for action: %s does not exist", action))
			}
		}
		return errors.Join(errs...)
	},
}

func topic() *engine.Resource {
	return &engine.Resource{
		Token: topicToken, Args: sns.TopicArgs{}, State: sns.Topic{},
		Replace:  []string{"name", "namePrefix", "fifoTopic"},
		AutoName: &engine.AutoName{Property: "name", Prefix: "namePrefix", Max: 256},
		Plan:     []engine.Rule{policyDocument("policy", resourcePolicy)},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name, err := nameOf(c, "name", "namePrefix")
			topicARN := arn(c, "sns", name)
			return topicARN, engine.Outputs{"name": name, "arn": topicARN, "owner": engine.Account}, err
		},
	}
}

func topicSubscription() *engine.Resource {
	const source = "SNS API, Subscribe"
	return &engine.Resource{
		Token: subscriptionToken, Args: sns.TopicSubscriptionArgs{}, State: sns.TopicSubscription{},
		Replace: []string{"topic", "protocol", "endpoint"},
		Refs:    []engine.Ref{{Path: "topic", To: topicToken, By: []string{"arn"}, Code: "NotFound"}},
		Plan: []engine.Rule{
			oneOf("protocol", source, "email", "email-json", "http", "https", "sqs", "lambda", "sms", "firehose", "application"),
			subscriberAddress,
		},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			c.ComeWith(topicToken, c.In.Str("topic"))
			h, err := c.NewHex("subscription")
			id := c.In.Str("topic") + ":" + uuid(h)
			return id, engine.Outputs{"arn": id, "ownerId": engine.Account, "pendingConfirmation": strings.HasPrefix(c.In.Str("protocol"), "email")}, err
		},
	}
}

var mailAddress = regexp.MustCompile(`^[^@\s]+@[^@\s]+\.[^@\s]+$`)

var subscriberAddress = engine.Rule{
	Name: "subscriber-address", Says: "a mail goes to an address that is one", Source: "SNS API, Subscribe",
	Judge: func(c *engine.Call) error {
		if to := c.In.Str("endpoint"); strings.HasPrefix(c.In.Str("protocol"), "email") && to != "" && !mailAddress.MatchString(to) {
			return engine.Invalid("endpoint", "got %q: Invalid parameter: Email address", to)
		}
		return nil
	},
}
