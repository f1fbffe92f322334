package serverless

import (
	"encoding/json"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/lambda"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/sqs"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

const (
	// failedRetention is how long failures are kept, in seconds: 14 days, the longest.
	// Source: SQS API, SetQueueAttributes.
	failedRetention = 1209600
	// longestVisibility is the longest time in seconds that SQS hides a message. Source: the same.
	longestVisibility = 43200
)

// queuePair are the queue of failures and, if there is one, the queue that calls the function.
type queuePair struct{ failed, calls *sqs.Queue }

// visibility is how long a message must be hidden while a function with a timeout handles it, in seconds. Six times
// leaves room for a call that is throttled and tried again.
// Source: Lambda Developer Guide, "Creating and configuring an Amazon SQS event source mapping".
func visibility(timeout int) int {
	return min(timeout*catalog.LambdaQueueTimeouts, longestVisibility)
}

// queues registers the queue of failures and the queue that calls the function, where it has one.
func (b *functionBuilder) queues(c *Function) (err error) {
	b.queue = &queuePair{}
	b.queue.failed, err = sqs.NewQueue(b.ctx, b.name+"-failed", &sqs.QueueArgs{
		Name:                    pulumi.String(b.name + "-failed"),
		MessageRetentionSeconds: pulumi.Int(failedRetention),
		SqsManagedSseEnabled:    pulumi.Bool(true),
		Tags:                    b.tags(b.name + "-failed"),
	}, b.opts...)
	if err != nil {
		return err
	}
	c.FailedQueueURL = b.queue.failed.Url
	q := b.args.Queue
	if q == nil {
		return nil
	}
	hidden := q.Visibility
	if hidden == 0 {
		hidden = visibility(b.args.Timeout)
	}
	b.queue.calls, err = sqs.NewQueue(b.ctx, b.name, &sqs.QueueArgs{
		Name:                     pulumi.String(b.name),
		VisibilityTimeoutSeconds: pulumi.Int(hidden),
		SqsManagedSseEnabled:     pulumi.Bool(true),
		RedrivePolicy: b.queue.failed.Arn.ApplyT(func(arn string) string {
			return redrivePolicy(arn, q.MaxReceive)
		}).(pulumi.StringOutput),
		Tags: b.tags(b.name),
	}, b.opts...)
	if err != nil {
		return err
	}
	c.QueueURL = b.queue.calls.Url
	return nil
}

// redrivePolicy sends messages to a queue that were received too often.
func redrivePolicy(failedARN string, maxReceive int) string {
	text, err := json.Marshal(struct {
		Target string `json:"deadLetterTargetArn"`
		Max    int    `json:"maxReceiveCount"`
	}{failedARN, maxReceive})
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	return string(text)
}

// sources registers what calls the function by itself, and what becomes of calls that nobody waits for.
func (b *functionBuilder) sources(*Function) error {
	async := &lambda.FunctionEventInvokeConfigArgs{
		FunctionName: b.fn.Name,
		Qualifier:    b.live.Name,
		DestinationConfig: &lambda.FunctionEventInvokeConfigDestinationConfigArgs{
			OnFailure: &lambda.FunctionEventInvokeConfigDestinationConfigOnFailureArgs{Destination: b.queue.failed.Arn},
		},
	}
	if a := b.args.Async; a != nil {
		async.MaximumRetryAttempts, async.MaximumEventAgeInSeconds = pulumi.Int(a.Retries), pulumi.Int(a.MaxAge)
	}
	if _, err := lambda.NewFunctionEventInvokeConfig(b.ctx, b.name, async, b.opts...); err != nil {
		return err
	}
	q := b.args.Queue
	if q == nil {
		return nil
	}
	args := &lambda.EventSourceMappingArgs{
		EventSourceArn: b.queue.calls.Arn,
		FunctionName:   b.live.Arn,
		BatchSize:      pulumi.Int(q.BatchSize),
		// One message that fails does not bring back those of its batch that were done.
		FunctionResponseTypes: pulumi.ToStringArray([]string{"ReportBatchItemFailures"}),
		Tags:                  b.tags(b.name),
	}
	if q.MaxConcurrency > 0 {
		args.ScalingConfig = &lambda.EventSourceMappingScalingConfigArgs{MaximumConcurrency: pulumi.Int(q.MaxConcurrency)}
	}
	_, err := lambda.NewEventSourceMapping(b.ctx, b.name, args, b.opts...)
	return err
}
