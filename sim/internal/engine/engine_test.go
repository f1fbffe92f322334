package engine

import (
	"context"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

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

// TestBlocksKeepWhatTheCloudFilledIn holds that a field inside a block of arguments, such as a cluster's
// vpcConfig.clusterSecurityGroupId, is unknown until the block is made and the same after updates.
func TestBlocksKeepWhatTheCloudFilledIn(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in := map[string]any{"name": "n", "size": 2, "box": map[string]any{"fixed": "a"}}
	_, preview, err := b.create(thing, in, true)
	if err != nil || !preview["box"].ObjectValue()["free"].IsComputed() {
		t.Errorf("the preview says %v, %v", preview, err)
	}
	id, out := b.mustCreate(thing, in)
	for _, dry := range []bool{true, false} {
		req := &pulumirpc.UpdateRequest{Urn: urnOf(thing), Id: id, OldInputs: b.props(in), Preview: dry,
			News: b.props(map[string]any{"name": "n", "size": 4, "box": map[string]any{"fixed": "b"}})}
		req.Olds, _ = plugin.MarshalProperties(out, receive)
		resp, err := b.Update(context.Background(), req)
		if err != nil {
			t.Fatal(err)
		}
		if box := Props(b.read(resp.GetProperties())); box.Str("box.free") != "filled in" || box.Str("box.fixed") != "b" {
			t.Errorf("preview %v: the block became %v", dry, box["box"])
		}
	}
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
