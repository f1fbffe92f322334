package storage

import (
	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// labelPool is the node label that holds the name of a pool.
const labelPool = "gpuyard.dev/pool"

// labelSnapshots is the label by which a claim is left out of scheduled snapshots: its value is snapshotsOff.
const (
	labelSnapshots = "gpuyard.dev/snapshots"
	snapshotsOff   = "off"
)

// Placement says which nodes something of a store runs on.
type Placement struct {
	// Pool is the value of the label gpuyard.dev/pool of those nodes.
	Pool string `pulumi:"pool"`
	// Taints are the nodes' taints, which its pods tolerate.
	Taints []Taint `pulumi:"taints,optional"`
}

// Taint is a taint of nodes.
type Taint struct {
	// Key and Value are the taint's; the value may be empty.
	Key   string `pulumi:"key"`
	Value string `pulumi:"value,optional"`
	// Effect is NoSchedule, PreferNoSchedule or NoExecute.
	Effect string `pulumi:"effect"`
}

// check judges a placement.
func (p Placement) check(c *argument.Checker, name string) {
	if p.Pool == "" {
		c.Failf(name+".pool", "it is empty: without it, pods would run on any node")
	}
	for _, t := range p.Taints {
		switch t.Effect {
		case "NoSchedule", "PreferNoSchedule", "NoExecute":
		default:
			c.Failf(name+".taints", "%s has the effect %q: it may be NoSchedule, PreferNoSchedule or NoExecute", t.Key, t.Effect)
		}
	}
}

// inputs returns a placement as the inputs of a component.
func (p Placement) inputs() pulumi.Map {
	return pulumi.Map{"pool": pulumi.String(p.Pool), "taints": taintInputs(p.Taints)}
}

func taintInputs(taints []Taint) pulumi.Array {
	list := pulumi.Array{}
	for _, t := range taints {
		list = append(list, pulumi.StringMap{
			"key": pulumi.String(t.Key), "value": pulumi.String(t.Value), "effect": pulumi.String(t.Effect),
		})
	}
	return list
}

// selector returns the node selector that keeps pods on the nodes.
func (p Placement) selector() pulumi.StringMap {
	return pulumi.StringMap{labelPool: pulumi.String(p.Pool)}
}

// nodeTerms returns the node selector terms that keep something on the nodes.
func (p Placement) nodeTerms() pulumi.Map {
	return pulumi.Map{"nodeSelectorTerms": pulumi.Array{pulumi.Map{"matchExpressions": pulumi.Array{pulumi.Map{
		"key": pulumi.String(labelPool), "operator": pulumi.String("In"), "values": pulumi.ToStringArray([]string{p.Pool}),
	}}}}}
}

// tolerate returns tolerations of taints.
func tolerate(taints []Taint) pulumi.Array {
	list := pulumi.Array{}
	for _, t := range taints {
		toleration := pulumi.StringMap{"key": pulumi.String(t.Key), "operator": pulumi.String("Exists"), "effect": pulumi.String(t.Effect)}
		if t.Value != "" {
			toleration["operator"], toleration["value"] = pulumi.String("Equal"), pulumi.String(t.Value)
		}
		list = append(list, toleration)
	}
	return list
}

// everyTaint tolerates every taint: what serves volumes to pods runs wherever pods do.
func everyTaint() pulumi.Array {
	return pulumi.Array{pulumi.StringMap{"operator": pulumi.String("Exists")}}
}
