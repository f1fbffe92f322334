package pack

import (
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// Level is what happens when a policy finds something.
type Level string

// The levels, in Pulumi's words.
const (
	// Advisory is shown and stops nothing.
	Advisory Level = "advisory"
	// Mandatory stops the update before the resource is touched.
	Mandatory Level = "mandatory"
	// Remediate changes the inputs of the resource, and is shown.
	Remediate Level = "remediate"
	// Disabled is the level of a policy that a configuration file switches off.
	Disabled Level = "disabled"
)

// Area is the part of a cluster that a policy is about.
type Area string

// The areas, in the order of the list.
const (
	Fabric     Area = "fabric"
	Nodes      Area = "nodes"
	Cluster    Area = "cluster"
	Storage    Area = "storage"
	Serverless Area = "serverless"
	Identity   Area = "identity"
	Spending   Area = "spending"
)

// Policy is one rule. Exactly one of Resource, Stack and Remedy is set.
type Policy struct {
	// Name is in kebab-case and never changes: configuration files refer to it.
	Name  string
	Level Level
	Area  Area
	// Summary is the rule in one sentence. The engine prints it above every finding.
	Summary string
	// Why and Fix are paragraphs of the policy's page, in Markdown.
	Why, Fix string
	// Tokens are the types that Resource or Remedy judges. None: every type.
	Tokens []string
	// Settings are the policy's configuration.
	Settings []Setting
	// SettingsOf names the policy whose settings a stack policy reads: a policyx policy
	// about the stack is given none.
	SettingsOf string

	// Resource judges the inputs of one resource.
	Resource func(r *Resource, c Config) []Finding
	// Stack judges all resources together.
	Stack func(s *Stack, c Config) []Finding
	// Remedy returns changed inputs, and whether there is anything to change.
	Remedy func(r *Resource, c Config) (property.Map, bool)
}

// Finding is one thing that is wrong.
type Finding struct {
	// URN is the resource that a stack policy blames. Empty: the resource that is judged, or the stack.
	URN string
	// Message says what is wrong and what would be right.
	Message string
}

// Kind says what a policy judges: "resource", "stack" or "remediation".
func (p *Policy) Kind() string {
	switch {
	case p.Stack != nil:
		return "stack"
	case p.Remedy != nil:
		return "remediation"
	default:
		return "resource"
	}
}

// Judges says whether a resource policy or remediation looks at resources of a type.
func (p *Policy) Judges(token string) bool {
	return len(p.Tokens) == 0 || slices.Contains(p.Tokens, Unversioned(token))
}
