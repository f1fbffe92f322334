package engine

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

func TestTwoInstancesAreAmbiguousUntilTheRunEnds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.configure("two", "there")
	_, _, err := b.create(thing, map[string]any{"name": "n", "size": 2}, false)
	contains(t, err, `serves one of them a run`)
	if _, err := b.Cancel(context.Background(), &emptypb.Empty{}); err != nil {
		t.Fatal(err)
	}
	b.configure("two", "there")
	if _, _, err := b.create(thing, map[string]any{"name": "n", "size": 2}, false); err != nil {
		t.Errorf("after Cancel: %v", err)
	}
}

func TestConfiguration(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	check := func(in map[string]any) string {
		resp, err := b.CheckConfig(context.Background(), &pulumirpc.CheckRequest{News: b.props(in)})
		if err != nil {
			t.Fatal(err)
		}
		var reasons []string
		for _, f := range resp.GetFailures() {
			reasons = append(reasons, f.GetProperty()+": "+f.GetReason())
		}
		return strings.Join(reasons, "; ")
	}
	if got := check(map[string]any{"region": "here", "retry": "3", "tags": `{"all":{"a":"b"}}`, "version": "1.2.3"}); got != "" {
		t.Errorf("JSON values were refused: %s", got)
	}
	if got := check(map[string]any{"regio": "here"}); got != "regio: unknown property; did you mean region?" {
		t.Errorf("got %s", got)
	}
	if got := check(map[string]any{"tags": `{"al":{}}`}); got != "tags.al: unknown property; did you mean all?" {
		t.Errorf("got %s", got)
	}

	replaces := func(old, news any) bool {
		resp, err := b.DiffConfig(context.Background(), &pulumirpc.DiffRequest{OldInputs: b.props(map[string]any{"region": old}), News: b.props(map[string]any{"region": news})})
		if err != nil {
			t.Fatal(err)
		}
		return len(resp.GetReplaces()) > 0
	}
	if !replaces("here", "there") || replaces("here", "here") || replaces("here", resource.MakeComputed(resource.NewProperty(""))) {
		t.Error("another region replaces; the same one, or one not known yet, does not")
	}
}

func TestProtocol(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	info, err := b.GetPluginInfo(context.Background(), &emptypb.Empty{})
	if err != nil || info.GetVersion() != "1.2.3" {
		t.Errorf("version: %v, %v", info, err)
	}
	shake, err := b.Handshake(context.Background(), &pulumirpc.ProviderHandshakeRequest{})
	if err != nil || !shake.GetAcceptSecrets() || !shake.GetAcceptResources() {
		t.Errorf("handshake: %v, %v", shake, err)
	}
	ready, err := b.Configure(context.Background(), &pulumirpc.ConfigureRequest{Args: b.props(map[string]any{"region": "here"})})
	if err != nil || !ready.GetSupportsPreview() || !ready.GetAcceptSecrets() {
		t.Errorf("configure: %v, %v", ready, err)
	}
}

// listener is an engine that takes messages.
type listener struct {
	pulumirpc.UnimplementedEngineServer
	mu       sync.Mutex
	messages []string
}

func (l *listener) Log(_ context.Context, req *pulumirpc.LogRequest) (*emptypb.Empty, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.messages = append(l.messages, req.GetMessage())
	return &emptypb.Empty{}, nil
}

func TestConfigureTellsThatItIsASimulation(t *testing.T) {
	t.Parallel()
	var engine listener
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	pulumirpc.RegisterEngineServer(server, &engine)
	go func() { _ = server.Serve(socket) }()
	t.Cleanup(server.Stop)

	b := newBench(t)
	if _, err := b.Attach(context.Background(), &pulumirpc.PluginAttach{Address: socket.Addr().String()}); err != nil {
		t.Fatal(err)
	}
	b.configure("one", "here")
	if len(engine.messages) != 1 || engine.messages[0] != "a simulation" {
		t.Errorf("the engine was told %q", engine.messages)
	}
}
