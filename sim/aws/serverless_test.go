package aws_test

import (
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/sim"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

const (
	images        = "111122223333.dkr.ecr.us-west-2.amazonaws.com/burst/tuner:"
	lifecycleText = `{"rules":[{"rulePriority":1,"description":"old","selection":{"tagStatus":"untagged","countType":"sinceImagePushed","countUnit":"days","countNumber":7},"action":{"type":"expire"}}]}`
	allowQueues   = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"sqs:*","Resource":"*"}]}`
	warmCopies    = "lambda:function:ProvisionedConcurrency"
)

// pushImages puts images into the standard environment's repository: 1 and 2, arm for arm64, list for a list of images.
func pushImages(w *simtest.World) error {
	for _, image := range []sim.Image{{Tag: "1", Architecture: "amd64"}, {Tag: "2", Architecture: "amd64"}, {Tag: "arm", Architecture: "arm64"}, {Tag: "list", Architecture: "amd64", Index: true}} {
		image.Repository = "burst/tuner"
		if _, err := w.Cloud.PushImage(image); err != nil {
			return err
		}
	}
	return nil
}

func standardServerless() []one {
	return []one{
		{"repository", "aws:ecr/repository:Repository", m{"name": "burst/tuner", "imageTagMutability": "IMMUTABLE"}},
		{"spare-repository", "aws:ecr/repository:Repository", m{"name": "burst/spare"}},
		{"failed", "aws:sqs/queue:Queue", m{"name": "failed"}},
		{"calls", "aws:sqs/queue:Queue", m{"name": "calls", "visibilityTimeoutSeconds": 360, "redrivePolicy": `{"deadLetterTargetArn":"${failed.arn}","maxReceiveCount":3}`}},
		{"tuner-role", "aws:iam/role:Role", m{"assumeRolePolicy": trust("lambda.amazonaws.com", assume)}},
		{"tuner-policy", "aws:iam/rolePolicy:RolePolicy", m{"role": "${tuner-role}", "policy": allowQueues}},
		{"idle-role", "aws:iam/role:Role", m{"assumeRolePolicy": trust("lambda.amazonaws.com", assume)}},
		{"tuner-logs", "aws:cloudwatch/logGroup:LogGroup", m{"name": "/aws/lambda/tuner"}},
		{"files", "aws:efs/fileSystem:FileSystem", m{"encrypted": true}},
		{"other-files", "aws:efs/fileSystem:FileSystem", m{"encrypted": true}},
		{"mounted", "aws:efs/mountTarget:MountTarget", m{"fileSystemId": "${files}", "subnetId": "${private-a}", "securityGroups": []any{"${group}"}}},
		{"point", "aws:efs/accessPoint:AccessPoint", m{"fileSystemId": "${files}"}},
		{"other-point", "aws:efs/accessPoint:AccessPoint", m{"fileSystemId": "${other-files}"}},
		{"tuner", "aws:lambda/function:Function", m{"name": "tuner", "packageType": "Image", "imageUri": images + "1", "role": "${tuner-role.arn}", "timeout": 60, "publish": true,
			"vpcConfig":        m{"subnetIds": []any{"${private-a}"}, "securityGroupIds": []any{"${group}"}},
			"fileSystemConfig": m{"arn": "${point.arn}", "localMountPath": "/mnt/models"}, "loggingConfig": m{"logFormat": "JSON", "logGroup": "${tuner-logs}"}}},
		{"idle", "aws:lambda/function:Function", m{"name": "idle", "packageType": "Image", "imageUri": images + "1", "role": "${idle-role.arn}", "timeout": 900, "publish": true, "reservedConcurrentExecutions": 2}},
		{"live", "aws:lambda/alias:Alias", m{"functionName": "${tuner}", "functionVersion": "1", "name": "live"}},
		{"split", "aws:lambda/alias:Alias", m{"functionName": "${tuner}", "functionVersion": "1", "name": "split", "routingConfig": m{"additionalVersionWeights": m{"1": 0.1}}}},
		{"warm", "aws:lambda/provisionedConcurrencyConfig:ProvisionedConcurrencyConfig", m{"functionName": "${tuner}", "qualifier": "1", "provisionedConcurrentExecutions": 2}},
		{"scaled", "aws:appautoscaling/target:Target", m{"serviceNamespace": "lambda", "scalableDimension": warmCopies, "resourceId": "function:tuner:1", "minCapacity": 1, "maxCapacity": 4}},
		{"alarm-topic", "aws:sns/topic:Topic", m{"name": "alarms"}},
	}
}

func serverlessLives() []life {
	ofTuner := func(more m) m { return simtest.With(m{"functionName": "${tuner}"}, more) }
	ofScaled := func(more m) m {
		return simtest.With(m{"serviceNamespace": "lambda", "scalableDimension": warmCopies, "resourceId": "function:tuner:1"}, more)
	}
	return []life{
		{"aws:ecr/repository:Repository", m{"name": "other"}, tagged, m{"name": "third"}},
		{"aws:ecr/lifecyclePolicy:LifecyclePolicy", m{"repository": "${spare-repository}", "policy": lifecycleText}, nil, m{"policy": strings.Replace(lifecycleText, ":7}", ":8}", 1)}},
		{"aws:ecr/pullThroughCacheRule:PullThroughCacheRule", m{"ecrRepositoryPrefix": "hub", "upstreamRegistryUrl": "registry-1.docker.io",
			"credentialArn": "arn:aws:secretsmanager:us-west-2:111122223333:secret:ecr-pullthroughcache/hub"},
			m{"credentialArn": "arn:aws:secretsmanager:us-west-2:111122223333:secret:ecr-pullthroughcache/two"}, m{"ecrRepositoryPrefix": "two"}},
		{"aws:ecr/replicationConfiguration:ReplicationConfiguration", replicated("us-east-1"), replicated("us-east-2"), nil},
		{"aws:sqs/queue:Queue", m{}, m{"visibilityTimeoutSeconds": 60}, m{"name": "another"}},
		{"aws:efs/fileSystem:FileSystem", m{"encrypted": true}, tagged, m{"performanceMode": "maxIO"}},
		{"aws:efs/mountTarget:MountTarget", m{"fileSystemId": "${files}", "subnetId": "${private-b}"}, m{"securityGroups": []any{"${group}"}}, m{"subnetId": "${private-d}"}},
		{"aws:efs/accessPoint:AccessPoint", m{"fileSystemId": "${files}"}, tagged, m{"posixUser": m{"uid": 1, "gid": 1}}},
		{"aws:lambda/function:Function", m{"packageType": "Image", "imageUri": images + "1", "role": "${tuner-role.arn}", "publish": true}, m{"memorySize": 256}, m{"name": "another"}},
		{"aws:lambda/alias:Alias", ofTuner(m{"functionVersion": "1", "name": "canary"}), m{"description": "first"}, m{"name": "beta"}},
		{"aws:lambda/provisionedConcurrencyConfig:ProvisionedConcurrencyConfig", ofTuner(m{"qualifier": "live", "provisionedConcurrentExecutions": 1}), m{"provisionedConcurrentExecutions": 2}, m{"qualifier": "1"}},
		{"aws:lambda/eventSourceMapping:EventSourceMapping", m{"eventSourceArn": "${calls.arn}", "functionName": "${live.arn}"}, m{"batchSize": 5}, m{"eventSourceArn": "${failed.arn}"}},
		{"aws:lambda/functionUrl:FunctionUrl", ofTuner(m{"authorizationType": "AWS_IAM"}), m{"invokeMode": "RESPONSE_STREAM"}, m{"qualifier": "live"}},
		{"aws:lambda/functionEventInvokeConfig:FunctionEventInvokeConfig", ofTuner(m{"destinationConfig": m{"onFailure": m{"destination": "${failed.arn}"}}}), m{"maximumRetryAttempts": 2}, m{"qualifier": "live"}},
		{"aws:appautoscaling/target:Target", simtest.With(ofScaled(nil), m{"resourceId": "function:tuner:live", "minCapacity": 1, "maxCapacity": 3}), m{"maxCapacity": 4}, m{"resourceId": "function:tuner:1"}},
		{"aws:appautoscaling/policy:Policy", ofScaled(m{"policyType": "TargetTrackingScaling", "targetTrackingScalingPolicyConfiguration": m{"targetValue": 0.7,
			"predefinedMetricSpecification": m{"predefinedMetricType": "LambdaProvisionedConcurrencyUtilization"}}}),
			m{"targetTrackingScalingPolicyConfiguration": m{"targetValue": 0.6}}, m{"name": "another"}},
		{"aws:appautoscaling/scheduledAction:ScheduledAction", ofScaled(m{"schedule": "cron(0 8 ? * MON-FRI *)", "scalableTargetAction": m{"minCapacity": 2}}), m{"timezone": "Europe/Berlin"}, m{"name": "another"}},
		{"aws:sns/topic:Topic", m{}, tagged, m{"name": "another"}},
		{"aws:sns/topicSubscription:TopicSubscription", m{"topic": "${alarm-topic.arn}", "protocol": "email", "endpoint": "a@example.com"}, m{"rawMessageDelivery": true}, m{"endpoint": "b@example.com"}},
		{"aws:cloudwatch/metricAlarm:MetricAlarm", m{"comparisonOperator": "GreaterThanThreshold", "evaluationPeriods": 1, "namespace": "AWS/Lambda", "metricName": "Errors", "period": 300, "statistic": "Sum", "threshold": 0},
			m{"threshold": 1}, m{"name": "another"}},
	}
}

func replicated(region string) m {
	return m{"replicationConfiguration": m{"rules": []any{m{"destinations": []any{m{"region": region, "registryId": "111122223333"}}}}}}
}

// TestVersionsFollowWhatRuns: a change of what runs publishes a version, any other does not.
func TestVersionsFollowWhatRuns(t *testing.T) {
	t.Parallel()
	w := world(t)
	made, in := w.Made["tuner"], standardInputs("tuner")
	for _, c := range []struct {
		change m
		want   string
	}{{m{"tags": m{"team": "ml"}}, "1"}, {m{"imageUri": images + "2"}, "2"}, {m{"reservedConcurrentExecutions": 5}, "2"}, {m{"memorySize": 512}, "3"}, {m{"memorySize": nil}, "4"}} {
		in = simtest.With(in, c.change)
		preview, err := w.PreviewUpdate(made, in)
		if err != nil {
			t.Fatal(err)
		}
		if made, err = w.Update(made, in); err != nil {
			t.Fatal(err)
		}
		out := engine.Props(made.Outputs)
		if got := out.Str("version"); got != c.want || !strings.HasSuffix(out.Str("qualifiedArn"), ":"+c.want) {
			t.Errorf("after %v the version is %s, want %s", c.change, got, c.want)
		}
		_, publishes := c.change["tags"]
		_, reserves := c.change["reservedConcurrentExecutions"]
		if moves := preview.Outputs["version"].IsComputed(); moves == (publishes || reserves) {
			t.Errorf("the preview of %v says that the version moves: %v", c.change, moves)
		}
	}
}

func TestTagsOfImmutableRepositoriesStay(t *testing.T) {
	t.Parallel()
	w := world(t)
	same, err := w.Cloud.PushImage(sim.Image{Repository: "burst/tuner", Tag: "1", Architecture: "amd64"})
	if err != nil || !strings.HasPrefix(same, "sha256:") {
		t.Errorf("pushing the same again: %s, %v", same, err)
	}
	for want, image := range map[string]sim.Image{
		"cannot be overwritten": {Repository: "burst/tuner", Tag: "1", Architecture: "arm64"},
		"does not exist":        {Repository: "burst/none", Tag: "1", Architecture: "arm64"},
		"wanted a tag":          {Repository: "burst/tuner", Tag: "1", Architecture: "x86_64"},
	} {
		if _, err := w.Cloud.PushImage(image); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", image, err)
		}
	}
}

func TestRegistryAnswers(t *testing.T) {
	t.Parallel()
	w := world(t)
	found, err := w.Invoke("aws:ecr/getImage:getImage", m{"repositoryName": "burst/tuner", "imageTag": "1"})
	if err != nil || !strings.HasPrefix(engine.Props(found).Str("imageDigest"), "sha256:") {
		t.Fatalf("got %v, %v", found, err)
	}
	for want, args := range map[string]m{
		"RepositoryNotFoundException": {"repositoryName": "burst/none", "imageTag": "1"},
		"ImageNotFoundException":      {"repositoryName": "burst/tuner", "imageTag": "none"},
	} {
		if _, err := w.Invoke("aws:ecr/getImage:getImage", args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", args, err)
		}
	}
	if _, err := w.Invoke("aws:lambda/getFunction:getFunction", m{"functionName": "none"}); err == nil || !strings.Contains(err.Error(), "ResourceNotFoundException") {
		t.Errorf("a function that is not there: %v", err)
	}
	token, err := w.Invoke("aws:ecr/getAuthorizationToken:getAuthorizationToken", m{})
	if err != nil || !strings.HasSuffix(engine.Props(token).Str("proxyEndpoint"), ".test") {
		t.Errorf("the registry is at %v, %v: nobody may look for it on a network", token["proxyEndpoint"], err)
	}
}
