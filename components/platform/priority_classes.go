package platform

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypePriorityClasses is the type token of PriorityClasses.
const TypePriorityClasses = "gpuyard:platform:PriorityClasses"

// tokenPriorityClass is the type token of a priority class, whose SDK package takes nine seconds to compile and the
// package of metadata that it needs another twelve.
const tokenPriorityClass = "kubernetes:scheduling.k8s.io/v1:PriorityClass"

// The priority classes, from those that give way last. All are below Kubernetes' own system classes, which begin at two
// thousand million, and above pods without a class, which have zero.
const (
	// PrioritySystem is for what the platform itself runs: operators, exporters, autoscalers.
	PrioritySystem = "gpuyard-system"
	// PriorityInference is for what answers users: it takes nodes from training when load rises.
	PriorityInference = "gpuyard-inference"
	// PriorityTraining is for jobs. They wait for room and push nobody out: a job that loses one pod of many to another
	// job loses all its work since the last checkpoint.
	PriorityTraining = "gpuyard-training"
)

// PriorityClasses are the classes by which pods give way to each other.
type PriorityClasses struct {
	pulumi.ResourceState
}

// NewPriorityClasses registers PriorityClasses.
func NewPriorityClasses(ctx *pulumi.Context, name string, opts ...pulumi.ResourceOption) (*PriorityClasses, error) {
	c := &PriorityClasses{}
	if err := ctx.RegisterComponentResourceV2(TypePriorityClasses, name, pulumi.Map{}, c, opts...); err != nil {
		return nil, err
	}
	for _, class := range priorityClasses() {
		var registered pulumi.CustomResourceState
		err := ctx.RegisterResource(tokenPriorityClass, name+"-"+class.suffix, class.inputs(), &registered, pulumi.Parent(c))
		if err != nil {
			return nil, err
		}
	}
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{})
}

// priorityClass is one class.
type priorityClass struct {
	suffix, name string
	value        int
	preempts     bool
	description  string
}

// priorityClasses returns all classes. A class's value cannot be changed, only replaced, and pods keep the value they
// were made with.
// Source: Kubernetes, "Pod Priority and Preemption".
func priorityClasses() []priorityClass {
	return []priorityClass{
		{"system", PrioritySystem, 1000000, true, "What the platform runs."},
		{"inference", PriorityInference, 100000, true, "Serving: takes room from training."},
		{"training", PriorityTraining, 10000, false, "Training jobs: wait for room and push nobody out."},
	}
}

// inputs returns a class as Kubernetes takes it.
func (p priorityClass) inputs() pulumi.Map {
	policy := "Never"
	if p.preempts {
		policy = "PreemptLowerPriority"
	}
	return pulumi.Map{
		"apiVersion":       pulumi.String("scheduling.k8s.io/v1"),
		"kind":             pulumi.String("PriorityClass"),
		"metadata":         pulumi.StringMap{"name": pulumi.String(p.name)},
		"value":            pulumi.Int(p.value),
		"globalDefault":    pulumi.Bool(false),
		"preemptionPolicy": pulumi.String(policy),
		"description":      pulumi.String(p.description),
	}
}
