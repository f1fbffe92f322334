package kubernetes

import (
	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// jobArgs are the arguments of a job.
// Source: Kubernetes API, batch/v1.
type jobArgs struct {
	APIVersion *string     `pulumi:"apiVersion"`
	Kind       *string     `pulumi:"kind"`
	Metadata   *objectMeta `pulumi:"metadata"`
	Spec       *jobSpec    `pulumi:"spec"`
}

type jobSpec struct {
	ActiveDeadlineSeconds   *int           `pulumi:"activeDeadlineSeconds"`
	BackoffLimit            *int           `pulumi:"backoffLimit"`
	CompletionMode          *string        `pulumi:"completionMode"`
	Completions             *int           `pulumi:"completions"`
	ManualSelector          *bool          `pulumi:"manualSelector"`
	Parallelism             *int           `pulumi:"parallelism"`
	PodFailurePolicy        map[string]any `pulumi:"podFailurePolicy"`
	Selector                *labelSelector `pulumi:"selector"`
	Suspend                 *bool          `pulumi:"suspend"`
	Template                *podTemplate   `pulumi:"template"`
	TTLSecondsAfterFinished *int           `pulumi:"ttlSecondsAfterFinished"`
}

var job = kind{
	apiVersion: "batch/v1", name: "Job", args: jobArgs{},
	replace: []string{"spec.template", "spec.selector", "spec.completions"},
	plan:    []engine.Rule{runsContainers, mountsVolumes, tolerationsAt(podPath + ".tolerations[*]"), jobRestarts}, apply: []engine.Rule{priorityExists},
}

var jobRestarts = engine.Rule{
	Name: "job-restarts", Says: "the pods of a job restart on failure or never", Source: "Kubernetes, \"Jobs\"",
	Judge: func(c *engine.Call) error {
		if p := c.In.Str(podPath + ".restartPolicy"); p != "OnFailure" && p != "Never" && !c.In.Unknown("spec") {
			return engine.Invalid(podPath+".restartPolicy", "got %q, wanted OnFailure or Never", p)
		}
		return nil
	},
}
