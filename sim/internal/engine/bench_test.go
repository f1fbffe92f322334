package engine

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/gpuyard/gpuyard/sim/internal/fault"
	"github.com/gpuyard/gpuyard/sim/internal/store"
)

type thingArgs struct {
	Name   *string           `pulumi:"name"`
	Prefix *string           `pulumi:"namePrefix"`
	Size   int               `pulumi:"size"`
	Secret *string           `pulumi:"secret"`
	Tags   map[string]string `pulumi:"tags"`
	Box    *boxArgs          `pulumi:"box"`
}

type boxArgs struct {
	Fixed *string `pulumi:"fixed"`
	Free  *string `pulumi:"free"`
}

type thingState struct {
	Name    string            `pulumi:"name"`
	Size    int               `pulumi:"size"`
	Secret  *string           `pulumi:"secret"`
	Tags    map[string]string `pulumi:"tags"`
	Box     *boxArgs          `pulumi:"box"`
	Version int               `pulumi:"version"`
	Label   string            `pulumi:"label"`
	Status  string            `pulumi:"status"`
}

type partArgs struct {
	Thing string `pulumi:"thing"`
}

type config struct {
	Region *string  `pulumi:"region"`
	Retry  *int     `pulumi:"retry"`
	Tags   *tagsArg `pulumi:"tags"`
}

type tagsArg struct {
	All map[string]string `pulumi:"all"`
}

const (
	thing = "test:index/thing:Thing"
	part  = "test:index/part:Part"
)

func testProvider() *Provider {
	return &Provider{
		Name: "test", Version: "1.2.3", Config: config{}, Regional: true, Replace: []string{"region"}, Notice: "a simulation",
		Instance: func(cfg Props) string { return cfg.Str("region") },
		Resources: []*Resource{
			{
				Token: thing, Args: thingArgs{}, State: thingState{}, Moves: []string{"version"},
				Fills:    []string{"box.free"},
				AutoName: &AutoName{Property: "name", Prefix: "namePrefix", Max: 20}, Replace: []string{"name", "box.fixed"},
				Plan: []Rule{{Name: "even", Judge: func(c *Call) error {
					if n, ok := c.In.Int("size"); ok && n%2 != 0 {
						return Invalid("size", "got %d, wanted an even number", n)
					}
					return nil
				}}},
				Apply: []Rule{{Name: "small", Judge: func(c *Call) error {
					if n, _ := c.In.Int("size"); n > 100 {
						return errors.Join(Refuse("TooLarge", "%d is too large", n), Refuse("Expensive", "and too dear"))
					}
					return nil
				}}},
				Create: func(c *Call) (string, Outputs, error) {
					id, err := c.NewID("th-")
					if err != nil {
						return "", nil, err
					}
					companion := c.Make(part, id+"-part", id, Outputs{"thing": id}, Outputs{"thing": id})
					out := Outputs{"version": 1, "label": "made in " + c.Region}
					if c.In.Has("box") && !c.In.Has("box.free") {
						out["box"] = map[string]any{"fixed": c.In.Str("box.fixed"), "free": "filled in"}
					}
					return id, out, companion
				},
				Update: func(c *Call) (Outputs, error) {
					n, _ := c.Was.Int("version")
					return Outputs{"version": n + 1}, nil
				},
			},
			{
				Token: part, Args: partArgs{}, State: partArgs{}, DeleteFirst: true, Replace: []string{"thing"},
				Refs:   []Ref{{Path: "thing", To: thing, By: []string{"id", "name"}, Code: "NoThing", Holds: true}},
				Create: func(c *Call) (string, Outputs, error) { return "part-of-" + c.In.Str("thing"), nil, nil },
			},
		},
		Functions: []*Function{{Token: "test:index/count:count", Args: partArgs{}, Result: thingState{}, Call: func(c *Call) (Outputs, error) {
			if c.In.Str("thing") == "" {
				return nil, Refuse("Nothing", "name a thing")
			}
			return Outputs{"size": len(c.All(thing)), "name": c.In.Str("thing")}, nil
		}}},
	}
}

// bench is a server with what a test needs around it.
type bench struct {
	*Server
	t *testing.T
}

func newBench(t *testing.T, faults ...string) bench {
	t.Helper()
	opts := Options{Now: func() time.Time { return time.Unix(0, 0) }, Faults: plan(t, faults)}
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	b := bench{NewServer(testProvider(), s, opts), t}
	b.configure("one", "here")
	return b
}

// plan returns a plan of faults that are written as users write them.
func plan(t *testing.T, texts []string) *fault.Plan {
	t.Helper()
	all, err := fault.ParseList(strings.Join(texts, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return fault.NewPlan(all)
}

func (b bench) configure(name, region string) {
	b.t.Helper()
	u := "urn:pulumi:dev::test::pulumi:providers:test::" + name
	if _, err := b.Configure(context.Background(), &pulumirpc.ConfigureRequest{Urn: &u, Args: b.props(map[string]any{"region": region})}); err != nil {
		b.t.Fatal(err)
	}
}

func (b bench) props(m map[string]any) *structpb.Struct {
	b.t.Helper()
	props := resource.NewPropertyMapFromMapRepl(m, nil, func(v any) (resource.PropertyValue, bool) {
		pv, ok := v.(resource.PropertyValue)
		return pv, ok
	})
	s, err := plugin.MarshalProperties(props, receive)
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

func (b bench) read(s *structpb.Struct) resource.PropertyMap {
	b.t.Helper()
	props, err := plugin.UnmarshalProperties(s, receive)
	if err != nil {
		b.t.Fatal(err)
	}
	return props
}

func urnOf(token string) string { return "urn:pulumi:dev::test::" + token + "::it" }

func (b bench) check(token string, olds, news map[string]any) (resource.PropertyMap, []string) {
	b.t.Helper()
	resp, err := b.Check(context.Background(), &pulumirpc.CheckRequest{
		Urn: urnOf(token), Olds: b.props(olds), News: b.props(news), RandomSeed: []byte("0123456789abcdef0123456789abcdef"),
	})
	if err != nil {
		b.t.Fatal(err)
	}
	var reasons []string
	for _, f := range resp.GetFailures() {
		reasons = append(reasons, f.GetProperty()+": "+f.GetReason())
	}
	return b.read(resp.GetInputs()), reasons
}

func (b bench) create(token string, in map[string]any, preview bool) (string, resource.PropertyMap, error) {
	b.t.Helper()
	resp, err := b.Create(context.Background(), &pulumirpc.CreateRequest{Urn: urnOf(token), Properties: b.props(in), Preview: preview})
	return resp.GetId(), b.read(resp.GetProperties()), err
}

func (b bench) mustCreate(token string, in map[string]any) (string, resource.PropertyMap) {
	b.t.Helper()
	id, out, err := b.create(token, in, false)
	if err != nil {
		b.t.Fatal(err)
	}
	return id, out
}

func (b bench) there(token, id string) bool {
	b.t.Helper()
	resp, err := b.Read(context.Background(), &pulumirpc.ReadRequest{Urn: urnOf(token), Id: id})
	if err != nil {
		b.t.Fatal(err)
	}
	return resp.GetId() == id
}

func (b bench) delete(token, id string) error {
	_, err := b.Delete(context.Background(), &pulumirpc.DeleteRequest{Urn: urnOf(token), Id: id})
	return err
}

func contains(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}

// count returns how many resources of a type there are.
func (b bench) count(token string) int {
	n := 0
	if err := b.store.View(func(tx *store.Tx) error { n = len(tx.All(token)); return nil }); err != nil {
		b.t.Fatal(err)
	}
	return n
}

// hearing is an engine that remembers what it is told.
type hearing struct {
	pulumirpc.UnimplementedEngineServer
	mu   sync.Mutex
	told []string
}

func (h *hearing) Log(_ context.Context, req *pulumirpc.LogRequest) (*emptypb.Empty, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.told = append(h.told, req.GetMessage())
	return &emptypb.Empty{}, nil
}

// listen attaches an engine, and returns what it was told so far.
func (b bench) listen() func() string {
	b.t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		b.t.Fatal(err)
	}
	h, server := &hearing{}, grpc.NewServer()
	pulumirpc.RegisterEngineServer(server, h)
	go func() { _ = server.Serve(listener) }()
	b.t.Cleanup(server.Stop)
	if _, err := b.Attach(context.Background(), &pulumirpc.PluginAttach{Address: listener.Addr().String()}); err != nil {
		b.t.Fatal(err)
	}
	return func() string {
		h.mu.Lock()
		defer h.mu.Unlock()
		return strings.Join(h.told, "\n")
	}
}
