package aws_test

import (
	"testing"

	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

func serverlessRefusals() []refusal {
	return append(registryRefusals(), append(functionRefusals(), append(callRefusals(), supportRefusals()...)...)...)
}

func registryRefusals() []refusal {
	const repository, rule, replication = "aws:ecr/repository:Repository", "aws:ecr/pullThroughCacheRule:PullThroughCacheRule", "aws:ecr/replicationConfiguration:ReplicationConfiguration"
	return []refusal{
		{token: repository, rule: "shape-of-name", in: m{"name": "Burst"}, want: `got "Burst"`},
		{token: repository, rule: "legal-image-tag-mutability", in: m{"imageTagMutability": "FIXED"}, want: "wanted one of"},
		{token: repository, rule: "repository-empty", delete: "repository", want: "RepositoryNotEmptyException"},
		{token: "aws:ecr/lifecyclePolicy:LifecyclePolicy", rule: "lifecycle-rules", in: m{"policy": `{"rules":[{"rulePriority":1}]}`}, want: "rule 1 has no priority of its own"},
		{token: rule, rule: "shape-of-ecr-repository-prefix", in: m{"ecrRepositoryPrefix": "Hub"}, want: `got "Hub"`},
		{token: rule, rule: "shape-of-credential-arn", in: m{"credentialArn": "arn:aws:secretsmanager:us-west-2:111122223333:secret:hub"}, want: "ecr-pullthroughcache/"},
		{token: replication, rule: "replication-elsewhere", in: replicated(simtest.Region), want: "itself as a destination"},
	}
}

func functionRefusals() []refusal {
	const function = "aws:lambda/function:Function"
	mounted := func(point string) m {
		return m{"vpcConfig": m{"subnetIds": []any{"${private-a}"}, "securityGroupIds": []any{"${group}"}}, "fileSystemConfig": m{"arn": point, "localMountPath": "/mnt/models"}}
	}
	long := make([]byte, 5000)
	for i := range long {
		long[i] = 'x'
	}
	return []refusal{
		{token: function, rule: "shape-of-name", in: m{"name": "my.function"}, want: "letters, digits"},
		{token: function, rule: "range-memory-size", in: m{"memorySize": 20480}, want: "wanted 128 to 10240"},
		{token: function, rule: "range-timeout", in: m{"timeout": 901}, want: "wanted 1 to 900"},
		{token: function, rule: "range-ephemeral-storage-size", in: m{"ephemeralStorage": m{"size": 256}}, want: "wanted 512 to 10240"},
		{token: function, rule: "range-reserved-concurrent-executions", in: m{"reservedConcurrentExecutions": -2}, want: "wanted -1 to"},
		{token: function, rule: "legal-architectures", in: m{"architectures": []any{"riscv"}}, want: "wanted one of"},
		{token: function, rule: "legal-tracing-config-mode", in: m{"tracingConfig": m{"mode": "On"}}, want: "wanted one of"},
		{token: function, rule: "shape-of-file-system-config-local-mount-path", in: m{"fileSystemConfig": m{"arn": "${point.arn}", "localMountPath": "/models"}}, want: "below /mnt/"},
		{token: function, rule: "function-of-image", in: m{"imageUri": "public.ecr.aws/lambda/python:3.13"}, want: "private Amazon ECR repository"},
		{token: function, rule: "function-of-image", in: m{"imageUri": "111122223333.dkr.ecr.eu-west-1.amazonaws.com/burst/tuner:1"}, want: "the image must be in us-west-2"},
		{token: function, rule: "function-of-image", in: m{"packageType": "Zip"}, want: "runs functions from images"},
		{token: function, rule: "snap-start", in: m{"snapStart": m{"applyOn": "PublishedVersions"}}, want: "SnapStart is not supported"},
		{token: function, rule: "one-architecture", in: m{"architectures": []any{"x86_64", "arm64"}}, want: "got 2, wanted one"},
		{token: function, rule: "file-system-in-vpc", in: m{"fileSystemConfig": m{"arn": "${point.arn}", "localMountPath": "/mnt/models"}}, want: "no vpcConfig"},
		{token: function, rule: "environment-size", in: m{"environment": m{"variables": m{"LONG": string(long)}}}, want: "4KB limit"},
		{token: function, rule: "unreserved-concurrency", in: m{"reservedConcurrentExecutions": 899}, want: "below its minimum value of [100]"},
		{token: function, rule: "role-trusts-lambda", in: m{"role": "${node-role.arn}"}, want: "cannot be assumed by Lambda"},
		{token: function, rule: "image-there", in: m{"imageUri": images + "none"}, want: "does not exist. Provide a valid source image"},
		{token: function, rule: "image-runs", in: m{"imageUri": images + "list"}, want: "media type"},
		{token: function, rule: "image-runs", in: m{"imageUri": images + "arm"}, want: "is of arm64"},
		{token: function, rule: "access-point-mounted", in: mounted("${other-point.arn}"), want: "does not have mount targets"},
	}
}

func callRefusals() []refusal {
	const (
		alias, warm, mapping = "aws:lambda/alias:Alias", "aws:lambda/provisionedConcurrencyConfig:ProvisionedConcurrencyConfig", "aws:lambda/eventSourceMapping:EventSourceMapping"
		address, invoke      = "aws:lambda/functionUrl:FunctionUrl", "aws:lambda/functionEventInvokeConfig:FunctionEventInvokeConfig"
	)
	return []refusal{
		{token: alias, rule: "shape-of-name", in: m{"name": "12"}, want: "is no number"},
		{token: alias, rule: "alias-of-version", in: m{"functionVersion": "7"}, want: "Function not found"},
		{token: warm, rule: "warm-qualifier", in: m{"qualifier": "$LATEST"}, want: "unpublished function versions"},
		{token: warm, rule: "range-provisioned-concurrent-executions", in: m{"provisionedConcurrentExecutions": 0}, want: "wanted 1 to"},
		{token: warm, rule: "warm-of-version", in: m{"qualifier": "none"}, want: "Cannot find tuner version or alias"},
		{token: warm, rule: "warm-of-version", in: m{"qualifier": "split"}, want: "Alias with weights"},
		{token: warm, rule: "warm-within-reserved", in: m{"functionName": "${idle}", "qualifier": "1", "provisionedConcurrentExecutions": 3}, want: "3 of 2"},
		{token: mapping, rule: "given-event-source-arn", in: m{"eventSourceArn": nil}, want: "missing"},
		{token: mapping, rule: "range-batch-size", in: m{"batchSize": 0}, want: "wanted 1 to 10000"},
		{token: mapping, rule: "range-scaling-config-maximum-concurrency", in: m{"scalingConfig": m{"maximumConcurrency": 1}}, want: "wanted 2 to 1000"},
		{token: mapping, rule: "legal-function-response-types", in: m{"functionResponseTypes": []any{"All"}}, want: "ReportBatchItemFailures"},
		{token: mapping, rule: "large-batches", in: m{"batchSize": 100}, want: "Maximum batch window"},
		{token: mapping, rule: "called-function", in: m{"functionName": "tuner:none"}, want: "Function not found: tuner:none"},
		{token: mapping, rule: "visible-after", in: m{"functionName": "${idle}"}, want: "360 seconds is less than Function timeout: 900 seconds"},
		{token: mapping, rule: "may-receive", in: m{"functionName": "${idle}"}, want: "permissions to call sqs:ReceiveMessage"},
		{token: address, rule: "legal-authorization-type", in: m{"authorizationType": "IAM"}, want: "wanted one of"},
		{token: address, rule: "legal-invoke-mode", in: m{"invokeMode": "STREAM"}, want: "wanted one of"},
		{token: address, rule: "address-of-alias", in: m{"qualifier": "1"}, want: "has no alias 1"},
		{token: invoke, rule: "range-maximum-retry-attempts", in: m{"maximumRetryAttempts": 3}, want: "wanted 0 to 2"},
		{token: invoke, rule: "range-maximum-event-age-in-seconds", in: m{"maximumEventAgeInSeconds": 30}, want: "wanted 60 to 21600"},
		{token: invoke, rule: "may-send", in: m{"functionName": "${idle}"}, want: "permissions to call sqs:SendMessage"},
	}
}

func supportRefusals() []refusal {
	const (
		queue, target, policy = "aws:sqs/queue:Queue", "aws:appautoscaling/target:Target", "aws:appautoscaling/policy:Policy"
		files, alarm          = "aws:efs/fileSystem:FileSystem", "aws:cloudwatch/metricAlarm:MetricAlarm"
	)
	tracking := func(metric string, share float64) m {
		return m{"targetTrackingScalingPolicyConfiguration": m{"targetValue": share, "predefinedMetricSpecification": m{"predefinedMetricType": metric}}}
	}
	return []refusal{
		{token: queue, rule: "shape-of-name", in: m{"name": "a.b"}, want: "letters, digits"},
		{token: queue, rule: "range-visibility-timeout-seconds", in: m{"visibilityTimeoutSeconds": 50000}, want: "wanted 0 to 43200"},
		{token: queue, rule: "range-message-retention-seconds", in: m{"messageRetentionSeconds": 1}, want: "wanted 60 to"},
		{token: queue, rule: "range-receive-wait-time-seconds", in: m{"receiveWaitTimeSeconds": 30}, want: "wanted 0 to 20"},
		{token: queue, rule: "range-delay-seconds", in: m{"delaySeconds": 1000}, want: "wanted 0 to 900"},
		{token: queue, rule: "redrive-policy", in: m{"redrivePolicy": `{"maxReceiveCount":0}`}, want: "deadLetterTargetArn"},
		{token: queue, rule: "redrive-target", in: m{"redrivePolicy": `{"deadLetterTargetArn":"arn:aws:sqs:us-west-2:111122223333:none","maxReceiveCount":3}`}, want: "Dead letter target does not exist"},
		{token: files, rule: "legal-performance-mode", in: m{"performanceMode": "fast"}, want: "wanted one of"},
		{token: files, rule: "legal-throughput-mode", in: m{"throughputMode": "fast"}, want: "wanted one of"},
		{token: "aws:efs/mountTarget:MountTarget", rule: "one-target-a-zone", in: m{"subnetId": "${private-a}"}, want: "MountTargetConflict"},
		{token: "aws:efs/accessPoint:AccessPoint", rule: "shape-of-root-directory-creation-info-permissions",
			in: m{"rootDirectory": m{"creationInfo": m{"ownerUid": 1, "ownerGid": 1, "permissions": "rwx"}}}, want: "octal digits"},
		{token: target, rule: "legal-service-namespace", in: m{"serviceNamespace": "ecs"}, want: "wanted one of"},
		{token: target, rule: "legal-scalable-dimension", in: m{"scalableDimension": "lambda:function:Memory"}, want: "wanted one of"},
		{token: target, rule: "shape-of-resource-id", in: m{"resourceId": "tuner"}, want: "function:NAME:VERSION-OR-ALIAS"},
		{token: target, rule: "capacity-order", in: m{"minCapacity": 9}, want: "Maximum capacity cannot be less"},
		{token: target, rule: "scales-function", in: m{"resourceId": "function:tuner:9"}, want: "No lambda function found"},
		{token: policy, rule: "legal-policy-type", in: m{"policyType": "Predictive"}, want: "wanted one of"},
		{token: policy, rule: "legal-target-tracking-scaling-policy-configuration-predefined-metric-specification-predefined-metric-type", in: tracking("Busy", 0.5), want: "wanted one of"},
		{token: policy, rule: "tracked-share", in: tracking("LambdaProvisionedConcurrencyUtilization", 70), want: "wanted 0.1 to 0.9"},
		{token: "aws:appautoscaling/scheduledAction:ScheduledAction", rule: "shape-of-schedule", in: m{"schedule": "0 8 * * *"}, want: "six fields"},
		{token: "aws:appautoscaling/scheduledAction:ScheduledAction", rule: "timezone-known", in: m{"timezone": "US/Pacific"}, want: `timezone: "US/Pacific" is no canonical name of a time zone`},
		{token: "aws:sns/topic:Topic", rule: "document-policy", in: m{"policy": "{"}, want: "policy"},
		{token: "aws:sns/topicSubscription:TopicSubscription", rule: "legal-protocol", in: m{"protocol": "pigeon"}, want: "wanted one of"},
		{token: "aws:sns/topicSubscription:TopicSubscription", rule: "subscriber-address", in: m{"endpoint": "nobody"}, want: "Email address"},
		{token: alarm, rule: "legal-comparison-operator", in: m{"comparisonOperator": ">"}, want: "wanted one of"},
		{token: alarm, rule: "legal-statistic", in: m{"statistic": "Median"}, want: "wanted one of"},
		{token: alarm, rule: "shape-of-extended-statistic", in: m{"statistic": nil, "extendedStatistic": "99"}, want: "percentile"},
		{token: alarm, rule: "legal-treat-missing-data", in: m{"treatMissingData": "ok"}, want: "wanted one of"},
		{token: alarm, rule: "one-statistic", in: m{"extendedStatistic": "p99"}, want: "exactly one of"},
		{token: alarm, rule: "alarm-periods", in: m{"period": 45}, want: "got 45 seconds"},
		{token: alarm, rule: "alarm-tells", in: m{"alarmActions": []any{"arn:aws:sns:us-west-2:111122223333:none"}}, want: "Invalid arn for action"},
	}
}

// TestRegistryGoesWithItsImages: images of a repository that may be deleted with them do not stay behind.
func TestRegistryGoesWithItsImages(t *testing.T) {
	t.Parallel()
	w := world(t)
	for _, name := range []string{"warm", "live", "split", "scaled", "tuner", "idle"} {
		if err := w.Delete(w.Made[name]); err != nil {
			t.Fatal(err)
		}
	}
	changed, err := w.Update(w.Made["repository"], simtest.With(standardInputs("repository"), m{"forceDelete": true}))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Delete(changed); err != nil {
		t.Fatal(err)
	}
	for _, r := range w.Cloud.Resources() {
		if r.Token == "embedded:ecr:Image" {
			t.Errorf("%s is left over", r.ID)
		}
	}
}
