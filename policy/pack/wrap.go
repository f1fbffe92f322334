package pack

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/policyx"
)

// Name is the name of the pack, Version its version.
const (
	Name    = "gpuyard"
	Version = "0.1.0"
)

// New wraps the policies into a pack for the engine. It has the form that policyx.Main takes.
func New(*pulumi.Context) (policyx.PolicyPack, error) {
	version, err := semver.Parse(Version)
	if err != nil {
		return nil, fmt.Errorf("the version of the policy pack: %w", err)
	}
	run := &run{configs: map[string]Config{}}
	var policies []policyx.Policy
	for _, p := range Policies() {
		policies = append(policies, run.wrap(p))
	}
	return policyx.NewPolicyPack(Name, version, policyx.EnforcementLevelMandatory, policies)
}

// run is one run of the engine. It remembers the configuration of resource policies, since policyx gives none to stack
// policies: those read what the resource policy named by SettingsOf got earlier in the same run.
type run struct {
	mu      sync.Mutex
	configs map[string]Config
	judged  *policyx.AnalyzerResource // the first of the resources that stack was made of
	stack   *Stack
}

func (run *run) wrap(p *Policy) policyx.Policy {
	switch p.Kind() {
	case "stack":
		return policyx.NewStackValidationPolicy(p.Name, policyx.StackValidationPolicyArgs{
			Description: p.Summary, EnforcementLevel: p.Level.policyx(),
			ValidateStack: func(_ context.Context, args policyx.StackValidationArgs) error {
				for _, f := range p.Stack(run.stackOf(args.Resources), run.recall(p.SettingsOf)) {
					args.Manager.ReportViolation(f.Message, f.URN)
				}
				return nil
			},
		})
	case "remediation":
		return policyx.NewResourceRemediationPolicy(p.Name, policyx.ResourceRemediationPolicyArgs{
			Description: p.Summary, ConfigSchema: p.schema(),
			RemediateResource: func(_ context.Context, args policyx.ResourceRemediationArgs) (*property.Map, error) {
				if !p.Judges(args.Resource.Type) {
					return nil, nil
				}
				config, err := run.config(p, args.Config)
				if err != nil {
					return nil, err
				}
				if changed, ok := p.Remedy(resourceOf(args.Resource), config); ok {
					return &changed, nil
				}
				return nil, nil
			},
		})
	default:
		return policyx.NewResourceValidationPolicy(p.Name, policyx.ResourceValidationPolicyArgs{
			Description: p.Summary, EnforcementLevel: p.Level.policyx(), ConfigSchema: p.schema(),
			ValidateResource: func(_ context.Context, args policyx.ResourceValidationArgs) error {
				config, err := run.config(p, args.Config)
				if err != nil || !p.Judges(args.Resource.Type) {
					return err
				}
				for _, f := range p.Resource(resourceOf(args.Resource), config) {
					args.Manager.ReportViolation(f.Message, f.URN)
				}
				return nil
			},
		})
	}
}

// config checks a configuration the first time that it is seen: the engine's schema lets unknown keys pass. An error
// from here ends the run, and the first resource of a run is the stack itself, so nothing has been made by then.
func (run *run) config(p *Policy, given map[string]any) (Config, error) {
	if len(p.Settings) == 0 && len(given) == 0 {
		return nil, nil
	}
	run.mu.Lock()
	defer run.mu.Unlock()
	if config, ok := run.configs[p.Name]; ok {
		return config, nil
	}
	if problems := p.CheckConfig(given); len(problems) > 0 {
		return nil, errors.New("the configuration of the policy pack is wrong: " + strings.Join(problems, " "))
	}
	run.configs[p.Name] = p.WithDefaults(given)
	return run.configs[p.Name], nil
}

func (run *run) recall(name string) Config {
	run.mu.Lock()
	defer run.mu.Unlock()
	return maps.Clone(run.configs[name])
}

func (p *Policy) schema() *policyx.ConfigSchema {
	if len(p.Settings) == 0 {
		return nil
	}
	properties := map[string]map[string]any{}
	for _, s := range p.Settings {
		properties[s.Name] = s.schema()
	}
	return &policyx.ConfigSchema{Properties: properties}
}

func (l Level) policyx() policyx.EnforcementLevel {
	if l == Advisory {
		return policyx.EnforcementLevelAdvisory
	}
	return policyx.EnforcementLevelMandatory
}

func resourceOf(r policyx.AnalyzerResource) *Resource {
	return &Resource{
		URN: r.URN, Type: r.Type, Name: r.Name, Properties: r.Properties, Protect: r.Options.Protect,
		Provider:     r.Provider.Properties,
		Dependencies: r.Dependencies, PropertyDependencies: r.PropertyDependencies,
	}
}

// stackOf indexes the resources of a stack once: the engine's server hands the same slice to every stack policy.
func (run *run) stackOf(resources []policyx.AnalyzerResource) *Stack {
	run.mu.Lock()
	defer run.mu.Unlock()
	if len(resources) > 0 && run.judged == &resources[0] {
		return run.stack
	}
	all := make([]Resource, len(resources))
	for i, r := range resources {
		all[i] = *resourceOf(r)
	}
	run.stack = NewStack(all, time.Now())
	if len(resources) > 0 {
		run.judged = &resources[0]
	}
	return run.stack
}
