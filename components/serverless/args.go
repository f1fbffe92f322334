package serverless

import (
	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// ArgumentError says that a component of this package cannot work with an argument. Nothing has been registered then.
// Several are joined into one error.
type ArgumentError = argument.Error

// FunctionArgs describes a Lambda function.
type FunctionArgs struct {
	// ImageURI is the image by its digest, REPOSITORY@sha256:…, in a private registry of the same Region.
	ImageURI pulumi.StringInput `pulumi:"imageUri"`
	// Architecture is that of the image: x86_64 or arm64.
	Architecture string `pulumi:"architecture"`
	// Memory and EphemeralStorage are in MiB.
	Memory           int `pulumi:"memory"`
	EphemeralStorage int `pulumi:"ephemeralStorage"`
	// Timeout is the longest run of a call in seconds.
	Timeout int `pulumi:"timeout"`
	// ProvisionedConcurrency is how many copies are kept warm.
	ProvisionedConcurrency int `pulumi:"provisionedConcurrency,optional"`
	// Scaling lets that number follow the load.
	Scaling *Scaling `pulumi:"scaling,optional"`
	// ReservedConcurrency is the largest number of copies; nil: whatever the account has left.
	ReservedConcurrency *int `pulumi:"reservedConcurrency,optional"`
	// Weights are model weights that the function fetches when it starts.
	Weights *Weights `pulumi:"weights,optional"`
	// Queue makes a queue whose messages call the function.
	Queue *Queue `pulumi:"queue,optional"`
	// Async says what becomes of calls that nobody waits for; nil: Lambda's own two retries within six hours.
	Async *Async `pulumi:"async,optional"`
	// URL gives the function an address.
	URL *URL `pulumi:"url,optional"`
	// SubnetIDs and SecurityGroupID attach the function to a VPC; see Attachment.
	SubnetIDs       pulumi.StringArrayInput `pulumi:"subnetIds,optional"`
	SecurityGroupID pulumi.StringInput      `pulumi:"securityGroupId,optional"`
	// AccessPointARN is mounted at MountPath, below /mnt/. Give the output of a FileSystem, which is known when it can
	// be mounted.
	AccessPointARN pulumi.StringInput `pulumi:"accessPointArn,optional"`
	MountPath      string             `pulumi:"mountPath,optional"`
	// LogRetentionDays is how long logs are kept.
	LogRetentionDays int `pulumi:"logRetentionDays"`
	// AlarmEmail gets a mail when something is wrong, and AlarmTopicARN is a topic that exists. Without both, alarms are
	// seen in CloudWatch alone.
	AlarmEmail    string             `pulumi:"alarmEmail,optional"`
	AlarmTopicARN pulumi.StringInput `pulumi:"alarmTopicArn,optional"`
	// Tracing sends traces to X-Ray.
	Tracing bool `pulumi:"tracing,optional"`
	// Environment are environment variables. They are no place for secrets.
	Environment map[string]string `pulumi:"environment,optional"`
	// Tags are put on everything that takes tags.
	Tags map[string]string `pulumi:"tags,optional"`
}

// Scaling lets the number of warm copies follow the load.
type Scaling struct {
	// Max is the largest number; ProvisionedConcurrency is the smallest.
	Max int `pulumi:"max"`
	// Target is the share of the warm copies that is to be busy, such as 0.7.
	Target float64 `pulumi:"target"`
	// Schedules change both bounds at times.
	Schedules []Schedule `pulumi:"schedules,optional"`
}

// Schedule changes the bounds of Scaling at a time.
type Schedule struct {
	Name     string `pulumi:"name"`
	Cron     string `pulumi:"cron"` // six fields
	Timezone string `pulumi:"timezone"`
	Min      int    `pulumi:"min"`
	Max      int    `pulumi:"max"`
}

// Weights are model weights in S3. See the package for what the function is told of them.
type Weights struct {
	// Source is an address s3://BUCKET/KEY.
	Source string `pulumi:"source"`
	// Path is the file that they are put at.
	Path string `pulumi:"path"`
	// SHA256 is their hash in hexadecimal digits; empty: not known.
	SHA256 string `pulumi:"sha256,optional"`
	// Size is their size in MiB; 0: not known, and not judged.
	Size int `pulumi:"size,optional"`
	// MemoryMap maps the file instead of reading it.
	MemoryMap bool `pulumi:"memoryMap"`
}

// Queue is a queue whose messages call a function.
type Queue struct {
	// MaxReceive is how often a message is tried before it goes to the queue of failures.
	MaxReceive int `pulumi:"maxReceive"`
	// MaxConcurrency bounds the calls at once; 0: only the function's own bounds do.
	MaxConcurrency int `pulumi:"maxConcurrency,optional"`
	// BatchSize is how many messages one call gets.
	BatchSize int `pulumi:"batchSize"`
	// Visibility is how long a message that is being handled is hidden, in seconds; 0: six times the timeout.
	Visibility int `pulumi:"visibility,optional"`
}

// Async says what becomes of calls that nobody waits for.
type Async struct {
	Retries int `pulumi:"retries"`
	MaxAge  int `pulumi:"maxAge"` // seconds
}

// URL is an address at which a function is called.
type URL struct {
	// Public lets in everybody; otherwise callers sign with IAM.
	Public bool `pulumi:"public"`
	// Stream sends answers as they are made.
	Stream bool `pulumi:"stream"`
}

// inputs are the arguments as the engine, policies and mocks see them.
func (a *FunctionArgs) inputs() pulumi.Map {
	in := pulumi.Map{
		"imageUri": a.ImageURI, "architecture": pulumi.String(a.Architecture), "memory": pulumi.Int(a.Memory),
		"ephemeralStorage": pulumi.Int(a.EphemeralStorage), "timeout": pulumi.Int(a.Timeout),
		"provisionedConcurrency": pulumi.Int(a.ProvisionedConcurrency), "logRetentionDays": pulumi.Int(a.LogRetentionDays),
		"tags": pulumi.ToStringMap(a.Tags),
	}
	if a.ReservedConcurrency != nil {
		in["reservedConcurrency"] = pulumi.Int(*a.ReservedConcurrency)
	}
	if w := a.Weights; w != nil {
		in["weights"] = pulumi.Map{
			"source": pulumi.String(w.Source), "path": pulumi.String(w.Path), "size": pulumi.Int(w.Size), "memoryMap": pulumi.Bool(w.MemoryMap),
		}
	}
	if len(a.Environment) > 0 {
		in["environment"] = pulumi.ToStringMap(a.Environment)
	}
	return in
}
