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
					return id, Outputs{"version": 1, "label": "made in " + c.Region}, companion
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

func newBench(t *testing.T) bench {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	b := bench{NewServer(testProvider(), s, func() time.Time { return time.Unix(0, 0) }), t}
	b.configure("one", "here")
	return b
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
		reasons = append(reasons, f.GetReason())
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

func TestNamesAreChosenAndKept(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first, reasons := b.check(thing, nil, map[string]any{"size": 2})
	if len(reasons) > 0 {
		t.Fatal(reasons)
	}
	name := first["name"].StringValue()
	if !strings.HasPrefix(name, "it-") || len(name) != len("it-")+7 {
		t.Errorf("the chosen name is %q", name)
	}
	olds := first.Mappable()
	if again, _ := b.check(thing, map[string]any{"name": "it-1234567", "__defaults": []any{"name"}}, map[string]any{"size": 4}); again["name"].StringValue() != "it-1234567" {
		t.Errorf("a chosen name became %v", again["name"])
	}
	if own, _ := b.check(thing, olds, map[string]any{"size": 2, "name": "mine"}); own["name"].StringValue() != "mine" || own[defaultsKey].V != nil {
		t.Errorf("a given name became %v", own)
	}
	if back, _ := b.check(thing, map[string]any{"name": "mine"}, map[string]any{"size": 2}); back["name"].StringValue() == "mine" {
		t.Error("a name that the program took back stayed")
	}
	if prefixed, _ := b.check(thing, nil, map[string]any{"size": 2, "namePrefix": "p-"}); prefixed["name"].V != nil {
		t.Errorf("beside a prefix the name is %v", prefixed["name"])
	}
}

func TestCheckTellsAllAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, reasons := b.check(thing, nil, map[string]any{"siz": 2, "tags": "none"})
	if got := strings.Join(reasons, "\n"); got != "siz: unknown property; did you mean size?\ntags: got the string \"none\", wanted a map\nsize: missing: an integer is required" {
		t.Errorf("got\n%s", got)
	}
	if _, reasons := b.check(thing, nil, map[string]any{"size": 3}); len(reasons) != 1 || reasons[0] != "size: got 3, wanted an even number" {
		t.Errorf("got %v", reasons)
	}
	if _, reasons := b.check(thing, nil, map[string]any{"size": resource.MakeComputed(resource.NewProperty(""))}); len(reasons) > 0 {
		t.Errorf("an unknown value was refused: %v", reasons)
	}
}

func TestUnknownTokensNameNearOnes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, err := b.Check(context.Background(), &pulumirpc.CheckRequest{Urn: urnOf("test:index/thing:Things")})
	contains(t, err, `the embedded cloud has no resource type "test:index/thing:Things" in test; it has [test:index/thing:Thing]`)
	_, err = b.Invoke(context.Background(), &pulumirpc.InvokeRequest{Tok: "test:index/counts:counts"})
	contains(t, err, `has no function "test:index/counts:counts" in test; it has [test:index/count:count]`)
}

func TestPreviewTouchesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id, out, err := b.create(thing, map[string]any{"name": "n", "size": 200, "secret": resource.MakeSecret(resource.NewProperty("s"))}, true)
	if err != nil || id != "" {
		t.Fatalf("got %q, %v; an Apply rule must not speak in previews", id, err)
	}
	if !out["version"].IsComputed() || !out["label"].IsComputed() || out["name"].StringValue() != "n" || !out["secret"].IsSecret() {
		t.Errorf("a preview says %v", out)
	}
	if resp, _ := b.Invoke(context.Background(), &pulumirpc.InvokeRequest{Tok: "test:index/count:count", Args: b.props(map[string]any{"thing": "any"})}); b.read(resp.GetReturn())["size"].NumberValue() != 0 {
		t.Error("the preview made something")
	}
}

func TestSecretsStaySecret(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	secret := resource.MakeSecret(resource.NewProperty("s"))
	id, out := b.mustCreate(thing, map[string]any{"name": "n", "size": 2, "secret": secret})
	resp, err := b.Read(context.Background(), &pulumirpc.ReadRequest{Urn: urnOf(thing), Id: id})
	if err != nil {
		t.Fatal(err)
	}
	for what, v := range map[string]resource.PropertyValue{
		"created output": out["secret"], "read output": b.read(resp.GetProperties())["secret"], "read input": b.read(resp.GetInputs())["secret"],
	} {
		if !v.DeepEquals(secret) {
			t.Errorf("%s: %v", what, v)
		}
	}
}

func TestRefusalsComeTogetherAndChangeNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, _, err := b.create(thing, map[string]any{"name": "n", "size": 102}, false)
	contains(t, err, "creating index Thing: TooLarge: 102 is too large\nExpensive: and too dear")
	id, _ := b.mustCreate(thing, map[string]any{"name": "n", "size": 2})
	if id != firstID(t) {
		t.Errorf("the refused creation drew an identifier: %s", id)
	}
}

// firstID is what the first identifier of a fresh cloud is.
func firstID(t *testing.T) string {
	id, _ := newBench(t).mustCreate(thing, map[string]any{"name": "other", "size": 4})
	return id
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in := map[string]any{"name": "n", "size": 2, "tags": map[string]any{"a": "b"}}
	id, out := b.mustCreate(thing, in)
	req := &pulumirpc.UpdateRequest{Urn: urnOf(thing), Id: id, OldInputs: b.props(in), News: b.props(map[string]any{"name": "n", "size": 4})}
	req.Olds, _ = plugin.MarshalProperties(out, receive)
	req.Preview = true
	preview, err := b.Update(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.read(preview.GetProperties()); !got["version"].IsComputed() || got["size"].NumberValue() != 4 || got["label"].StringValue() != "made in here" {
		t.Errorf("the preview says %v", got)
	}
	req.Preview = false
	updated, err := b.Update(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.read(updated.GetProperties()); got["version"].NumberValue() != 2 || len(got["tags"].ObjectValue()) != 0 || got["label"].StringValue() != "made in here" {
		t.Errorf("the update gave %v; a tag that was taken back must not linger", got)
	}
	req.Id = "th-gone"
	_, err = b.Update(context.Background(), req)
	contains(t, err, "updating index Thing th-gone: NotFound: The index Thing 'th-gone' does not exist any more; run refresh")
}

func TestDiff(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	unknown := resource.MakeComputed(resource.NewProperty(""))
	old := map[string]any{"name": "n", "size": 2, "box": map[string]any{"fixed": "a", "free": "b"}}
	for name, c := range map[string]struct {
		token    string
		old, new map[string]any
		want     map[string]pulumirpc.PropertyDiff_Kind
		first    bool
	}{
		"same":            {token: thing, old: old, new: old},
		"secret of same":  {token: thing, old: old, new: map[string]any{"name": resource.MakeSecret(resource.NewProperty("n")), "size": 2, "box": old["box"]}},
		"in place":        {token: thing, old: old, new: map[string]any{"name": "n", "size": 4, "box": old["box"]}, want: map[string]pulumirpc.PropertyDiff_Kind{"size": pulumirpc.PropertyDiff_UPDATE}},
		"unknown":         {token: thing, old: old, new: map[string]any{"name": unknown, "size": unknown, "box": old["box"]}, want: map[string]pulumirpc.PropertyDiff_Kind{"name": pulumirpc.PropertyDiff_UPDATE_REPLACE, "size": pulumirpc.PropertyDiff_UPDATE}},
		"nested":          {token: thing, old: old, new: map[string]any{"name": "n", "size": 2, "box": map[string]any{"fixed": "a", "free": "c"}}, want: map[string]pulumirpc.PropertyDiff_Kind{"box.free": pulumirpc.PropertyDiff_UPDATE}},
		"nested replaces": {token: thing, old: old, new: map[string]any{"name": "n", "size": 2, "box": map[string]any{"fixed": "c", "free": "b"}}, want: map[string]pulumirpc.PropertyDiff_Kind{"box.fixed": pulumirpc.PropertyDiff_UPDATE_REPLACE}, first: true},
		"whole block":     {token: thing, old: old, new: map[string]any{"name": "n", "size": 2}, want: map[string]pulumirpc.PropertyDiff_Kind{"box": pulumirpc.PropertyDiff_DELETE_REPLACE}, first: true},
		"name chosen before": {token: thing, old: map[string]any{"name": "n", "size": 2, "box": old["box"], "__defaults": []any{"name"}},
			new: map[string]any{"name": "n", "size": 2, "__defaults": []any{"name"}}, want: map[string]pulumirpc.PropertyDiff_Kind{"box": pulumirpc.PropertyDiff_DELETE_REPLACE}},
		"delete first": {token: part, old: map[string]any{"thing": "a"}, new: map[string]any{"thing": "b"}, want: map[string]pulumirpc.PropertyDiff_Kind{"thing": pulumirpc.PropertyDiff_UPDATE_REPLACE}, first: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			resp, err := b.Diff(context.Background(), &pulumirpc.DiffRequest{Urn: urnOf(c.token), OldInputs: b.props(c.old), News: b.props(c.new)})
			if err != nil {
				t.Fatal(err)
			}
			if len(resp.GetDetailedDiff()) != len(c.want) || resp.GetDeleteBeforeReplace() != c.first {
				t.Errorf("got %v, want %v, delete first %v", resp, c.want, c.first)
			}
			for path, kind := range c.want {
				if got := resp.GetDetailedDiff()[path]; got.GetKind() != kind {
					t.Errorf("%s: got %v, want %v", path, got, kind)
				}
			}
			if (resp.GetChanges() == pulumirpc.DiffResponse_DIFF_SOME) != (len(c.want) > 0) {
				t.Errorf("changes: %v", resp.GetChanges())
			}
		})
	}
}

func TestReferencesAndDeletion(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, _, err := b.create(part, map[string]any{"thing": "nobody"}, false)
	contains(t, err, "creating index Part: NoThing: The index Thing 'nobody' does not exist")

	id, _ := b.mustCreate(thing, map[string]any{"name": "n", "size": 2})
	if !b.there(part, id+"-part") {
		t.Error("what comes with a thing is not there")
	}
	byName, _ := b.mustCreate(part, map[string]any{"thing": "n"})
	contains(t, b.delete(thing, id), "deleting index Thing "+id+": DependencyViolation: The index Thing '"+id+"' has dependencies and cannot be deleted; delete first: index Part "+byName)
	if err := b.delete(part, byName); err != nil {
		t.Fatal(err)
	}
	if err := b.delete(thing, id); err != nil {
		t.Fatal(err)
	}
	if b.there(thing, id) || b.there(part, id+"-part") {
		t.Error("a deleted thing, or what came with it, is still there")
	}
	_, _, err = b.create(part, map[string]any{"thing": id}, false)
	contains(t, err, "NoThing")
}

func TestTakenIdentifierIsRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.mustCreate(thing, map[string]any{"name": "n", "size": 2})
	b.mustCreate(part, map[string]any{"thing": "n"})
	_, _, err := b.create(part, map[string]any{"thing": "n"}, false)
	contains(t, err, "AlreadyExists")
}

func TestRegionsAreApart(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id, out := b.mustCreate(thing, map[string]any{"name": "n", "size": 2})
	if got := out["label"].StringValue(); got != "made in here" {
		t.Errorf("got %q", got)
	}
	b.configure("one", "there")
	_, _, err := b.create(part, map[string]any{"thing": id}, false)
	contains(t, err, "NoThing")
	if err := b.delete(thing, id); err != nil {
		t.Errorf("a resource of another region cannot be deleted: %v", err)
	}
}

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
			reasons = append(reasons, f.GetReason())
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

func TestInvoke(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.mustCreate(thing, map[string]any{"name": "n", "size": 2})
	call := func(in map[string]any) (*pulumirpc.InvokeResponse, error) {
		return b.Invoke(context.Background(), &pulumirpc.InvokeRequest{Tok: "test:index/count:count", Args: b.props(in)})
	}
	resp, err := call(map[string]any{"thing": "n"})
	if err != nil {
		t.Fatal(err)
	}
	if out := b.read(resp.GetReturn()); out["size"].NumberValue() != 1 || out["label"].StringValue() != "" {
		t.Errorf("got %v", out)
	}
	if resp, err := call(map[string]any{"things": "n"}); err != nil || len(resp.GetFailures()) != 2 {
		t.Errorf("got %v, %v", resp, err)
	}
	_, err = call(map[string]any{"thing": ""})
	contains(t, err, "calling index count: Nothing: name a thing")
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
