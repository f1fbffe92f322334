package analyzer

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/pulumi/pulumi/sdk/v3/go/propertyrpc"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/policyx"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"
)

// serves names the environment variable by which this test binary is a pack, of policyx.Main or of Main.
const serves = "ANALYZER_TEST_SERVES"

func TestMain(m *testing.M) {
	servers := map[string]func(func(*pulumi.Context) (policyx.PolicyPack, error)) error{"policyx": policyx.Main, "analyzer": Main}
	serve, ok := servers[os.Getenv(serves)]
	if !ok {
		os.Exit(m.Run())
	}
	if err := serve(probes); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// start starts the probes, served in one of the two ways, and shakes hands.
func start(t *testing.T, served string) pulumirpc.AnalyzerClient {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serves+"="+served)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }) // it is killed, which is an error to Wait
	port, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	conn, err := grpc.NewClient("127.0.0.1:"+strings.TrimSpace(port), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	client := pulumirpc.NewAnalyzerClient(conn)
	root := "/pack"
	if _, err := client.Handshake(t.Context(), &pulumirpc.AnalyzerHandshakeRequest{EngineAddress: "127.0.0.1:1", RootDirectory: &root}); err != nil {
		t.Fatal(err)
	}
	return client
}

// conversation is what is asked of both. It stands for a run of the engine.
func conversation(t *testing.T) []func(context.Context, pulumirpc.AnalyzerClient) (proto.Message, error) {
	var calls []func(context.Context, pulumirpc.AnalyzerClient) (proto.Message, error)
	call := func(f func(context.Context, pulumirpc.AnalyzerClient) (proto.Message, error)) {
		calls = append(calls, f)
	}
	configure := func(config map[string]*pulumirpc.PolicyConfig) {
		call(func(ctx context.Context, c pulumirpc.AnalyzerClient) (proto.Message, error) {
			return c.Configure(ctx, &pulumirpc.ConfigureAnalyzerRequest{PolicyConfig: config})
		})
	}
	all := requests()
	judge := func() {
		for _, r := range all {
			call(func(ctx context.Context, c pulumirpc.AnalyzerClient) (proto.Message, error) { return c.Analyze(ctx, r) })
			call(func(ctx context.Context, c pulumirpc.AnalyzerClient) (proto.Message, error) {
				return c.Remediate(ctx, r)
			})
		}
		call(func(ctx context.Context, c pulumirpc.AnalyzerClient) (proto.Message, error) {
			return c.AnalyzeStack(ctx, stackOf(all))
		})
	}
	call(func(ctx context.Context, c pulumirpc.AnalyzerClient) (proto.Message, error) {
		return c.ConfigureStack(ctx, &pulumirpc.AnalyzerStackConfigureRequest{Organization: "org", Project: "p", Stack: "s", DryRun: true,
			Tags: map[string]string{"team": "training"}, Config: map[string]string{"p:a": "1"}})
	})
	call(func(ctx context.Context, c pulumirpc.AnalyzerClient) (proto.Message, error) {
		return c.GetPluginInfo(ctx, &emptypb.Empty{})
	})
	call(func(ctx context.Context, c pulumirpc.AnalyzerClient) (proto.Message, error) {
		return c.GetAnalyzerInfo(ctx, &emptypb.Empty{})
	})
	judge()
	configure(map[string]*pulumirpc.PolicyConfig{
		"echo":   {EnforcementLevel: pulumirpc.EnforcementLevel_ADVISORY, Properties: object(t, map[string]any{"depth": 2.5, "list": []any{"a", true, nil}})},
		"blames": {EnforcementLevel: pulumirpc.EnforcementLevel_DISABLED},
		"first":  {EnforcementLevel: pulumirpc.EnforcementLevel_MANDATORY},
		"second": {EnforcementLevel: pulumirpc.EnforcementLevel_REMEDIATE, Properties: object(t, map[string]any{"key": "value"})},
		"stack":  {EnforcementLevel: pulumirpc.EnforcementLevel_REMEDIATE},
		"nobody": {EnforcementLevel: pulumirpc.EnforcementLevel_MANDATORY},
	})
	judge()
	configure(map[string]*pulumirpc.PolicyConfig{"echo": {EnforcementLevel: pulumirpc.EnforcementLevel_REMEDIATE}, "stack": {EnforcementLevel: pulumirpc.EnforcementLevel_DISABLED}})
	judge()
	call(func(ctx context.Context, c pulumirpc.AnalyzerClient) (proto.Message, error) {
		return c.Cancel(ctx, &emptypb.Empty{})
	})
	return calls
}

func object(t *testing.T, m map[string]any) *structpb.Struct {
	t.Helper()
	s, err := structpb.NewStruct(m)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// requests are resources with everything that a message can hold, and with nothing.
func requests() []*pulumirpc.AnalyzeRequest {
	text := property.New("text")
	values := map[string]property.Value{
		"null": {}, "text": text, "empty": property.New(""), "number": property.New(-1.5), "flag": property.New(true), "unknown": property.New(property.Computed),
		"secret": text.WithSecret(true), "secretUnknown": property.New(property.Computed).WithSecret(true),
		"dependent": text.WithDependencies([]urn.URN{"urn:pulumi:s::p::t:i:T::other"}),
		"list":      property.New([]property.Value{text, {}, text.WithSecret(true), property.New(property.Computed)}),
		"object":    property.New(map[string]property.Value{"inner": property.New(map[string]property.Value{"deep": text.WithSecret(true)}), "none": {}}),
		"reference": property.New(property.ResourceReference{URN: "urn:pulumi:s::p::t:i:T::other", ID: property.New("i-1"), Name: "other", Type: "t:i:T"}),
	}
	urnOf := func(name string) string { return "urn:pulumi:s::p::t:i:T::" + name }
	provider := &pulumirpc.AnalyzerProviderResource{Type: "pulumi:providers:t", Urn: "urn:pulumi:s::p::pulumi:providers:t::default", Name: "default",
		Properties: propertyrpc.Marshal(property.NewMap(map[string]property.Value{"region": text, "token": text.WithSecret(true)}))}
	one := func(name string, v property.Value) *pulumirpc.AnalyzeRequest {
		return &pulumirpc.AnalyzeRequest{Type: "t:i:T", Urn: urnOf(name), Name: name, Properties: propertyrpc.Marshal(property.NewMap(map[string]property.Value{name: v}))}
	}
	all := []*pulumirpc.AnalyzeRequest{
		{},
		{Type: "t:i:T", Urn: urnOf("full"), Name: "full", Properties: propertyrpc.Marshal(property.NewMap(map[string]property.Value{"text": text})), Provider: provider,
			Options: &pulumirpc.AnalyzerResourceOptions{Protect: true, IgnoreChanges: []string{"a", "b[0]"}, DeleteBeforeReplace: true, DeleteBeforeReplaceDefined: true,
				AdditionalSecretOutputs: []string{"kubeconfig"}, Aliases: []string{urnOf("old")}, Parent: urnOf("parent"),
				CustomTimeouts: &pulumirpc.AnalyzerResourceOptions_CustomTimeouts{Create: 300, Delete: 0.5}}},
		{Type: "t:i:T", Urn: urnOf("options"), Name: "options",
			Options: &pulumirpc.AnalyzerResourceOptions{DeleteBeforeReplace: true, CustomTimeouts: &pulumirpc.AnalyzerResourceOptions_CustomTimeouts{}}},
		one("refused", text), one("fine", text),
	}
	for name, v := range values {
		all = append(all, one(name, v))
	}
	return all
}

// stackOf is a stack of resources that come from one another.
func stackOf(requests []*pulumirpc.AnalyzeRequest) *pulumirpc.AnalyzeStackRequest {
	out := &pulumirpc.AnalyzeStackRequest{}
	for _, r := range requests {
		out.Resources = append(out.Resources, &pulumirpc.AnalyzerResource{
			Type: r.GetType(), Urn: r.GetUrn(), Name: r.GetName(), Properties: r.GetProperties(), Options: r.GetOptions(), Provider: r.GetProvider(),
			Parent: "urn:pulumi:s::p::t:i:T::full", Dependencies: []string{"urn:pulumi:s::p::t:i:T::full"},
			PropertyDependencies: map[string]*pulumirpc.AnalyzerPropertyDependencies{"text": {Urns: []string{"urn:pulumi:s::p::t:i:T::full"}}, "none": {}},
		})
	}
	return out
}

// TestAnswersAsPolicyxDoes has the same conversation with policyx.Main and with Main: they answer the same, and fail at the
// same calls for the same reasons.
func TestAnswersAsPolicyxDoes(t *testing.T) {
	t.Parallel()
	reference, own := start(t, "policyx"), start(t, "analyzer")
	said := 0
	for i, call := range conversation(t) {
		want, wantErr := call(t.Context(), reference)
		got, err := call(t.Context(), own)
		switch {
		case (err == nil) != (wantErr == nil), err != nil && strings.Contains(wantErr.Error(), "refused by the probe") != strings.Contains(err.Error(), "refused by the probe"):
			t.Errorf("call %d: the error is %v, and policyx's is %v", i, err, wantErr)
		case err == nil && !proto.Equal(got, want):
			t.Errorf("call %d: the answer is\n%v\nand policyx's is\n%v", i, got, want)
		case err == nil:
			said += proto.Size(want)
		}
	}
	if said < 50_000 {
		t.Errorf("policyx says %d bytes, so the probes were not asked", said)
	}
}
