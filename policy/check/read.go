package check

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/common/tokens"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/policy/pack"
)

// Plan is what there is to judge.
type Plan struct {
	// Source is "preview" or "stack export".
	Source string
	// Inputs are the resources with their inputs, for resource policies.
	Inputs []pack.Resource
	// Outputs are the resources with what is known of their outputs, for stack policies.
	Outputs []pack.Resource
	// Partial says that resources are left out, so that nothing can be said about the stack as a whole.
	Partial bool
	// Notes are sentences about what could not be judged.
	Notes []string
	// Catalog is what instance types are; nil means catalog.Default.
	Catalog *catalog.Catalog

	positions map[string]string // source positions by URN
}

// PlanError says why a document is no plan that can be judged.
type PlanError struct {
	// Reason is a sentence for the person who passed the document.
	Reason string
}

// Error implements error.
func (e *PlanError) Error() string { return e.Reason }

const wanted = "Give the output of `pulumi preview --json --show-sames` or of `pulumi stack export`."

// Read reads a plan. It returns a *PlanError for a document that is none.
func Read(src []byte) (*Plan, error) {
	var top map[string]json.RawMessage
	if len(bytes.TrimSpace(src)) == 0 {
		return nil, &PlanError{"The plan is empty. " + wanted}
	}
	if err := json.Unmarshal(src, &top); err != nil {
		return nil, notJSON(src, err)
	}
	has := func(key string) bool { return top[key] != nil }
	switch {
	case has("deployment"):
		return readExport(top["version"], top["deployment"])
	case has("terraform_version") || has("planned_values") || has("resource_changes"):
		return nil, &PlanError{"This is a Terraform plan. Only Pulumi plans can be judged. " + wanted}
	case has("AWSTemplateFormatVersion") || has("Resources"):
		return nil, &PlanError{"This is a CloudFormation template. Only Pulumi plans can be judged. " + wanted}
	case has("resourcePlans"):
		return nil, &PlanError{"This is an update plan of `pulumi preview --save-plan`, which has no resources in it. " + wanted}
	case has("sequence") && has("timestamp"):
		return nil, &PlanError{"This is an event log of the engine. " + wanted}
	case has("steps") || has("changeSummary") || has("diagnostics"):
		return readPreview(src)
	}
	return nil, &PlanError{"This JSON is neither a Pulumi preview nor a stack export. " + wanted}
}

// notJSON says what is wrong with a document that is no JSON object.
func notJSON(src []byte, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		line := 1 + bytes.Count(src[:min(int(syntax.Offset), len(src))], []byte("\n"))
		return &PlanError{fmt.Sprintf("The plan is no JSON (line %d: %v). %s", line, syntax, wanted)}
	}
	return &PlanError{"The plan is no JSON object. " + wanted}
}

// state is a resource as both documents have it.
// Source: Pulumi, sdk/go/common/apitype, ResourceV3.
type state struct {
	URN                  string              `json:"urn"`
	ID                   string              `json:"id"`
	Type                 string              `json:"type"`
	Custom               bool                `json:"custom"`
	Delete               bool                `json:"delete"`
	Protect              bool                `json:"protect"`
	Inputs               map[string]any      `json:"inputs"`
	Outputs              map[string]any      `json:"outputs"`
	Parent               string              `json:"parent"`
	Provider             string              `json:"provider"`
	Dependencies         []string            `json:"dependencies"`
	PropertyDependencies map[string][]string `json:"propertyDependencies"`
	SourcePosition       string              `json:"sourcePosition"`
}

// unjudgeable is what is wrong with a document in which a policy would miss something without a word.
func unjudgeable(format string, args ...any) error {
	return &PlanError{fmt.Sprintf(format, args...) + " So it cannot be judged. " + wanted}
}

// readExport reads a deployment of a version.
// Source: Pulumi, sdk/go/common/apitype, DeploymentSchemaVersionCurrent, DeploymentSchemaVersionLatest.
func readExport(version, src json.RawMessage) (*Plan, error) {
	const current, latest = apitype.DeploymentSchemaVersionCurrent, apitype.DeploymentSchemaVersionLatest
	var n int
	if err := json.Unmarshal(version, &n); err != nil || n < current || n > latest {
		return nil, unjudgeable("The version of the stack export is %s, and those from %d to %d are known.", cmp.Or(string(version), "missing"), current, latest)
	}
	var deployment struct {
		Manifest  json.RawMessage `json:"manifest"`
		Resources []state         `json:"resources"`
	}
	if err := json.Unmarshal(src, &deployment); err != nil {
		return nil, &PlanError{fmt.Sprintf("The deployment of the stack export cannot be read: %v. %s", err, wanted)}
	}
	if deployment.Resources == nil && deployment.Manifest == nil { // that of an empty stack has a manifest alone
		return nil, unjudgeable("The deployment of the stack export has no resources.")
	}
	plan := &Plan{Source: "stack export"}
	return plan, plan.add(slices.DeleteFunc(deployment.Resources, func(s state) bool { return s.Delete }))
}

func readPreview(src []byte) (*Plan, error) {
	var preview struct {
		Steps []struct {
			Op       string `json:"op"`
			NewState *state `json:"newState"`
		} `json:"steps"`
		Diagnostics []struct {
			Severity string `json:"severity"`
		} `json:"diagnostics"`
		ChangeSummary map[string]int `json:"changeSummary"`
	}
	if err := json.Unmarshal(src, &preview); err != nil {
		return nil, &PlanError{fmt.Sprintf("The preview cannot be read: %v. %s", err, wanted)}
	}
	plan := &Plan{Source: "preview"}
	var states []state
	seen := map[string]bool{}
	same, unread := 0, 0
	if len(preview.Steps)+len(preview.ChangeSummary)+len(preview.Diagnostics) == 0 {
		return nil, unjudgeable("The preview has no steps.")
	}
	for i, step := range preview.Steps {
		if step.Op == "same" {
			same++
		}
		if strings.HasPrefix(step.Op, "delete") || strings.HasPrefix(step.Op, "discard") {
			continue
		}
		switch {
		case step.NewState != nil:
		case step.Op == "refresh" || step.Op == "remove-pending-replace": // of what is gone
			unread++
			continue
		default:
			return nil, unjudgeable("Step %d of the preview, %q, has no newState.", i+1, step.Op)
		}
		if !seen[step.NewState.URN] { // a replacement has several steps
			seen[step.NewState.URN] = true
			states = append(states, *step.NewState)
		}
	}
	if err := plan.add(states); err != nil {
		return nil, err
	}
	if missing := preview.ChangeSummary["same"] - same; missing > 0 {
		plan.Partial = true
		plan.Notes = append(plan.Notes, fmt.Sprintf("%d unchanged resources are not in the preview, so policies about the stack as a whole were not "+
			"judged: run `pulumi preview --json --show-sames`.", missing))
	}
	if unread > 0 {
		plan.Notes = append(plan.Notes, fmt.Sprintf("%d steps of the preview have no new state and were not judged.", unread))
	}
	for _, d := range preview.Diagnostics {
		if d.Severity == "error" {
			plan.Partial = true
			plan.Notes = append(plan.Notes, "The preview itself failed, so it may lack resources: policies about the stack as a whole were not judged.")
			break
		}
	}
	return plan, nil
}

// add makes resources of states. A policy finds a resource by its type, so each has one, the one in its URN.
func (p *Plan) add(states []state) error {
	for i, s := range states {
		if u := urn.URN(s.URN); !u.IsValid() || u.Type() != tokens.Type(s.Type) {
			return unjudgeable("Resource %d of the %s has the type %q and the URN %q, which do not belong together.", i+1, p.Source, s.Type, s.URN)
		}
	}
	p.positions = map[string]string{}
	providers := map[string]property.Map{}
	for _, s := range states {
		if strings.HasPrefix(s.Type, "pulumi:providers:") {
			providers[s.URN] = properties(s.Inputs)
		}
	}
	for _, s := range states {
		if s.SourcePosition != "" {
			p.positions[s.URN] = s.SourcePosition
		}
		provider, _ := cutLast(s.Provider, "::")
		_, name := cutLast(s.URN, "::")
		r := pack.Resource{
			URN: s.URN, Type: s.Type, Name: name, Properties: properties(s.Inputs), Provider: providers[provider],
			Protect: s.Protect, Dependencies: s.Dependencies, PropertyDependencies: s.PropertyDependencies,
		}
		p.Inputs = append(p.Inputs, r)
		r.Properties = outputs(s, r.Properties)
		p.Outputs = append(p.Outputs, r)
	}
	return nil
}

// outputs is what a stack policy sees of a resource: its outputs, over its inputs where a preview has none yet, and its
// id, which is not known before it exists.
func outputs(s state, inputs property.Map) property.Map {
	all := inputs
	for name, v := range properties(s.Outputs).All {
		all = all.Set(name, v)
	}
	switch {
	case s.ID != "":
		all = all.Set("id", property.New(s.ID))
	case s.Custom:
		all = all.Set("id", property.New(property.Computed))
	}
	return all
}

// cutLast cuts a text around the last separator.
func cutLast(text, separator string) (before, after string) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, text
	}
	return text[:i], text[i+len(separator):]
}
