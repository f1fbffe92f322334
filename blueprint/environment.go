package blueprint

import "github.com/hashicorp/hcl/v2"

// Environment says what the environment is called and where it stands: one block, labelled with its name.
type Environment struct {
	// Name is the block's label. Names of cloud resources are derived from it.
	Name Value[string]
	// Region is the AWS region.
	Region Value[string] `bp:"region,required" doc:"AWS region, such as us-east-2."`
	// KubernetesVersion is the minor version of the cluster. The default is the newest that every chart supports.
	KubernetesVersion Value[string] `bp:"kubernetes_version" default:"1.35" doc:"Kubernetes minor version of the cluster."`
	// Protect refuses to destroy the environment.
	Protect Value[bool] `bp:"protect" default:"false" doc:"Refuse to destroy the environment until this is false again."`
	// BudgetPerHour bounds the price of all pools at their maximum; unset, nothing is bounded.
	BudgetPerHour Value[float64] `bp:"budget_per_hour" min:"0" doc:"USD an hour at list price, with every pool at its maximum; above it the plan is refused."`
	// Tags are put on every cloud resource.
	Tags   map[string]string `bp:"tags" doc:"Tags of every cloud resource."`
	TagsAt map[string]hcl.Range
	// Silence names rules whose warnings are not wanted.
	Silence []Value[string] `bp:"silence" doc:"Names of rules whose warnings are left out; errors cannot be silenced."`
	// Range is the block's header.
	Range hcl.Range
}

func environmentBlock() blockType {
	return blockType{
		Name: "environment", Labels: []string{"name"}, Once: true,
		Doc:   "What the environment is called, where it stands and what it may cost.",
		model: typeOf[Environment](),
		add: func(b *Blueprint, h header) any {
			b.Environment.Name, b.Environment.Range = h.name, h.at
			return &b.Environment
		},
	}
}
