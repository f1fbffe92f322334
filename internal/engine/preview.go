package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/pulumi/pulumi/sdk/v3/go/auto/events"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optpreview"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
)

// Step is what an update would do with one resource, and what it would wait for.
type Step struct {
	URN, Type, Parent, Provider string
	// Dependencies are the resources that it waits for, for whatever reason, and Data those that its arguments come from.
	Dependencies, Data []string
	// Ops are the operations on it.
	Ops []apitype.OpType
}

// Preview runs the program without changing anything, and returns what an update would do, by URN. With targets, it looks
// at those resources only, by URN.
func (w *Workspace) Preview(ctx context.Context, watch Watcher, targets ...string) ([]Step, error) {
	// The events of a preview do not say what a resource waits for; its plan does.
	dir, err := os.MkdirTemp("", "gpuyard-plan-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for the plan: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // what is left in the folder for temporary files is harmless
	plan := filepath.Join(dir, "plan.json")
	err = w.run(watch, func(ch chan events.EngineEvent) error {
		_, err := w.stack.Preview(ctx, optpreview.EventStreams(ch), optpreview.SuppressProgress(),
			optpreview.ErrorProgressStreams(io.Discard), optpreview.Target(targets), optpreview.Plan(plan),
			optpreview.PolicyPacks(w.packs(targets)...), optpreview.PolicyPackConfigs(w.configs(targets)...))
		return err
	})
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(plan)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // an older engine without plans
	} else if err != nil {
		return nil, fmt.Errorf("reading the plan: %w", err)
	}
	return readPlan(text)
}

// readPlan reads a plan as the engine writes it.
func readPlan(text []byte) ([]Step, error) {
	var plan apitype.DeploymentPlanV1
	if err := json.Unmarshal(text, &plan); err != nil {
		return nil, fmt.Errorf("reading the plan: %w", err)
	}
	var steps []Step
	for _, urn := range slices.Sorted(maps.Keys(plan.ResourcePlans)) {
		p := plan.ResourcePlans[urn]
		step := Step{URN: string(urn), Type: string(urn.Type()), Ops: p.Steps}
		if p.Goal != nil {
			step.Parent, step.Provider = string(p.Goal.Parent), p.Goal.Provider
			step.Dependencies = texts(p.Goal.Dependencies)
			for _, key := range slices.Sorted(maps.Keys(p.Goal.PropertyDependencies)) {
				step.Data = append(step.Data, texts(p.Goal.PropertyDependencies[key])...)
			}
		}
		steps = append(steps, step)
	}
	return steps, nil
}

func texts(urns []resource.URN) []string {
	var all []string
	for _, urn := range urns {
		all = append(all, string(urn))
	}
	return all
}
