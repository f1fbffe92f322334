package engine

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil/rpcerror"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"
)

// known returns what the engine is told of a resource whose creation or update failed.
func known(t *testing.T, err error) *pulumirpc.ErrorResourceInitFailed {
	t.Helper()
	converted, ok := rpcerror.FromError(err)
	if !ok {
		t.Fatalf("%v is no answer of a provider", err)
	}
	for _, d := range converted.Details() {
		if failed, ok := d.(*pulumirpc.ErrorResourceInitFailed); ok {
			return failed
		}
	}
	t.Fatalf("%v tells nothing of the resource", err)
	return nil
}

func TestThrottledOperationsLeaveNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t, "throttle@"+thing, "throttle@"+thing+",on=delete", "throttle@test:index/count:count,on=call", "throttle@"+thing+",on=read")
	in := map[string]any{"name": "n", "size": 2}
	_, _, err := b.create(thing, in, false)
	contains(t, err, "creating index Thing: ThrottlingException: Rate exceeded [injected fault throttle@test:index/thing:Thing]")
	_, err = b.Invoke(context.Background(), &pulumirpc.InvokeRequest{Tok: "test:index/count:count", Args: b.props(map[string]any{"thing": "n"})})
	contains(t, err, "calling index count: ThrottlingException")
	id, _ := b.mustCreate(thing, in)
	if id != firstID(t) {
		t.Errorf("the throttled creation drew an identifier: %s", id)
	}
	_, err = b.Read(context.Background(), &pulumirpc.ReadRequest{Urn: urnOf(thing), Id: id})
	contains(t, err, "reading index Thing "+id+": ThrottlingException")
	contains(t, b.delete(thing, id), "deleting index Thing "+id+": ThrottlingException")
	if !b.there(thing, id) {
		t.Error("the throttled deletion deleted it")
	}
	if err := b.delete(thing, id); err != nil {
		t.Errorf("the next deletion: %v", err)
	}
}

// TestTimeoutsTellWhatIsThere holds that a resource whose creation or update timed out is known to the engine, with its
// identifier, arguments and outputs: nothing is orphaned, and nothing made twice.
func TestTimeoutsTellWhatIsThere(t *testing.T) {
	t.Parallel()
	b := newBench(t, "timeout@"+thing, "timeout@"+thing+",on=update", "timeout@"+thing+",on=delete")
	in := map[string]any{"name": "n", "size": 2}
	_, _, err := b.create(thing, in, false)
	contains(t, err, "creating index Thing: timeout while waiting for the operation to end, which the cloud has done. [injected fault timeout@")
	made := known(t, err)
	if !b.there(thing, made.GetId()) || b.read(made.GetInputs())["size"].NumberValue() != 2 || b.read(made.GetProperties())["version"].NumberValue() != 1 || len(made.GetReasons()) != 1 {
		t.Errorf("the engine is told of %v", made)
	}
	req := &pulumirpc.UpdateRequest{Urn: urnOf(thing), Id: made.GetId(), OldInputs: b.props(in), Olds: made.GetProperties(), News: b.props(map[string]any{"name": "n", "size": 4})}
	_, err = b.Update(context.Background(), req)
	if changed := known(t, err); b.read(changed.GetProperties())["version"].NumberValue() != 2 || b.read(changed.GetInputs())["size"].NumberValue() != 4 {
		t.Errorf("after the update the engine is told of %v", changed)
	}
	if _, err := b.Update(context.Background(), req); err != nil {
		t.Errorf("the next update: %v", err)
	}
	contains(t, b.delete(thing, made.GetId()), "timeout while waiting")
	if b.there(thing, made.GetId()) {
		t.Error("the deletion that timed out did not delete it")
	}
	if err := b.delete(thing, made.GetId()); err != nil {
		t.Errorf("deleting what is gone: %v", err)
	}
}

func TestNoCapacityMakesAResourceThatFailed(t *testing.T) {
	t.Parallel()
	b := newBench(t, "no-capacity@"+thing+",zone=z1")
	res := b.provider.resource(thing)
	res.Capacity = func(c *Call) (string, [][2]string) {
		if c.In.Str("name") == "small" {
			return "", nil
		}
		return "a p5.48xlarge", [][2]string{{"here-a", "z1"}}
	}
	if _, _, err := b.create(thing, map[string]any{"name": "small", "size": 2}, false); err != nil {
		t.Errorf("without instances: %v", err)
	}
	_, _, err := b.create(thing, map[string]any{"name": "large", "size": 2}, false)
	contains(t, err, "unexpected state 'CREATE_FAILED', wanted target 'ACTIVE'")
	contains(t, err, "InsufficientInstanceCapacity - We currently do not have sufficient a p5.48xlarge capacity in the Availability Zone you requested (here-a). [injected fault")
	if made := known(t, err); b.read(made.GetProperties())["status"].StringValue() != "CREATE_FAILED" {
		t.Errorf("the engine is told of %v", made)
	}
}

// intercept calls a method as gRPC does.
func (b bench) intercept(method string, call func() error) error {
	_, err := b.Intercept(context.Background(), nil, &grpc.UnaryServerInfo{FullMethod: method}, func(context.Context, any) (any, error) { return nil, call() })
	return err
}

const createMethod = pulumirpc.ResourceProvider_Create_FullMethodName

func TestADeadProviderAnswersNothingUntilTheNextRun(t *testing.T) {
	t.Parallel()
	b := newBench(t, "crash@*")
	hungUp := 0
	b.opts.HangUp = func() { hungUp++ }
	in := map[string]any{"name": "n", "size": 2}
	create := func() error { _, _, err := b.create(thing, in, false); return err }
	err := b.intercept(createMethod, create)
	contains(t, err, "creating index Thing: the provider dies before the cloud hears of it. [injected fault crash@*]")
	if status.Code(err) != codes.Unavailable || hungUp != 1 {
		t.Errorf("got %v; hung up %d times", err, hungUp)
	}
	if again := b.intercept(createMethod, create); !errors.Is(again, err) {
		t.Errorf("the dead provider answers %v", again)
	}
	attach := func() error { _, err := b.Attach(context.Background(), &pulumirpc.PluginAttach{}); return err }
	if err := b.intercept(pulumirpc.ResourceProvider_Attach_FullMethodName, attach); err != nil {
		t.Fatal(err)
	}
	if err := b.intercept(createMethod, create); err != nil {
		t.Errorf("in the next run: %v", err)
	}
	if b.count(thing) != 1 {
		t.Errorf("there are %d things", b.count(thing))
	}
}

// TestALostAnswerIsNotForgotten holds what follows a creation of which nobody learns: a name that is taken where names are
// unique, and a second resource where they are not, as in the real cloud; but here somebody says so.
func TestALostAnswerIsNotForgotten(t *testing.T) {
	t.Parallel()
	b := newBench(t, "crash-after@"+thing, "crash-after@"+part)
	told := b.listen()
	in := map[string]any{"name": "n", "size": 2}
	_, _, err := b.create(thing, in, false)
	contains(t, err, "the provider dies after the cloud has done it: th-0")
	contains(t, err, " is there, and the state will not say so")
	b.revive()
	second, _ := b.mustCreate(thing, in)
	if b.count(thing) != 2 {
		t.Errorf("there are %d things", b.count(thing))
	}
	if got := told(); !strings.Contains(got, "index Thing "+second+" is the second of its kind: an earlier creation made "+firstID(t)) {
		t.Errorf("the engine was told %q", got)
	}

	_, _, err = b.create(part, map[string]any{"thing": second}, false)
	contains(t, err, "part-of-"+second+" is there")
	b.revive()
	_, _, err = b.create(part, map[string]any{"thing": second}, false)
	contains(t, err, "AlreadyExists")
	contains(t, err, "An earlier creation of this resource made part-of-"+second+", and its answer was lost: import it under that id, or remove it")
}

func TestWhatIsMadeForACallerThatIsGoneIsLost(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	made, err := b.Create(ctx, &pulumirpc.CreateRequest{Urn: urnOf(thing), Properties: b.props(map[string]any{"name": "n", "size": 2})})
	if err != nil {
		t.Fatal(err)
	}
	c := b.call(b.provider.resource(thing), resource.URN(urnOf(thing)))
	if id, ok := b.lost(c); !ok || id != made.GetId() {
		t.Errorf("lost is %q, %t", id, ok)
	}
}

func TestOperationsUnderWayEndWithTheRun(t *testing.T) {
	t.Parallel()
	in := map[string]any{"name": "n", "size": 2}
	for name, c := range map[string]struct {
		end  func(b bench, cancel context.CancelFunc)
		want string
	}{
		"cancelled by the engine": {func(b bench, _ context.CancelFunc) { _, _ = b.Cancel(context.Background(), &emptypb.Empty{}) }, "it was cancelled before it was done, and nothing was changed"},
		"the caller is gone":      {func(_ bench, cancel context.CancelFunc) { cancel() }, "context canceled"},
		"the provider dies":       {func(b bench, _ context.CancelFunc) { _ = b.die(context.Background(), "it dies") }, "it dies"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			waiting := make(chan struct{})
			b.opts.Takes = func(string, string) time.Duration { close(waiting); return time.Hour }
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			done := make(chan error)
			go func() {
				_, err := b.Create(ctx, &pulumirpc.CreateRequest{Urn: urnOf(thing), Properties: b.props(in)})
				done <- err
			}()
			<-waiting
			for ended := false; !ended; {
				c.end(b, cancel)
				select {
				case err := <-done:
					contains(t, err, c.want)
					ended = true
				case <-time.After(time.Millisecond): // it had not begun to wait yet
				}
			}
			if b.count(thing) != 0 {
				t.Error("it was made all the same")
			}
		})
	}
}

func TestUpdatesThatChangeNothingTakeNoTime(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	in := b.props(map[string]any{"name": "n", "size": 2})
	id, _ := b.mustCreate(thing, map[string]any{"name": "n", "size": 2})
	b.opts.Takes = func(string, string) time.Duration { return time.Hour }
	if _, err := b.Update(context.Background(), &pulumirpc.UpdateRequest{Urn: urnOf(thing), Id: id, OldInputs: in, News: in}); err != nil {
		t.Fatal(err)
	}
}

func TestRefusalsDoNotTakeTime(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var asked []string
	b.opts.Takes = func(verb, token string) time.Duration {
		asked = append(asked, verb+" "+token)
		return time.Hour
	}
	_, _, err := b.create(thing, map[string]any{"name": "n", "size": 102}, false)
	contains(t, err, "TooLarge")
	if len(asked) != 1 || asked[0] != "create "+thing {
		t.Errorf("asked how long these take: %v", asked)
	}
	b.opts.Takes = func(string, string) time.Duration { return time.Nanosecond }
	id, _ := b.mustCreate(thing, map[string]any{"name": "n", "size": 2})
	if id != firstID(t) {
		t.Errorf("the rehearsal drew an identifier: %s", id)
	}
}
