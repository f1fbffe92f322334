package kubernetes

import (
	"strings"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const priorityClassToken = "kubernetes:scheduling.k8s.io/v1:PriorityClass"

// priorityClassArgs are the arguments of a priority class.
// Source: Kubernetes API, scheduling.k8s.io/v1.
type priorityClassArgs struct {
	APIVersion       *string     `pulumi:"apiVersion"`
	Description      *string     `pulumi:"description"`
	GlobalDefault    *bool       `pulumi:"globalDefault"`
	Kind             *string     `pulumi:"kind"`
	Metadata         *objectMeta `pulumi:"metadata"`
	PreemptionPolicy *string     `pulumi:"preemptionPolicy"`
	Value            int         `pulumi:"value"`
}

func priorityClass() *engine.Resource {
	return &engine.Resource{
		Token: priorityClassToken, Args: priorityClassArgs{}, State: priorityClassArgs{},
		Replace:     []string{"metadata.name", "value", "preemptionPolicy"},
		DeleteFirst: true,
		Fills:       metadataFills,
		Moves:       []string{"metadata"},
		Plan:        []engine.Rule{isOf("scheduling.k8s.io/v1", "PriorityClass"), named, priorityValue, preemption},
		Apply:       []engine.Rule{reachable, oneDefault},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			cl, _ := clusterOf(c)
			c.ComeWith(clusterToken, cl.ID)
			uid, err := uidOf(c)
			out := engine.Outputs{"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": metadata(c, uid, 1, true)}
			if !c.In.Has("preemptionPolicy") {
				out["preemptionPolicy"] = "PreemptLowerPriority"
			}
			return c.In.Str("metadata.name"), out, err
		},
		Update: func(c *engine.Call) (engine.Outputs, error) {
			generation, _ := c.Was.Int("metadata.generation")
			return engine.Outputs{"metadata": metadata(c, c.Was.Str("metadata.uid"), generation+1, true)}, nil
		},
	}
}

// highestValue is the largest value of a class that is not Kubernetes' own.
// Source: Kubernetes, "Pod Priority and Preemption".
const highestValue = 1000000000

var priorityValue = engine.Rule{
	Name: "priority-value", Says: "a class is not called system-…, and its value is at most 1000000000", Source: "Kubernetes, \"Pod Priority and Preemption\"",
	Judge: func(c *engine.Call) error {
		if name := c.In.Str("metadata.name"); strings.HasPrefix(name, "system-") {
			return engine.Invalid("metadata.name", "%q: names that begin with system- are Kubernetes' own", name)
		}
		if n, ok := c.In.Int("value"); ok && n > highestValue {
			return engine.Invalid("value", "got %d, wanted at most %d", n, highestValue)
		}
		if c.In.Has("metadata.namespace") {
			return engine.Invalid("metadata.namespace", "a priority class lives in no namespace")
		}
		return nil
	},
}

var preemption = engine.Rule{
	Name: "legal-preemption-policy", Says: "`preemptionPolicy` is Never or PreemptLowerPriority", Source: "Kubernetes API, PriorityClass",
	Judge: func(c *engine.Call) error {
		if p := c.In.Str("preemptionPolicy"); p != "" && p != "Never" && p != "PreemptLowerPriority" {
			return engine.Invalid("preemptionPolicy", "got %q, wanted Never or PreemptLowerPriority", p)
		}
		return nil
	},
}

var oneDefault = engine.Rule{
	Name: "one-default", Says: "one class of a cluster is the global default", Source: "Kubernetes, \"Pod Priority and Preemption\"",
	Judge: func(c *engine.Call) error {
		if !c.In.Bool("globalDefault") {
			return nil
		}
		for _, other := range c.Others(priorityClassToken) {
			if other.In.Bool("globalDefault") {
				return engine.Refuse("Forbidden", "PriorityClass %s is already marked as default; only one default can exist", other.ID)
			}
		}
		return nil
	},
}

// builtIn are the classes that every cluster has.
var builtIn = []string{"system-cluster-critical", "system-node-critical"}
