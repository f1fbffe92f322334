package pack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/policyx"

	"github.com/gpuyard/gpuyard/catalog"
)

// Name is the name of the pack, Version its version.
const (
	Name    = "gpuyard"
	Version = "0.1.0"
)

// CatalogVariable names the environment variable with the path of a data set that overrides the catalogue's: a pack is told
// nothing of the project that it judges.
const CatalogVariable = "GPUYARD_CATALOG"

// overridden is the catalogue with the data set at a path laid over it, and the default one without a path.
func overridden(path string) (*catalog.Catalog, error) {
	if path == "" {
		return catalog.Default(), nil
	}
	set, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading what overrides the catalogue (%s): %w", CatalogVariable, err)
	}
	cat, err := catalog.Override(set)
	if err != nil {
		return nil, fmt.Errorf("%s, which overrides the catalogue, is wrong:\n%w", path, err)
	}
	return cat, nil
}

// New wraps the policies into a pack for the engine, to be served by analyzer.Main.
func New(*pulumi.Context) (policyx.PolicyPack, error) {
	version, err := semver.Parse(Version)
	if err != nil {
		return nil, fmt.Errorf("the version of the policy pack: %w", err)
	}
	run := &run{}
	if run.catalog, err = overridden(os.Getenv(CatalogVariable)); err != nil {
		return nil, err
	}
	if err := run.Configure(nil); err != nil {
		return nil, err
	}
	var policies []policyx.Policy
	for _, p := range Policies() {
		policies = append(policies, run.wrap(p))
	}
	run.PolicyPack, err = policyx.NewPolicyPack(Name, version, policyx.EnforcementLevelMandatory, policies)
	return run, err
}

// run is the pack in one run of the engine.
type run struct {
	policyx.PolicyPack
	catalog *catalog.Catalog
	configs atomic.Pointer[map[string]Config] // with defaults, by policy

	mu     sync.Mutex
	judged *policyx.AnalyzerResource // the first of the resources that stack was made of
	stack  *Stack
}

// Configure takes the settings of all policies. It names everything that is wrong with them: the engine's schema lets
// unknown keys pass.
func (run *run) Configure(given map[string]policyx.PolicyConfig) error {
	var problems []string
	configs := map[string]Config{}
	for _, p := range Policies() {
		config := Config(given[p.Name].Properties)
		problems = append(problems, p.CheckConfig(config)...)
		configs[p.Name] = p.WithDefaults(config)
	}
	if len(problems) > 0 {
		return errors.New("the configuration of the policy pack is wrong: " + strings.Join(problems, " "))
	}
	run.configs.Store(&configs)
	return nil
}

// config is the configuration of a policy. A stack policy reads that of the one that SettingsOf names.
func (run *run) config(p *Policy) Config {
	return (*run.configs.Load())[cmp.Or(p.SettingsOf, p.Name)]
}

func (run *run) wrap(p *Policy) policyx.Policy {
	switch p.Kind() {
	case "stack":
		return policyx.NewStackValidationPolicy(p.Name, policyx.StackValidationPolicyArgs{
			Description: p.Summary, EnforcementLevel: p.Level.policyx(),
			ValidateStack: func(_ context.Context, args policyx.StackValidationArgs) error {
				report(args.Manager, p.Stack(run.stackOf(args.Resources), run.config(p)))
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
				if changed, ok := p.Remedy(run.resourceOf(args.Resource), run.config(p)); ok {
					return &changed, nil
				}
				return nil, nil
			},
		})
	default:
		return policyx.NewResourceValidationPolicy(p.Name, policyx.ResourceValidationPolicyArgs{
			Description: p.Summary, EnforcementLevel: p.Level.policyx(), ConfigSchema: p.schema(),
			ValidateResource: func(_ context.Context, args policyx.ResourceValidationArgs) error {
				if p.Judges(args.Resource.Type) {
					report(args.Manager, p.Resource(run.resourceOf(args.Resource), run.config(p)))
				}
				return nil
			},
		})
	}
}

func report(manager policyx.PolicyManager, findings []Finding) {
	for _, f := range findings {
		manager.ReportViolation(f.Message, f.URN)
	}
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

func (run *run) resourceOf(r policyx.AnalyzerResource) *Resource {
	return &Resource{
		URN: r.URN, Type: r.Type, Name: r.Name, Properties: r.Properties, Protect: r.Options.Protect,
		Provider:     r.Provider.Properties,
		Dependencies: r.Dependencies, PropertyDependencies: r.PropertyDependencies, Catalog: run.catalog,
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
		all[i] = *run.resourceOf(r)
	}
	run.stack = NewStack(all, time.Now())
	if len(resources) > 0 {
		run.judged = &resources[0]
	}
	return run.stack
}
