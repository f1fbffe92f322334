package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/events"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optpreview"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optup"
	"github.com/pulumi/pulumi/sdk/v3/go/common/workspace"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/internal/engine"
	"github.com/gpuyard/gpuyard/sim"
	"github.com/gpuyard/gpuyard/stacks"
)

// stackUnderTest is a stack on an embedded cloud of its own, run by the real engine.
type stackUnderTest struct {
	auto.Stack
	pack, config string
}

// setup is what a stack is run with.
type setup struct {
	pack, config string
	// cli changes the pulumi executable, nil not at all.
	cli func(auto.PulumiCommand) auto.PulumiCommand
	// quotas are limits of the cloud that differ from its own.
	quotas map[string]int
	// block is a Capacity Block of the account, and the value of the variable that asks for one.
	block *sim.Reservation
}

func newStack(t testing.TB, name, packPath, config string, program pulumi.RunFunc) *stackUnderTest {
	t.Helper()
	return newStackWith(t, name, program, setup{pack: packPath, config: config})
}

func newStackWith(t testing.TB, name string, program pulumi.RunFunc, with setup) *stackUnderTest {
	t.Helper()
	repo, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	cli, err := engine.FindCLI(t.Context(), repo)
	if err != nil {
		t.Fatal(err)
	}
	var command auto.PulumiCommand = cli
	if with.cli != nil {
		command = with.cli(cli)
	}
	options := sim.Options{Dir: t.TempDir(), Quotas: with.quotas}
	if with.block != nil {
		options.Reservations = []sim.Reservation{*with.block}
	}
	cloud, err := sim.NewCloud(options)
	if err != nil {
		t.Fatal(err)
	}
	endpoint, err := cloud.Serve(context.WithoutCancel(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { endpoint.Close(); _ = cloud.Close() })
	dir := t.TempDir()
	ws, err := auto.NewLocalWorkspace(t.Context(), auto.WorkDir(dir), auto.PulumiHome(t.TempDir()), auto.Program(program), auto.Pulumi(command),
		auto.EnvVars(map[string]string{
			"PULUMI_BACKEND_URL": "file://" + dir, "PULUMI_CONFIG_PASSPHRASE": "simulated", "PULUMI_DEBUG_PROVIDERS": endpoint.DebugProviders(),
			"PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true", "PULUMI_SKIP_UPDATE_CHECK": "true",
		}),
		auto.Project(workspace.Project{Name: "gpuyard", Runtime: workspace.NewProjectRuntimeInfo("go", nil)}))
	if err != nil {
		t.Fatal(err)
	}
	stack, err := auto.UpsertStack(t.Context(), name, ws)
	if err != nil {
		t.Fatal(err)
	}
	if with.block != nil {
		if err := stack.SetConfig(t.Context(), "capacity_block", auto.ConfigValue{Value: with.block.ID}); err != nil {
			t.Fatal(err)
		}
	}
	return &stackUnderTest{Stack: stack, pack: with.pack, config: with.config}
}

// verdict is what the policies did in one run.
type verdict struct {
	violations []string // level policy resource: message
	remedies   []string // policy resource
	err        error
}

// mandatory returns the violations that stop an update.
func (v verdict) mandatory() []string {
	var found []string
	for _, line := range v.violations {
		if strings.HasPrefix(line, "mandatory ") {
			found = append(found, line)
		}
	}
	return found
}

// watch runs an operation and collects what the policies say.
func watch(op func(chan events.EngineEvent) error) verdict {
	var v verdict
	ch := make(chan events.EngineEvent)
	var done sync.WaitGroup
	done.Go(func() {
		for e := range ch {
			name := func(urn string) string { return urn[strings.LastIndex(urn, ":")+1:] }
			if p := e.PolicyEvent; p != nil {
				lines := strings.Split(strings.TrimSpace(stripColor(p.Message)), "\n")
				v.violations = append(v.violations, fmt.Sprintf("%s %s %s: %s", p.EnforcementLevel, p.PolicyName, name(p.ResourceURN), lines[len(lines)-1]))
			}
			if r := e.PolicyRemediationEvent; r != nil {
				v.remedies = append(v.remedies, r.PolicyName+" "+name(r.ResourceURN))
			}
		}
	})
	v.err = op(ch)
	done.Wait()
	slices.Sort(v.violations)
	v.violations = slices.Compact(v.violations) // a preview that up makes, and up itself
	slices.Sort(v.remedies)
	v.remedies = slices.Compact(v.remedies)
	return v
}

// stripColor removes the engine's colour directives from a message.
func stripColor(text string) string {
	for _, directive := range []string{"<{%reset%}>", "<{%fg 9%}>", "<{%fg 3%}>"} {
		text = strings.ReplaceAll(text, directive, "")
	}
	return text
}

func (s *stackUnderTest) preview(t testing.TB) verdict {
	return watch(func(ch chan events.EngineEvent) error {
		options := []optpreview.Option{optpreview.EventStreams(ch), optpreview.PolicyPacks(s.pack), optpreview.SuppressProgress()}
		if s.config != "" {
			options = append(options, optpreview.PolicyPackConfigs(s.config))
		}
		_, err := s.Preview(t.Context(), options...)
		return err
	})
}

func (s *stackUnderTest) up(t testing.TB) verdict {
	return watch(func(ch chan events.EngineEvent) error {
		options := []optup.Option{optup.EventStreams(ch), optup.SuppressProgress()}
		if s.pack != "" {
			options = append(options, optup.PolicyPacks(s.pack))
		}
		if s.config != "" {
			options = append(options, optup.PolicyPackConfigs(s.config))
		}
		_, err := s.Up(t.Context(), options...)
		return err
	})
}

// TestEnvironmentsPass previews environments and brings them up, with the configuration that goes with each: our own
// components must not trip our own policies.
func TestEnvironmentsPass(t *testing.T) {
	t.Parallel()
	packPath := buildPack(t)
	for _, c := range []struct {
		stack, blueprint, config string
		block                    *sim.Reservation
		advice                   []string // the policies that may say something, and what they say is right
	}{
		{"dev", "dev.hcl", "config/dev.json", nil, []string{"current-generation"}},
		{"train", "testdata/efa/blueprint.hcl", "config/prod.json", nil, nil},
		{"train", "testdata/storage/blueprint.hcl", "config/staging.json", nil, []string{"training-node-tuning"}},
		{"data", "testdata/cluster-storage/blueprint.hcl", "config/staging.json", nil, nil},
		{"prod", "prod.hcl", "config/prod.json", &sim.Reservation{ID: "cr-0123456789abcdef0", InstanceType: "p5.48xlarge", Zone: "use2-az1", Count: 16, Kind: "capacity-block",
			Start: time.Date(2020, 1, 1, 11, 30, 0, 0, time.UTC), End: time.Date(2099, 1, 1, 11, 30, 0, 0, time.UTC)},
			[]string{"fabric-intent"}},
		{"serve", "testdata/functions/blueprint.hcl", "config/dev.json", nil, nil},
		{"tune", "testdata/azure/blueprint.hcl", "config/dev.json", nil, nil},
	} {
		t.Run(c.blueprint, func(t *testing.T) {
			t.Parallel()
			config, err := filepath.Abs(c.config)
			if err != nil {
				t.Fatal(err)
			}
			src, err := os.ReadFile(filepath.Join("../stacks", c.blueprint))
			if err != nil {
				t.Fatal(err)
			}
			blueprints := t.TempDir()
			if err := os.WriteFile(filepath.Join(blueprints, c.stack+".hcl"), src, 0o600); err != nil {
				t.Fatal(err)
			}
			s := newStackWith(t, c.stack, stacks.Program(blueprints), setup{pack: packPath, config: config, block: c.block})
			type step struct {
				name string
				run  func(testing.TB) verdict
			}
			steps := []step{{"the first preview", s.preview}, {"up", s.up}, {"a preview of what exists", s.preview}}
			if strings.Contains(string(src), "digest = ") {
				steps = steps[:2] // nobody has pushed that image, without which nothing is made on
			}
			for _, run := range steps {
				v := run.run(t)
				if v.err != nil || len(v.mandatory()) > 0 {
					t.Fatalf("%s: %v\n%s", run.name, v.err, strings.Join(v.mandatory(), "\n"))
				}
				if len(v.remedies) > 0 {
					t.Errorf("%s: something had to be put right: %q", run.name, v.remedies)
				}
				for _, line := range v.violations {
					if policy := strings.Fields(line)[1]; !slices.Contains(c.advice, policy) {
						t.Errorf("%s: %s", run.name, line)
					}
				}
			}
		})
	}
}
