package blueprint

import (
	"time"

	"github.com/hashicorp/hcl/v2"
)

// ContainerApp is an Azure Container App, or a job if something other than HTTP requests starts it.
//
// Source: Azure Container Apps, "Workload profiles" and "Using serverless GPUs".
type ContainerApp struct {
	Location        Value[string]        `bp:"location,required" doc:"Azure region, such as swedencentral."`
	ResourceGroup   Value[string]        `bp:"resource_group" doc:"Existing resource group; left out, one is made."`
	Image           Value[string]        `bp:"image,required" doc:"Image with its registry; linux/amd64."`
	Registry        *AppRegistry         `bp:"registry" doc:"Azure container registry of the image, which the app's identity gets the right to pull from."`
	Command         []Value[string]      `bp:"command" doc:"What is run instead of the image's own entry point."`
	WorkloadProfile Value[string]        `bp:"workload_profile" default:"Consumption" legal:"Consumption Consumption-GPU-NC8as-T4 Consumption-GPU-NC24-A100 D4 D8 D16 D32 E4 E8 E16 E32 NC24-A100 NC48-A100 NC96-A100" doc:"Hardware of each replica."`
	ProfileNodes    *ProfileNodes        `bp:"profile_nodes" doc:"How many nodes a profile that is not serverless has: { min, max }."`
	CPU             Value[float64]       `bp:"cpu" min:"0.25" max:"96" doc:"Processors of each replica; left out, the profile's."`
	Memory          Value[int]           `bp:"memory" unit:"MiB" min:"512" doc:"Memory of each replica; left out, the profile's."`
	GPU             Value[int]           `bp:"gpu" min:"0" doc:"GPUs of each replica; it can only be what the profile has, and may be left out."`
	Disk            Value[int]           `bp:"disk" unit:"MiB" min:"1" doc:"What a replica writes to its own disk, to be judged against what there is."`
	Privileged      Value[bool]          `bp:"privileged" default:"false" doc:"Refused: Container Apps runs no privileged containers."`
	Scale           AppScale             `bp:"scale" doc:"How many replicas: { min, max }."`
	Timeout         Value[time.Duration] `bp:"timeout" default:"30m" min:"1" doc:"Longest run of one job."`
	ExpectedRun     Value[time.Duration] `bp:"expected_run" min:"1" doc:"What one run is expected to take: judged against the limits, and what explain counts with."`
	Retry           Value[int]           `bp:"retry" default:"1" min:"0" max:"10" doc:"Further tries of a job's replica that failed."`
	Parallelism     Value[int]           `bp:"parallelism" default:"1" min:"1" max:"300" doc:"Replicas that work on one run of a job."`
	Completions     Value[int]           `bp:"completions" default:"1" min:"1" max:"300" doc:"Replicas that must succeed for a run of a job to do so."`
	Trigger         *Trigger             `bp:"trigger" doc:"What starts or scales it; left out, HTTP requests."`
	Ingress         *AppIngress          `bp:"ingress" doc:"How an app is reached; left out, inside its environment at port 8080. Jobs have none."`
	Probes          []AppProbe           `bp:"probes" doc:"How it is seen that a replica of an app is ready and lives."`
	Volumes         []AppVolume          `bp:"volumes" doc:"Storage besides the replica's own disk."`
	Subnet          Value[string]        `bp:"subnet" doc:"Resource id of an existing subnet to stand in; left out, Azure's own network."`
	Logs            AppLogs              `bp:"logs" doc:"Where logs go."`
	Secrets         map[string]string    `bp:"secrets" doc:"Environment variables whose values are in a Key Vault: the address of each secret."`
	SecretsAt       map[string]hcl.Range
	KeyVault        Value[string]     `bp:"key_vault" doc:"Resource id of the Key Vault of the secrets, which the app's identity gets the right to read."`
	Environment     map[string]string `bp:"environment" doc:"Environment variables; no secrets, since they can be read."`
}

// AppRegistry is the Azure container registry of an image.
type AppRegistry struct {
	ID    Value[string] `bp:"id,required" doc:"Resource id of the registry, /subscriptions/…/registries/NAME."`
	Range hcl.Range
}

// ProfileNodes is how many nodes a dedicated profile has.
type ProfileNodes struct {
	Min   Value[int] `bp:"min,required" min:"0" max:"1000" doc:"Fewest nodes, which are paid for while idle."`
	Max   Value[int] `bp:"max,required" min:"1" max:"1000" doc:"Most nodes."`
	Range hcl.Range
}

// AppScale bounds the replicas of a container app.
type AppScale struct {
	Min      Value[int]           `bp:"min" default:"0" min:"0" max:"1000" doc:"Fewest replicas."`
	Max      Value[int]           `bp:"max" default:"3" min:"1" max:"1000" doc:"Most replicas."`
	Cooldown Value[time.Duration] `bp:"cooldown" min:"1" max:"86400" doc:"How long an idle app keeps its last replica; left out, 5 minutes, with a GPU 10."`
	Range    hcl.Range
}

// Trigger starts a container app.
type Trigger struct {
	Kind        Value[string] `bp:"kind,required" legal:"http queue schedule manual" doc:"What starts it: http makes an app, everything else a job."`
	Length      Value[int]    `bp:"length" min:"1" doc:"Messages for each replica, of a queue."`
	Schedule    Value[string] `bp:"schedule" doc:"Five cron fields in UTC, of a schedule."`
	Concurrency Value[int]    `bp:"concurrency" min:"1" max:"1000" doc:"Requests at once for each replica, of http; left out, 10."`
	Range       hcl.Range
}

// AppIngress says how an app is reached. Session affinity is off.
type AppIngress struct {
	Port     Value[int]  `bp:"port,required" min:"1" max:"65535" doc:"Port that the container listens on."`
	External Value[bool] `bp:"external" default:"false" doc:"Whether it is reached from outside its environment."`
	Range    hcl.Range
}

// AppProbe asks a container how it is. The bounds are those of checkContainerAppProbes.
type AppProbe struct {
	Kind         Value[string]        `bp:"kind,required" legal:"startup liveness readiness" doc:"What the answer decides."`
	Path         Value[string]        `bp:"path" doc:"HTTP path that is asked; left out, a connection is made."`
	Port         Value[int]           `bp:"port,required" min:"1" max:"65535" doc:"Port that is asked."`
	InitialDelay Value[time.Duration] `bp:"initial_delay" default:"1s" doc:"Time before the first question, 1 to 60 seconds."`
	Period       Value[time.Duration] `bp:"period" default:"10s" doc:"Time between questions, 1 to 240 seconds."`
	Timeout      Value[time.Duration] `bp:"timeout" default:"1s" doc:"Longest wait for an answer, 1 to 240 seconds."`
	Failures     Value[int]           `bp:"failures" default:"3" doc:"Wrong answers that count, 1 to 10."`
	Range        hcl.Range
}

// AppVolume is storage besides a replica's own disk.
type AppVolume struct {
	Name     Value[string] `bp:"name,required" doc:"Name of the volume."`
	Path     Value[string] `bp:"path,required" doc:"Where it is mounted."`
	Kind     Value[string] `bp:"kind,required" legal:"empty azure_file nfs" doc:"empty is part of the replica's own disk; azure_file and nfs are Azure Files shares."`
	Account  Value[string] `bp:"account" doc:"Resource id of the storage account, of azure_file."`
	Server   Value[string] `bp:"server" doc:"Host name of the server, of nfs."`
	Share    Value[string] `bp:"share" doc:"Name of the share; with nfs, /ACCOUNT/SHARE."`
	ReadOnly Value[bool]   `bp:"read_only" default:"false" doc:"Mount it for reading only."`
	Range    hcl.Range
}

// AppLogs says where logs go.
type AppLogs struct {
	Kind      Value[string] `bp:"kind" default:"azure_monitor" legal:"azure_monitor log_analytics none" doc:"azure_monitor sends them by a diagnostic setting, log_analytics by the workspace's key."`
	Workspace Value[string] `bp:"workspace" doc:"Resource id of an existing Log Analytics workspace, for azure_monitor; left out, one is made."`
	Range     hcl.Range
}
