package blueprint

import (
	"time"

	"github.com/hashicorp/hcl/v2"
)

// Lambda is an AWS Lambda function from an image.
//
// Source of the bounds: Lambda Developer Guide, "Lambda quotas".
type Lambda struct {
	Image Image `bp:"image,required" doc:"Image in the environment's own registry."`
	// Architecture must be the image's: a function's image has one.
	Architecture Value[string] `bp:"architecture" default:"x86_64" legal:"x86_64 arm64" doc:"Architecture of the image."`
	// Memory and EphemeralStorage are in MiB.
	Memory           Value[int]           `bp:"memory" default:"3008MiB" unit:"MiB" min:"128" max:"10240" doc:"Memory; processors come with it."`
	EphemeralStorage Value[int]           `bp:"ephemeral_storage" default:"512MiB" unit:"MiB" min:"512" max:"10240" doc:"Size of /tmp."`
	Timeout          Value[time.Duration] `bp:"timeout" default:"60s" min:"1" max:"900" doc:"Longest run of one call."`
	// ExpectedRun is what a call is expected to take, for judgement and for what it costs.
	ExpectedRun            Value[time.Duration] `bp:"expected_run" min:"1" doc:"What one call is expected to take: judged against the limits, and what explain counts with."`
	ProvisionedConcurrency Value[int]           `bp:"provisioned_concurrency" default:"0" min:"0" doc:"Copies kept warm."`
	Scaling                *WarmScaling         `bp:"scaling" doc:"How the number of warm copies follows the load."`
	ReservedConcurrency    Value[int]           `bp:"reserved_concurrency" min:"0" doc:"Most copies at once."`
	Weights                *Weights             `bp:"weights" doc:"Model weights that are fetched at start."`
	Queue                  *Queue               `bp:"queue" doc:"A queue whose messages call the function."`
	Async                  *AsyncCalls          `bp:"async" doc:"What becomes of calls that nobody waits for."`
	URL                    *FunctionURL         `bp:"url" doc:"An address at which the function is called; left out, it has none."`
	VPC                    *LambdaVPC           `bp:"vpc" doc:"The network that the function is attached to; left out, none."`
	EFS                    *LambdaEFS           `bp:"efs" doc:"An EFS file system that is mounted; it needs vpc."`
	Registry               *LambdaRegistry      `bp:"registry" doc:"What the registry does besides holding the image."`
	LogRetentionDays       Value[int]           `bp:"log_retention_days" default:"30" legal:"1 3 5 7 14 30 60 90 120 150 180 365 400 545 731" doc:"Days that logs are kept."`
	Alarms                 *Alarms              `bp:"alarms" doc:"Who hears of errors, throttling, calls near their timeout and warm copies that do not suffice."`
	Tracing                Value[bool]          `bp:"tracing" default:"false" doc:"Trace calls with X-Ray."`
	// SnapStart and GPU are known so that it can be said why a function from an image has neither.
	SnapStart   Value[bool]       `bp:"snap_start" default:"false" doc:"Refused: functions from an image have no SnapStart."`
	GPU         Value[int]        `bp:"gpu" default:"0" min:"0" doc:"Refused unless 0: functions have no GPU."`
	Environment map[string]string `bp:"environment" doc:"Environment variables; no secrets, since they can be read."`
}

// Image names an image in the environment's own registry.
type Image struct {
	Repository Value[string] `bp:"repository,required" doc:"Repository in the registry; its full name is ENVIRONMENT/REPOSITORY."`
	Tag        Value[string] `bp:"tag" doc:"Tag; it is resolved to a digest."`
	Digest     Value[string] `bp:"digest" doc:"Digest, such as sha256:…"`
	Range      hcl.Range
}

// WarmScaling lets the number of warm copies follow the load, from provisioned_concurrency up.
type WarmScaling struct {
	Max       Value[int]     `bp:"max,required" min:"1" doc:"Most copies kept warm."`
	Target    Value[float64] `bp:"target" default:"0.7" min:"0.1" max:"0.9" doc:"Share of the warm copies that is to be busy."`
	Schedules []WarmSchedule `bp:"schedules" doc:"Times at which the bounds change."`
	Range     hcl.Range
}

// WarmSchedule changes the bounds at a time.
type WarmSchedule struct {
	Name     Value[string] `bp:"name,required" doc:"Name of the schedule."`
	Cron     Value[string] `bp:"cron,required" doc:"Six fields as EventBridge has them, such as 0 8 ? * MON-FRI *."`
	Timezone Value[string] `bp:"timezone" default:"Etc/UTC" doc:"Time zone of the schedule."`
	Min      Value[int]    `bp:"min,required" min:"0" doc:"Fewest warm copies from then on."`
	Max      Value[int]    `bp:"max,required" min:"0" doc:"Most warm copies from then on."`
	Range    hcl.Range
}

// Weights are model weights outside the image.
type Weights struct {
	Source    Value[string] `bp:"source,required" doc:"Where they are fetched from, an s3:// address."`
	Path      Value[string] `bp:"path,required" doc:"File they are put at, below /tmp or the mounted file system."`
	MemoryMap Value[bool]   `bp:"memory_map" default:"true" doc:"Map the file instead of reading it."`
	// Size is in MiB.
	Size   Value[int]    `bp:"size" unit:"MiB" min:"1" doc:"Their size, so that it can be judged whether they fit."`
	SHA256 Value[string] `bp:"sha256" doc:"Their SHA-256 in hexadecimal digits, which is checked after fetching."`
	Range  hcl.Range
}

// Queue feeds a function.
type Queue struct {
	MaxReceive     Value[int]           `bp:"max_receive" default:"3" min:"1" max:"1000" doc:"Tries before a message goes to the dead-letter queue."`
	MaxConcurrency Value[int]           `bp:"max_concurrency" min:"2" max:"1000" doc:"Most messages handled at once."`
	BatchSize      Value[int]           `bp:"batch_size" default:"1" min:"1" max:"10" doc:"Messages of one call."`
	Visibility     Value[time.Duration] `bp:"visibility" min:"1" max:"43200" doc:"How long a message that is being handled is hidden; left out, six times the timeout."`
	Range          hcl.Range
}

// AsyncCalls says what becomes of calls that nobody waits for.
//
// Source of the bounds: Lambda API, PutFunctionEventInvokeConfig.
type AsyncCalls struct {
	Retries Value[int]           `bp:"retries" default:"2" min:"0" max:"2" doc:"Further tries of a call that failed."`
	MaxAge  Value[time.Duration] `bp:"max_age" default:"6h" min:"60" max:"21600" doc:"How long a call is kept before it is given up."`
	Range   hcl.Range
}

// FunctionURL is an address at which a function is called.
type FunctionURL struct {
	Auth   Value[string] `bp:"auth" default:"iam" legal:"iam none" doc:"Who may call: iam asks for a signature; none lets in everybody, and needs public = true."`
	Public Value[bool]   `bp:"public" default:"false" doc:"Consent to auth = none: anybody may call, and you pay."`
	Stream Value[bool]   `bp:"stream" default:"true" doc:"Answers are sent as they are made."`
	Range  hcl.Range
}

// LambdaVPC attaches a function to a network.
type LambdaVPC struct {
	ID      Value[string]   `bp:"id" doc:"Id of an existing VPC; left out, the one of the network block."`
	Subnets []Value[string] `bp:"subnets" doc:"Ids of its subnets; left out, the private ones of the network block."`
	Range   hcl.Range
}

// LambdaEFS mounts an EFS file system.
type LambdaEFS struct {
	Path        Value[string] `bp:"path,required" doc:"Where it is mounted, below /mnt/."`
	AccessPoint Value[string] `bp:"access_point" doc:"ARN of an existing access point; left out, a file system is made."`
	Range       hcl.Range
}

// LambdaRegistry says what the registry does besides holding the image.
type LambdaRegistry struct {
	Keep        Value[int]      `bp:"keep" default:"10" min:"1" max:"1000" doc:"Tagged images that are kept; older ones are deleted."`
	PullThrough []PullThrough   `bp:"pull_through" doc:"Registries whose images are kept here when they are pulled, for base images in builds."`
	ReplicateTo []Value[string] `bp:"replicate_to" doc:"Regions that images are copied to. An account has one such setting a region."`
	Range       hcl.Range
}

// PullThrough keeps the images of another registry when they are pulled.
type PullThrough struct {
	Prefix     Value[string] `bp:"prefix,required" doc:"What the names of its repositories begin with here."`
	Upstream   Value[string] `bp:"upstream,required" doc:"The other registry, such as public.ecr.aws."`
	Credential Value[string] `bp:"credential" doc:"ARN of the secret with its credential, whose name begins with ecr-pullthroughcache/."`
	Range      hcl.Range
}

// Alarms says who hears of trouble.
type Alarms struct {
	Email Value[string] `bp:"email" doc:"Address that gets a mail; AWS asks it to confirm once."`
	Topic Value[string] `bp:"topic" doc:"ARN of an existing SNS topic."`
	Range hcl.Range
}
