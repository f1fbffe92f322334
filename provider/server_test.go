package provider_test

import (
	"encoding/json"
	"flag"
	"net"
	"os"
	"strings"
	"testing"

	p "github.com/pulumi/pulumi-go-provider"
	rpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/gpuyard/gpuyard/provider"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestSchema holds the package's schema to what is checked in: programs in other languages are generated from it.
func TestSchema(t *testing.T) {
	t.Parallel()
	made, err := provider.New(provider.Options{})
	must(t, err)
	schema, err := p.GetSchema(t.Context(), provider.Name, provider.Version, made)
	must(t, err)
	got, err := json.MarshalIndent(schema, "", "  ")
	must(t, err)
	const golden = "testdata/schema.json"
	if *update {
		must(t, os.MkdirAll("testdata", 0o755))
		must(t, os.WriteFile(golden, append(got, '\n'), 0o644))
	}
	want, err := os.ReadFile(golden)
	must(t, err)
	if strings.TrimSpace(string(want)) != string(got) {
		t.Errorf("%s is out of date; it would be\n%s", golden, got)
	}
	if !schema.Resources["gpuyard:nodeprep:Host"].InputProperties["secrets"].Secret {
		t.Error("the secrets are none in the schema")
	}
}

// TestAttachedProviderServesManyRuns: the engine cancels a provider at the end of each run.
func TestAttachedProviderServesManyRuns(t *testing.T) {
	t.Parallel()
	e, err := provider.Attach(t.Context(), provider.Options{})
	must(t, err)
	defer e.Close()
	_, port, found := strings.Cut(e.DebugProviders(), "gpuyard:")
	if !found {
		t.Fatalf("the engine is told %q", e.DebugProviders())
	}
	conn, err := grpc.NewClient(net.JoinHostPort("127.0.0.1", port), grpc.WithTransportCredentials(insecure.NewCredentials()))
	must(t, err)
	defer conn.Close() //nolint:errcheck // it is closed from the other side as well
	client := rpc.NewResourceProviderClient(conn)
	none, err := structpb.NewStruct(map[string]any{"address": "", "profile": map[string]any{}})
	must(t, err)
	for range 2 {
		resp, err := client.Check(t.Context(), &rpc.CheckRequest{Urn: string(theURN), News: none})
		must(t, err)
		if len(resp.Failures) != 1 || resp.Failures[0].Property != "address" {
			t.Errorf("got %v", resp.Failures)
		}
		_, err = client.Cancel(t.Context(), &emptypb.Empty{})
		must(t, err)
	}
}

// TestHostsAreLookedAtBeforeEveryUpdate, those that are not right too: what is not said of them is lost with the error.
func TestHostsAreLookedAtBeforeEveryUpdate(t *testing.T) {
	t.Parallel()
	e, err := provider.Attach(t.Context(), provider.Options{Dir: t.TempDir()})
	must(t, err)
	defer e.Close()
	_, port, _ := strings.Cut(e.DebugProviders(), ":")
	conn, err := grpc.NewClient(net.JoinHostPort("127.0.0.1", port), grpc.WithTransportCredentials(insecure.NewCredentials()))
	must(t, err)
	defer conn.Close() //nolint:errcheck // it is closed from the other side as well
	in, err := structpb.NewStruct(map[string]any{
		"address": "10.200.0.11", "port": 22, "user": "root", "reboot": "never", "knownHosts": "nowhere", "profile": map[string]any{"swap": "off"},
		"items": map[string]any{"swap": "ok"},
	})
	must(t, err)
	state, err := structpb.NewStruct(in.AsMap())
	must(t, err)
	state.Fields["system"] = structpb.NewStringValue("Ubuntu")
	_, err = rpc.NewResourceProviderClient(conn).Read(t.Context(), &rpc.ReadRequest{Id: "10.200.0.11", Urn: string(theURN), Inputs: in, Properties: state})
	failed, _ := status.FromError(err)
	for _, detail := range failed.Details() {
		if d, is := detail.(*rpc.ErrorResourceInitFailed); is {
			if !d.RefreshBeforeUpdate || d.Id != "10.200.0.11" || !strings.Contains(d.Reasons[0], "nowhere") {
				t.Errorf("the engine is told %v", d)
			}
			return
		}
	}
	t.Errorf("the state is lost: %v", err)
}
