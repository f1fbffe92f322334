package blueprint

import (
	"time"

	"github.com/hashicorp/hcl/v2"
)

// Serverless is work that runs without a cluster, labelled with its kind and name. Exactly one of the pointers is set.
type Serverless struct {
	// Kind is lambda or container_app.
	Kind Value[string]
	Name Value[string]
	// Range is the block's header.
	Range hcl.Range

	Lambda       *Lambda
	ContainerApp *ContainerApp
}

// Lambda is an AWS Lambda function from an image.
//
// Source of the bounds: Lambda Developer Guide, "Lambda quotas".
type Lambda struct {
	Image Image `bp:"image,required" doc:"Image in the environment's own registry."`
	// Architecture must be the image's: a function's image has one.
	Architecture Value[string] `bp:"architecture" default:"x86_64" legal:"x86_64 arm64" doc:"Architecture of the image."`
	// Memory and EphemeralStorage are in MiB.
	Memory                 Value[int]           `bp:"memory" default:"3008MiB" unit:"MiB" min:"128" max:"10240" doc:"Memory; processors come with it."`
	EphemeralStorage       Value[int]           `bp:"ephemeral_storage" default:"512MiB" unit:"MiB" min:"512" max:"10240" doc:"Size of /tmp."`
	Timeout                Value[time.Duration] `bp:"timeout" default:"60s" min:"1" max:"900" doc:"Longest run of one call."`
	ProvisionedConcurrency Value[int]           `bp:"provisioned_concurrency" default:"0" min:"0" doc:"Copies kept warm."`
	ReservedConcurrency    Value[int]           `bp:"reserved_concurrency" min:"0" doc:"Most copies at once."`
	Weights                *Weights             `bp:"weights" doc:"Model weights that are fetched at start."`
	Queue                  *Queue               `bp:"queue" doc:"A queue whose messages call the function."`
	Environment            map[string]string    `bp:"environment" doc:"Environment variables; no secrets, since they can be read."`
}

// Image names an image in the environment's own registry.
type Image struct {
	Repository Value[string] `bp:"repository,required" doc:"Repository in the registry."`
	Tag        Value[string] `bp:"tag" doc:"Tag; it is resolved to a digest."`
	Digest     Value[string] `bp:"digest" doc:"Digest, such as sha256:…"`
	Range      hcl.Range
}

// Weights are model weights outside the image.
type Weights struct {
	Source    Value[string] `bp:"source,required" doc:"Where they are fetched from, an s3:// address."`
	Path      Value[string] `bp:"path,required" doc:"File they are put at, below /tmp."`
	MemoryMap Value[bool]   `bp:"memory_map" default:"true" doc:"Map the file instead of reading it."`
	Range     hcl.Range
}

// Queue feeds a function.
type Queue struct {
	MaxReceive     Value[int] `bp:"max_receive" default:"3" min:"1" max:"1000" doc:"Tries before a message goes to the dead-letter queue."`
	MaxConcurrency Value[int] `bp:"max_concurrency" min:"2" max:"1000" doc:"Most messages handled at once."`
	Range          hcl.Range
}

// ContainerApp is an Azure Container App or job.
//
// Source: Azure Container Apps, "Workload profiles" and "Using serverless GPUs".
type ContainerApp struct {
	Location        Value[string]        `bp:"location,required" doc:"Azure region, such as swedencentral."`
	Image           Value[string]        `bp:"image,required" doc:"Image with its registry; linux/amd64."`
	WorkloadProfile Value[string]        `bp:"workload_profile" default:"Consumption" legal:"Consumption Consumption-GPU-NC8as-T4 Consumption-GPU-NC24-A100 D4 D8 D16 D32 E4 E8 E16 E32 NC24-A100 NC48-A100 NC96-A100" doc:"Hardware of each replica."`
	CPU             Value[float64]       `bp:"cpu" min:"0.25" max:"96" doc:"Processors of each replica; left out, the profile's."`
	Memory          Value[int]           `bp:"memory" unit:"MiB" min:"512" doc:"Memory of each replica; left out, the profile's."`
	Scale           AppScale             `bp:"scale" doc:"How many replicas: { min, max }."`
	Timeout         Value[time.Duration] `bp:"timeout" default:"30m" min:"1" doc:"Longest run of one job."`
	Trigger         *Trigger             `bp:"trigger" doc:"What starts or scales it; left out, HTTP requests."`
	Environment     map[string]string    `bp:"environment" doc:"Environment variables."`
}

// AppScale bounds the replicas of a container app.
type AppScale struct {
	Min   Value[int] `bp:"min" default:"0" min:"0" max:"1000" doc:"Fewest replicas."`
	Max   Value[int] `bp:"max" default:"3" min:"1" max:"1000" doc:"Most replicas."`
	Range hcl.Range
}

// Trigger starts a container app.
type Trigger struct {
	Kind     Value[string] `bp:"kind,required" legal:"http queue schedule manual" doc:"What starts it."`
	Length   Value[int]    `bp:"length" min:"1" doc:"Messages for each replica, of a queue."`
	Schedule Value[string] `bp:"schedule" doc:"Five cron fields in UTC, of a schedule."`
	Range    hcl.Range
}

func serverlessBlock() blockType {
	return blockType{
		Name: "serverless", Labels: []string{"kind", "name"},
		Doc: "Work that runs without a cluster and scales to zero.",
		ref: "serverless",
		Kinds: []blockKind{
			{"lambda", "An AWS Lambda function from an image.", typeOf[Lambda](), func(m any) any { return made(&m.(*Serverless).Lambda) }},
			{"container_app", "An Azure Container App, with a GPU if wanted.", typeOf[ContainerApp](), func(m any) any { return made(&m.(*Serverless).ContainerApp) }},
		},
		add: func(b *Blueprint, h header) any {
			s := &Serverless{Kind: h.kind, Name: h.name, Range: h.at}
			b.Serverless = append(b.Serverless, s)
			return s
		},
	}
}
