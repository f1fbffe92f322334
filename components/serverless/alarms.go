package serverless

import (
	"fmt"

	"github.com/gpuyard/gpuyard/components/internal/lightaws"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/sns"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// alarm is one thing that is watched.
type alarm struct {
	suffix, says         string
	namespace, metric    string
	statistic            string // Sum or Maximum; empty: the extended one
	extended             string // p99
	above                float64
	queue                bool // of the queue of failures, not of the function
	minutes, consecutive int
}

// nearTimeout is the share of its timeout that a call may take before somebody should know.
const nearTimeout = 0.9

// alarmsOf returns what is watched of a function.
// Source: Lambda Developer Guide, "Types of metrics for Lambda functions".
func alarmsOf(a *FunctionArgs) []alarm {
	const lambda = "AWS/Lambda"
	list := []alarm{
		{suffix: "errors", says: "Calls fail", namespace: lambda, metric: "Errors", statistic: "Sum", minutes: 5, consecutive: 1},
		{suffix: "throttles", says: "Calls are turned away: all copies that may run are busy", namespace: lambda, metric: "Throttles", statistic: "Sum", minutes: 5, consecutive: 1},
		{suffix: "duration", says: fmt.Sprintf("Calls take nearly as long as they may, %d seconds", a.Timeout), namespace: lambda, metric: "Duration",
			extended: "p99", above: nearTimeout * float64(a.Timeout) * 1000, minutes: 5, consecutive: 3},
		{suffix: "failed", says: "Something failed for good and waits to be looked at", namespace: "AWS/SQS", metric: "ApproximateNumberOfMessagesVisible",
			statistic: "Maximum", queue: true, minutes: 5, consecutive: 1},
	}
	if a.ProvisionedConcurrency > 0 {
		list = append(list, alarm{suffix: "spillover", says: "The warm copies do not suffice: calls wait for a start", namespace: lambda,
			metric: "ProvisionedConcurrencySpilloverInvocations", statistic: "Sum", minutes: 5, consecutive: 3})
	}
	return list
}

// alarms registers what is watched, and the topic that tells somebody, where an address is given.
func (b *functionBuilder) alarms(*Function) error {
	b.alarmTopic = b.args.AlarmTopicARN
	if b.args.AlarmEmail != "" {
		// Not under the key that AWS has for topics: CloudWatch may not use that, and would tell nobody.
		topic, err := sns.NewTopic(b.ctx, b.name+"-alarms", &sns.TopicArgs{
			Name: pulumi.String(b.name + "-alarms"), Tags: b.tags(b.name + "-alarms"),
		}, b.opts...)
		if err != nil {
			return err
		}
		_, err = sns.NewTopicSubscription(b.ctx, b.name+"-alarms", &sns.TopicSubscriptionArgs{
			Topic: topic.Arn, Protocol: pulumi.String("email"), Endpoint: pulumi.String(b.args.AlarmEmail),
		}, b.opts...)
		if err != nil {
			return err
		}
		b.alarmTopic = topic.Arn
	}
	for _, a := range alarmsOf(b.args) {
		if err := b.alarm(a); err != nil {
			return err
		}
	}
	return nil
}

func (b *functionBuilder) alarm(a alarm) error {
	inputs := pulumi.Map{
		"name":               pulumi.String(b.name + "-" + a.suffix),
		"alarmDescription":   pulumi.String(a.says),
		"namespace":          pulumi.String(a.namespace),
		"metricName":         pulumi.String(a.metric),
		"comparisonOperator": pulumi.String("GreaterThanThreshold"),
		"threshold":          pulumi.Float64(a.above),
		"period":             pulumi.Int(a.minutes * 60),
		"evaluationPeriods":  pulumi.Int(a.consecutive),
		// A function that is not called has no metrics, and nothing is wrong with it.
		"treatMissingData": pulumi.String("notBreaching"),
		"tags":             b.tags(b.name + "-" + a.suffix),
	}
	if a.extended != "" {
		inputs["extendedStatistic"] = pulumi.String(a.extended)
	} else {
		inputs["statistic"] = pulumi.String(a.statistic)
	}
	if a.queue {
		inputs["dimensions"] = pulumi.StringMap{"QueueName": b.queue.failed.Name}
	} else {
		inputs["dimensions"] = pulumi.StringMap{
			"FunctionName": b.fn.Name, "Resource": pulumi.Sprintf("%s:%s", b.fn.Name, b.live.Name),
		}
	}
	if b.alarmTopic != nil {
		inputs["alarmActions"] = pulumi.Array{b.alarmTopic}
	}
	return lightaws.NewMetricAlarm(b.ctx, b.name+"-"+a.suffix, inputs, b.opts...)
}
