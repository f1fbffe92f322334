package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/auto/events"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"github.com/gpuyard/gpuyard/internal/engine"
	"github.com/gpuyard/gpuyard/sim"
	"github.com/gpuyard/gpuyard/stacks"
)

// previewerName is the name under which the test binary previews once, in a process of its own, and says what it took.
const previewerName = "gpuyard-previewer"

// manyPools is an environment of n pools: one for the system, and GPUs with and without EFA.
func manyPools(n int) string {
	var b strings.Builder
	b.WriteString(`environment "large" {
  region             = "us-east-2"
  kubernetes_version = "1.35"
}
network {
  cidr  = "10.40.0.0/16"
  zones = ["use2-az1", "use2-az2", "use2-az3"]
  nat   = "single"
}
node_pool "system" {
  instance_types = ["m7i.2xlarge"]
  size           = { min = 1, desired = 1, max = 2 }
}
`)
	for i := range n - 1 {
		kind := fmt.Sprintf("instance_types = [\"g6.xlarge\"]\n  zone = \"use2-az%d\"", 1+i%3) // a zone has addresses for a third of 300
		if i%3 == 0 {
			kind = "instance_types = [\"p5.48xlarge\"]\n  zone = \"use2-az1\"\n  fabric = \"efa\""
		}
		fmt.Fprintf(&b, "node_pool \"p%03d\" {\n  %s\n  size = { min = 0, desired = 0, max = 1 }\n  image_release = \"1.35.0-20261101\"\n}\n", i, kind)
	}
	return b.String()
}

// registration is what a program registered, as the engine shows it.
type registration struct {
	Type, Name string
	Custom     bool
	Inputs     map[string]any
}

// bare is a program that registers resources and does nothing else: no components' logic, no plan, no questions.
func bare(all []registration) pulumi.RunFunc {
	type custom struct{ pulumi.CustomResourceState }
	type component struct{ pulumi.ResourceState }
	type provider struct{ pulumi.ProviderResourceState }
	return func(ctx *pulumi.Context) error {
		providers := map[string]pulumi.ProviderResource{}
		for _, r := range all {
			if kind, ok := strings.CutPrefix(r.Type, "pulumi:providers:"); ok {
				p := &provider{}
				if err := ctx.RegisterResource(r.Type, r.Name, inputs(r.Inputs), p); err != nil {
					return err
				}
				providers[kind] = p
			}
		}
		for _, r := range all {
			var err error
			switch kind, _, _ := strings.Cut(r.Type, ":"); {
			case kind == "pulumi":
			case r.Custom:
				err = ctx.RegisterResource(r.Type, r.Name, inputs(r.Inputs), &custom{}, pulumi.Provider(providers[kind]))
			default:
				err = ctx.RegisterComponentResourceV2(r.Type, r.Name, inputs(r.Inputs), &component{})
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// inputs are arguments as a program gives them.
func inputs(shown map[string]any) pulumi.Map {
	m := pulumi.Map{}
	for key, value := range shown {
		m[key] = input(value)
	}
	return m
}

func input(shown any) pulumi.Input {
	switch v := shown.(type) {
	case map[string]any:
		if v[resource.SigKey] == resource.SecretSig { // its value is not shown, and in a preview not known
			return pulumi.ToSecret(pulumi.UnsafeUnknownOutput(nil))
		}
		return inputs(v)
	case []any:
		list := pulumi.Array{}
		for _, entry := range v {
			list = append(list, input(entry))
		}
		return list
	case string:
		if v == plugin.UnknownStringValue {
			return pulumi.UnsafeUnknownOutput(nil)
		}
	}
	return pulumi.ToOutput(shown)
}

// took is what one preview took.
type took struct {
	Seconds         float64
	Program, Engine float64 // the peaks of memory of the two processes, in MiB
	Registered      []registration
}

// previewer previews a stack once: `gpuyard-previewer STACK ROOT DIR PROVIDERS [REGISTRATIONS]`. With a file of
// registrations it previews the bare program.
func previewer() {
	if err := previewOnce(os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func previewOnce(stack, root, dir, providers string, registrations []string) error {
	ctx := context.Background()
	cli, err := engine.FindCLI(ctx, root)
	if err != nil {
		return err
	}
	program := stacks.Program(filepath.Join(root, "stacks"))
	if len(registrations) > 0 {
		text, err := os.ReadFile(registrations[0])
		if err != nil {
			return err
		}
		var all []registration
		if err := json.Unmarshal(text, &all); err != nil {
			return err
		}
		program = bare(all)
	}
	w, err := engine.Local(ctx, engine.Options{Root: root, Stack: stack, Program: program, CLI: cli, Dir: dir},
		map[string]string{"PULUMI_DEBUG_PROVIDERS": providers})
	if err != nil {
		return err
	}
	defer w.Close()
	var t took
	start := time.Now()
	_, err = w.Preview(ctx, func(e events.EngineEvent) {
		if p := e.ResourcePreEvent; p != nil {
			made := p.Metadata.New
			name := made.URN[strings.LastIndex(made.URN, "::")+2:]
			t.Registered = append(t.Registered, registration{made.Type, name, made.Custom, made.Inputs})
		}
	})
	if err != nil {
		return err
	}
	t.Seconds = time.Since(start).Seconds()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used); err != nil {
		return err
	}
	t.Engine = float64(used.Maxrss) / 1024
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	peak, err := strconv.Atoi(regexp.MustCompile(`VmHWM:\s+(\d+)`).FindStringSubmatch(string(status))[1])
	if err != nil {
		return err
	}
	t.Program = float64(peak) / 1024
	return json.NewEncoder(os.Stdout).Encode(t)
}

// BenchmarkPreview previews environments of more and more pools, and beside each a bare program that registers the same
// resources with the same arguments, against the same embedded cloud, in turns. It reports how many times as long the
// environment takes, each represented by its fastest of three (what else a machine does only ever adds), and the peaks of
// memory of the program and the engine. The last environment is the project's own prod, with all its stores.
func BenchmarkPreview(b *testing.B) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		b.Fatal(err)
	}
	for _, pools := range []int{10, 100, 300} {
		b.Run(fmt.Sprintf("pools=%d", pools), func(b *testing.B) { benchmarkPreview(b, repo, "large", []byte(manyPools(pools))) })
	}
	prod, err := os.ReadFile(filepath.Join(repo, "stacks", "prod.hcl"))
	if err != nil {
		b.Fatal(err)
	}
	b.Setenv("GPUYARD_VAR_capacity_block", "cr-0123456789abcdef0")
	b.Run("prod", func(b *testing.B) { benchmarkPreview(b, repo, "prod", prod) })
}

// prodBlock is the Capacity Block of prod, which was bought before.
const prodBlock = `{"reservations": [{"id": "cr-0123456789abcdef0", "instanceType": "p5.48xlarge", "zone": "use2-az1", "count": 16,
  "kind": "capacity-block", "start": "2020-01-01T11:30:00Z", "end": "2099-01-01T11:30:00Z"}]}`

func benchmarkPreview(b *testing.B, repo, stack string, blueprint []byte) {
	cli, err := engine.FindCLI(b.Context(), repo)
	if err != nil {
		b.Fatal(err)
	}
	b.Setenv("GPUYARD_PULUMI", cli.Path())
	dir := b.TempDir()
	if err := newProject(repo, dir); err != nil {
		b.Fatal(err)
	}
	for path, text := range map[string][]byte{"stacks/" + stack + ".hcl": blueprint, "cloud/reservations.json": []byte(prodBlock)} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, path), text, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	cloud, err := sim.NewCloud(sim.Options{Dir: filepath.Join(dir, "cloud")})
	if err != nil {
		b.Fatal(err)
	}
	endpoint, err := cloud.Serve(context.WithoutCancel(b.Context()))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { endpoint.Close(); _ = cloud.Close() })
	registrations := filepath.Join(dir, "registrations.json")
	text, err := json.Marshal(previewIn(b, stack, dir, filepath.Join(dir, "whole"), endpoint.DebugProviders()).Registered)
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(registrations, text, 0o600); err != nil {
		b.Fatal(err)
	}
	var whole, alone took
	for b.Loop() {
		for range 3 {
			whole = whole.least(previewIn(b, stack, dir, filepath.Join(dir, "whole"), endpoint.DebugProviders()))
			alone = alone.least(previewIn(b, stack, dir, filepath.Join(dir, "bare"), endpoint.DebugProviders(), registrations))
		}
	}
	if len(whole.Registered) != len(alone.Registered) {
		b.Fatalf("the environment has %d resources, the bare program %d", len(whole.Registered), len(alone.Registered))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(len(whole.Registered)), "resources")
	b.ReportMetric(whole.Seconds, "s-environment")
	b.ReportMetric(alone.Seconds, "s-bare")
	b.ReportMetric(whole.Seconds/alone.Seconds, "ratio")
	b.ReportMetric(whole.Program, "MiB-program")
	b.ReportMetric(alone.Program, "MiB-bare-program")
	b.ReportMetric(whole.Engine, "MiB-engine")
	b.ReportMetric(alone.Engine, "MiB-bare-engine")
}

// least is the least of each of two runs.
func (t took) least(other took) took {
	if t.Registered == nil {
		return other
	}
	t.Seconds, t.Program, t.Engine = min(t.Seconds, other.Seconds), min(t.Program, other.Program), min(t.Engine, other.Engine)
	return t
}

// previewIn runs a previewer.
func previewIn(b *testing.B, args ...string) took {
	b.Helper()
	cmd := exec.Command(previewerName, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	var t took
	if err := json.Unmarshal(out, &t); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return t
}
