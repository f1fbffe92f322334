package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/gpuyard/gpuyard/policy/internal/fixture"
	"github.com/gpuyard/gpuyard/policy/pack"
)

// buildPack builds the executable of the pack.
func buildPack(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pulumi-analyzer-gpuyard")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("building the pack: %v\n%s", err, out)
	}
	return path
}

// runningPack is a running executable of the pack, spoken to as the engine does.
type runningPack struct {
	pulumirpc.AnalyzerClient
	stderr *bytes.Buffer
	pid    int
}

// startPack starts the executable and configures it for a stack.
func startPack(t testing.TB, path string, config map[string]pack.Config) *runningPack {
	t.Helper()
	a := boot(t, exec.Command(path, "127.0.0.1:1"))
	if err := a.configure(t, config); err != nil {
		t.Fatal(err)
	}
	return a
}

// boot starts a pack and tells it which stack is judged.
func boot(t testing.TB, cmd *exec.Cmd) *runningPack {
	t.Helper()
	a := &runningPack{stderr: &bytes.Buffer{}}
	cmd.Stderr = a.stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }) // it is killed, which is an error to Wait
	a.pid = cmd.Process.Pid
	port, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("the pack prints no port: %v\n%s", err, a.stderr)
	}
	conn, err := grpc.NewClient("127.0.0.1:"+strings.TrimSpace(port), grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(1<<30), grpc.MaxCallSendMsgSize(1<<30)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	a.AnalyzerClient = pulumirpc.NewAnalyzerClient(conn)
	ctx := context.Background() // the test's own ends before what is cleaned up
	if _, err := a.Handshake(ctx, &pulumirpc.AnalyzerHandshakeRequest{EngineAddress: "127.0.0.1:1"}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.ConfigureStack(ctx, &pulumirpc.AnalyzerStackConfigureRequest{Project: "test", Stack: "test", DryRun: true}); err != nil {
		t.Fatal(err)
	}
	return a
}

// configure gives the pack settings, with the levels that its policies have.
func (a *runningPack) configure(t testing.TB, config map[string]pack.Config) error {
	t.Helper()
	request := &pulumirpc.ConfigureAnalyzerRequest{PolicyConfig: map[string]*pulumirpc.PolicyConfig{}}
	for name, c := range config {
		props, err := structpb.NewStruct(c)
		if err != nil {
			t.Fatal(err)
		}
		request.PolicyConfig[name] = &pulumirpc.PolicyConfig{EnforcementLevel: wireLevel(policyNamed(t, name).Level), Properties: props}
	}
	_, err := a.Configure(context.Background(), request)
	return err
}

// wireLevel is a level in the words of the protocol.
func wireLevel(l pack.Level) pulumirpc.EnforcementLevel {
	return map[pack.Level]pulumirpc.EnforcementLevel{
		pack.Advisory: pulumirpc.EnforcementLevel_ADVISORY, pack.Mandatory: pulumirpc.EnforcementLevel_MANDATORY,
		pack.Remediate: pulumirpc.EnforcementLevel_REMEDIATE,
	}[l]
}

func policyNamed(t testing.TB, name string) *pack.Policy {
	t.Helper()
	all := pack.Policies()
	i := slices.IndexFunc(all, func(p *pack.Policy) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("there is no policy %s", name)
	}
	return all[i]
}

// wire puts properties into the form in which the engine sends them.
func wire(t testing.TB, m property.Map) *structpb.Struct {
	t.Helper()
	s, err := plugin.MarshalProperties(resource.ToResourcePropertyMap(m), plugin.MarshalOptions{KeepUnknowns: true, KeepSecrets: true, KeepOutputValues: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func request(t testing.TB, r *pack.Resource) *pulumirpc.AnalyzeRequest {
	t.Helper()
	return &pulumirpc.AnalyzeRequest{
		Type: r.Type, Urn: r.URN, Name: r.Name, Properties: wire(t, r.Properties),
		Options:  &pulumirpc.AnalyzerResourceOptions{Protect: r.Protect},
		Provider: &pulumirpc.AnalyzerProviderResource{Type: "pulumi:providers:test", Name: "default", Properties: wire(t, r.Provider)},
	}
}

func stackRequest(t testing.TB, resources []pack.Resource) *pulumirpc.AnalyzeStackRequest {
	t.Helper()
	out := &pulumirpc.AnalyzeStackRequest{}
	for i := range resources {
		r := request(t, &resources[i])
		from := map[string]*pulumirpc.AnalyzerPropertyDependencies{}
		for prop, urns := range resources[i].PropertyDependencies {
			from[prop] = &pulumirpc.AnalyzerPropertyDependencies{Urns: urns}
		}
		out.Resources = append(out.Resources, &pulumirpc.AnalyzerResource{
			Type: r.Type, Urn: r.Urn, Name: r.Name, Properties: r.Properties, Options: r.Options, Provider: r.Provider,
			PropertyDependencies: from,
		})
	}
	return out
}

// judge shows resources to the pack as the engine does and returns what one policy says.
func (a *runningPack) judge(t testing.TB, policy string, resources []pack.Resource) []fixture.Finding {
	t.Helper()
	var diagnostics []*pulumirpc.AnalyzeDiagnostic
	for i := range resources {
		response, err := a.Analyze(t.Context(), request(t, &resources[i]))
		if err != nil {
			t.Fatalf("%v\n%s", err, a.stderr)
		}
		diagnostics = append(diagnostics, response.GetDiagnostics()...)
	}
	response, err := a.AnalyzeStack(t.Context(), stackRequest(t, resources))
	if err != nil {
		t.Fatalf("%v\n%s", err, a.stderr)
	}
	var found []fixture.Finding
	for _, d := range append(diagnostics, response.GetDiagnostics()...) {
		if d.GetPolicyName() != policy {
			continue
		}
		_, message, _ := strings.Cut(d.GetMessage(), "\n") // the first line is the summary
		found = append(found, fixture.Finding{At: d.GetUrn()[strings.LastIndex(d.GetUrn(), ":")+1:], Says: message})
	}
	return found
}

// TestExecutable builds the executable once and speaks to it as the engine does.
func TestExecutable(t *testing.T) {
	t.Parallel()
	path := buildPack(t)
	for name, test := range map[string]func(*testing.T, string){
		"judges fixtures": testJudgesFixtures, "describes itself": testDescribesItself, "refuses a configuration": testRefusesConfiguration,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, path)
		})
	}
}

// testJudgesFixtures shows the fixtures of every policy to the executable, over the engine's protocol, unknown
// and secret values included. All policies see all of them, so one that panicked would end the test.
func testJudgesFixtures(t *testing.T, path string) {
	plain := startPack(t, path, nil)
	for _, p := range pack.Policies() {
		all, err := fixture.Of("pack/testdata", p)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range all {
			t.Run(p.Name+"/"+f.Name(), func(t *testing.T) {
				a := plain
				if f.Config != nil {
					owner := p.Name
					if p.SettingsOf != "" {
						owner = p.SettingsOf
					}
					a = startPack(t, path, map[string]pack.Config{owner: f.Config})
				}
				if p.Remedy != nil {
					a.checkRemedies(t, f)
					return
				}
				if got := a.judge(t, p.Name, f.Resources); !slices.Equal(got, f.Want) {
					t.Errorf("the executable says\n%q\nand should say\n%q", got, f.Want)
				}
			})
		}
	}
}

func (a *runningPack) checkRemedies(t *testing.T, f *fixture.Fixture) {
	t.Helper()
	for i := range f.Resources {
		r := &f.Resources[i]
		response, err := a.Remediate(t.Context(), request(t, r))
		if err != nil {
			t.Fatalf("%v\n%s", err, a.stderr)
		}
		var got string
		for _, remedy := range response.GetRemediations() {
			if remedy.GetPolicyName() == f.Policy.Name {
				got = fmt.Sprint(remedy.GetProperties())
			}
		}
		want := ""
		if becomes, ok := f.Becomes[r.Name]; ok {
			want = fmt.Sprint(wire(t, becomes))
		}
		// Other remediations run before this one and change other properties; where they do, theirs are in both.
		if (got == "") != (want == "") {
			t.Errorf("%s becomes %q, want %q", r.Name, got, want)
		}
	}
}

// testDescribesItself holds what the engine reads of the pack: names, levels, schemas.
func testDescribesItself(t *testing.T, path string) {
	a := startPack(t, path, nil)
	info, err := a.GetAnalyzerInfo(t.Context(), &emptypb.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	if info.GetName() != pack.Name || info.GetVersion() != pack.Version || len(info.GetPolicies()) != len(pack.Policies()) {
		t.Errorf("the pack is %s %s with %d policies", info.GetName(), info.GetVersion(), len(info.GetPolicies()))
	}
	for i, p := range pack.Policies() {
		got := info.GetPolicies()[i]
		if got.GetName() != p.Name || got.GetDescription() != p.Summary || got.GetEnforcementLevel() != wireLevel(p.Level) {
			t.Errorf("%s is described as %v", p.Name, got)
		}
		if settings := len(got.GetConfigSchema().GetProperties().GetFields()); settings != len(p.Settings) {
			t.Errorf("%s has %d settings in its schema, want %d", p.Name, settings, len(p.Settings))
		}
	}
}

// testRefusesConfiguration: the engine's schema lets unknown keys pass, the pack does not, and names all of them.
func testRefusesConfiguration(t *testing.T, path string) {
	a := boot(t, exec.Command(path, "127.0.0.1:1"))
	err := a.configure(t, map[string]pack.Config{"pool-hourly-price": {"maxPerPol": 20.0}, "cluster-logs": {"types": []any{"audits"}}})
	for _, want := range []string{`pool-hourly-price has no setting "maxPerPol". Did you mean maxPerPool?`, `cluster-logs: "types" has "audits", and may have api,`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %s", err, want)
		}
	}
}
