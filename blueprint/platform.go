package blueprint

import (
	"time"

	"github.com/hashicorp/hcl/v2"
)

// Platform is what runs on the cluster: one block, each argument a part. A part that is left out is nil and not
// installed.
type Platform struct {
	GPU           *PlatformGPU   `bp:"gpu" doc:"GPU operator and metrics."`
	Scheduler     *Scheduler     `bp:"scheduler" doc:"What places the pods of a job."`
	Training      *Training      `bp:"training" doc:"Training operators."`
	Autoscaling   *Autoscaling   `bp:"autoscaling" doc:"What work scales by."`
	Monitoring    *Monitoring    `bp:"monitoring" doc:"Prometheus, with dashboards and alerts."`
	Logging       *Logging       `bp:"logging" doc:"Where logs go."`
	Tracking      *Tracking      `bp:"tracking" doc:"Experiment tracking."`
	Workflows     *Workflows     `bp:"workflows" doc:"Workflows and roll-outs."`
	Mesh          *Mesh          `bp:"mesh" doc:"Service mesh for inference; training stays out of it."`
	Checkpointing *Checkpointing `bp:"checkpointing" doc:"Periodic checkpoints."`
	Replay        *Replay        `bp:"replay" doc:"A short replay log of training data."`
	Recovery      *Recovery      `bp:"recovery" doc:"What happens when nodes or zones fail."`
	Serving       *Serving       `bp:"serving" doc:"Model serving and federated learning."`
	// Range is the block's header.
	Range hcl.Range
}

// PlatformGPU installs what serves GPUs to pods.
type PlatformGPU struct {
	Operator Value[bool] `bp:"operator" default:"false" doc:"NVIDIA GPU Operator instead of the plain device plugin."`
	DCGM     Value[bool] `bp:"dcgm" default:"false" doc:"DCGM exporter for GPU metrics."`
	Range    hcl.Range
}

// Scheduler chooses what places the pods of a job.
type Scheduler struct {
	Kind    Value[string] `bp:"kind" default:"kueue" legal:"kueue volcano default" doc:"kueue admits jobs for the default scheduler; volcano is a scheduler of its own."`
	Binpack Value[bool]   `bp:"binpack" default:"false" doc:"Fill nodes up before the next one is used."`
	Range   hcl.Range
}

// Training installs training operators.
type Training struct {
	Kubeflow Value[bool] `bp:"kubeflow" default:"false" doc:"Kubeflow Trainer."`
	MPI      Value[bool] `bp:"mpi" default:"false" doc:"MPI operator."`
	Elastic  *Elastic    `bp:"elastic" doc:"Jobs that go on with fewer nodes."`
	Range    hcl.Range
}

// Elastic bounds the nodes of an elastic job.
type Elastic struct {
	MinNodes Value[int] `bp:"min_nodes,required" min:"1" doc:"Fewest nodes a job runs on."`
	MaxNodes Value[int] `bp:"max_nodes,required" min:"1" doc:"Most nodes a job runs on."`
	Range    hcl.Range
}

// Autoscaling names the signals that work scales by.
type Autoscaling struct {
	QueueDepth   Value[bool] `bp:"queue_depth" default:"false" doc:"Scale by waiting jobs."`
	SMActivity   *SMActivity `bp:"sm_activity" doc:"Scale inference by how busy its GPUs are."`
	GradientSync Value[bool] `bp:"gradient_sync" default:"false" doc:"Scale elastic jobs by the time that gradients take."`
	Range        hcl.Range
}

// SMActivity are the per cent of busy multiprocessors between which nothing is scaled.
type SMActivity struct {
	Below Value[int] `bp:"below,required" min:"0" max:"100" doc:"Scale down below this."`
	Above Value[int] `bp:"above,required" min:"0" max:"100" doc:"Scale up above this."`
	Range hcl.Range
}

// Monitoring installs Prometheus.
type Monitoring struct {
	Grafana Value[bool] `bp:"grafana" default:"false" doc:"Grafana with dashboards."`
	Alerts  Value[bool] `bp:"alerts" default:"false" doc:"Alerts on GPUs, EFA and checkpoints."`
	Range   hcl.Range
}

// Logging says where logs go.
type Logging struct {
	OpenTelemetry Value[bool] `bp:"opentelemetry" default:"false" doc:"OpenTelemetry collector on every node."`
	Range         hcl.Range
}

// Tracking installs experiment tracking.
type Tracking struct {
	MLflow    Value[bool]     `bp:"mlflow" default:"false" doc:"MLflow."`
	DVC       Value[bool]     `bp:"dvc" default:"false" doc:"A DVC remote in the artifact bucket."`
	Artifacts Value[*Storage] `bp:"artifacts" doc:"Bucket for artifacts."`
	Range     hcl.Range
}

// Workflows installs workflow engines.
type Workflows struct {
	Argo      Value[bool]     `bp:"argo" default:"false" doc:"Argo Workflows."`
	Rollouts  Value[bool]     `bp:"rollouts" default:"false" doc:"Argo Rollouts."`
	Artifacts Value[*Storage] `bp:"artifacts" doc:"Bucket for artifacts."`
	Range     hcl.Range
}

// Mesh installs a service mesh.
type Mesh struct {
	Istio    Value[bool] `bp:"istio" default:"false" doc:"Istio."`
	Locality Value[bool] `bp:"locality" default:"false" doc:"Prefer callees in the caller's zone."`
	Range    hcl.Range
}

// Checkpointing saves jobs periodically.
type Checkpointing struct {
	Every  Value[time.Duration] `bp:"every,required" min:"60" doc:"Time between checkpoints."`
	Volume Value[*Storage]      `bp:"volume,required" doc:"Storage that holds them."`
	Range  hcl.Range
}

// Replay installs a replay log.
type Replay struct {
	Kafka     Value[bool]          `bp:"kafka" default:"false" doc:"Kafka, run by Strimzi."`
	Retention Value[time.Duration] `bp:"retention" default:"1h" min:"60" doc:"How long records are kept."`
	Range     hcl.Range
}

// Recovery says what happens when nodes or zones fail.
type Recovery struct {
	Zones      []Value[string] `bp:"zones" form:"zone" doc:"Zones in which jobs may start again."`
	NodeRepair Value[bool]     `bp:"node_repair" default:"false" doc:"EKS replaces nodes whose accelerators fail."`
	Range      hcl.Range
}

// Serving installs model serving.
type Serving struct {
	KServe Value[bool] `bp:"kserve" default:"false" doc:"KServe, with plain deployments."`
	Flower Value[bool] `bp:"flower" default:"false" doc:"Flower, for federated learning."`
	Range  hcl.Range
}

func platformBlock() blockType {
	return blockType{
		Name: "platform", Once: true,
		Doc:   "What runs on the cluster. Parts that are left out are not installed.",
		model: typeOf[Platform](),
		add: func(b *Blueprint, _ header) any {
			b.Platform = &Platform{}
			return b.Platform
		},
	}
}
