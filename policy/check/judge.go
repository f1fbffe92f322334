package check

import (
	"cmp"
	"slices"
	"time"

	"github.com/gpuyard/gpuyard/policy/pack"
)

// Report is what the policies say about a plan.
type Report struct {
	// Plan is what was judged.
	Plan *Plan
	// Findings are in the order of the pack, and of the plan within a policy.
	Findings []Finding
	// Remedies are the inputs that the engine will change.
	Remedies []Remedy
	// Policies and Resources are how many were judged.
	Policies, Resources int
}

// Finding is one thing that is wrong.
type Finding struct {
	Policy *pack.Policy
	// Level is the level that holds: the configuration's, else the policy's.
	Level pack.Level
	// URN, Type and Name are the resource's; Name is empty for what is wrong with the stack.
	URN, Type, Name string
	Message         string
	// Exception is set where the configuration excepts the finding. It then stops nothing.
	Exception *Exception
}

// Exception is why a finding is let be.
type Exception struct{ ID, Reason string }

// Remedy is a resource that the engine will change before it makes it.
type Remedy struct {
	Policy          *pack.Policy
	URN, Type, Name string
}

// Stops says whether the finding stops an update.
func (f *Finding) Stops() bool { return f.Level == pack.Mandatory && f.Exception == nil }

// Failed says whether some finding stops an update.
func (r *Report) Failed() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Stops() })
}

// Count returns how many findings stop an update, how many are advice, and how many are excepted.
func (r *Report) Count() (mandatory, advisory, excepted int) {
	for _, f := range r.Findings {
		switch {
		case f.Exception != nil:
			excepted++
		case f.Level == pack.Mandatory:
			mandatory++
		default:
			advisory++
		}
	}
	return mandatory, advisory, excepted
}

// Judge judges a plan as the engine does: it remedies, then judges each resource, then the stack. Nil settings are the
// pack's own. Now is the time at which the plan is judged.
func Judge(plan *Plan, settings *Settings, now time.Time) *Report {
	if settings == nil {
		settings = &Settings{}
	}
	report := &Report{Plan: plan, Resources: len(plan.Inputs)}
	inputs := slices.Clone(plan.Inputs)
	outputs := slices.Clone(plan.Outputs)
	for i := range inputs {
		inputs[i].Catalog, outputs[i].Catalog = plan.Catalog, plan.Catalog
		report.remedy(&inputs[i], &outputs[i], settings)
	}
	var stack *pack.Stack
	for _, p := range pack.Policies() {
		level := settings.level(p)
		if level == pack.Disabled || p.Remedy != nil || p.Stack != nil && plan.Partial {
			continue
		}
		report.Policies++
		config := settings.config(p)
		if p.Stack != nil {
			if stack == nil {
				stack = pack.NewStack(outputs, now)
			}
			for _, f := range p.Stack(stack, config) {
				report.add(p, level, settings, outputs, f)
			}
			continue
		}
		for i := range inputs {
			if !p.Judges(inputs[i].Type) {
				continue
			}
			for _, f := range p.Resource(&inputs[i], config) {
				f.URN = cmp.Or(f.URN, inputs[i].URN)
				report.add(p, level, settings, inputs, f)
			}
		}
	}
	return report
}

// remedy applies the remediations to a resource, one after another.
func (r *Report) remedy(input, output *pack.Resource, settings *Settings) {
	if r.Plan.Source != "preview" {
		return // what exists is not changed
	}
	for _, p := range pack.Policies() {
		if p.Remedy == nil || settings.level(p) != pack.Remediate || !p.Judges(input.Type) {
			continue
		}
		config := settings.config(p)
		changed, ok := p.Remedy(input, config)
		if !ok {
			continue
		}
		input.Properties = changed
		if again, ok := p.Remedy(output, config); ok {
			output.Properties = again
		}
		r.Remedies = append(r.Remedies, Remedy{Policy: p, URN: input.URN, Type: input.Type, Name: input.Name})
	}
}

func (r *Report) add(p *pack.Policy, level pack.Level, settings *Settings, resources []pack.Resource, f pack.Finding) {
	finding := Finding{Policy: p, Level: level, URN: f.URN, Message: f.Message, Exception: settings.excuse(p.Name, f.URN)}
	if i := slices.IndexFunc(resources, func(r pack.Resource) bool { return r.URN == f.URN }); i >= 0 {
		finding.Type, finding.Name = resources[i].Type, resources[i].Name
	}
	r.Findings = append(r.Findings, finding)
}
