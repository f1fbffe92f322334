package pulumitest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// yard is a component with a child, inputs of every kind and an output.
type yard struct {
	pulumi.ResourceState
	Address pulumi.StringOutput `pulumi:"address"`
	Key     pulumi.StringOutput `pulumi:"key"`
}

// thing is a custom resource of no provider.
type thing struct {
	pulumi.CustomResourceState
	Arn pulumi.StringOutput `pulumi:"arn"`
	At  pulumi.StringOutput `pulumi:"at"`
}

func newYard(ctx *pulumi.Context) (*yard, error) {
	y := &yard{}
	inputs := pulumi.Map{"zones": pulumi.ToStringArray([]string{"a", "b"}), "empty": pulumi.Map{}}
	if err := ctx.RegisterComponentResourceV2("gpuyard:test:Yard", "y", inputs, y); err != nil {
		return nil, err
	}
	gate, err := newThing(ctx, "y-gate", pulumi.Map{"count": pulumi.Int(2), "open": pulumi.Bool(true)}, pulumi.Parent(y))
	if err != nil {
		return nil, err
	}
	fence, err := newThing(ctx, "y-fence", pulumi.Map{
		"gate":   gate.ID(),
		"arns":   pulumi.Array{gate.Arn},
		"code":   pulumi.ToSecret(pulumi.String("1234")),
		"policy": pulumi.String(`{"Version":"2012"}`),
		"script": pulumi.String("#!/bin/sh\n\necho hello\n"),
	}, pulumi.Parent(y), pulumi.Protect(true), pulumi.IgnoreChanges([]string{"code"}),
		pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String("old-fence")}}),
		pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "2h"}))
	if err != nil {
		return nil, err
	}
	y.Address, y.Key = fence.At, pulumi.ToSecret(fence.Arn).(pulumi.StringOutput)
	return y, ctx.RegisterResourceOutputs(y, pulumi.Map{"address": y.Address})
}

func newThing(ctx *pulumi.Context, name string, props pulumi.Map, opts ...pulumi.ResourceOption) (*thing, error) {
	t := &thing{}
	return t, ctx.RegisterResource("test:index:Thing", name, props, t, opts...)
}

var yardOptions = Options{
	Calls: map[string]CallFunc{
		"test:index:look": func(args resource.PropertyMap) (resource.PropertyMap, error) {
			return resource.PropertyMap{"seen": args["where"]}, nil
		},
	},
	Outputs: map[string]OutputFunc{
		"test:index:Thing": func(name string, _ resource.PropertyMap) resource.PropertyMap {
			return resource.PropertyMap{"at": resource.NewProperty("somewhere near " + name)}
		},
	},
}

// look invokes the test provider's function.
func look(ctx *pulumi.Context, where string) error {
	var answer struct {
		Seen string `pulumi:"seen"`
	}
	args := struct {
		Where string `pulumi:"where"`
	}{where}
	if err := ctx.Invoke("test:index:look", &args, &answer); err != nil {
		return err
	}
	if answer.Seen != where {
		return fmt.Errorf("saw %q, not %q", answer.Seen, where)
	}
	return nil
}

func TestGraphOfAComponent(t *testing.T) {
	t.Parallel()
	for name, preview := range map[string]bool{"up": false, "preview": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var y *yard
			opts := yardOptions
			opts.Preview = preview
			graph := Run(t, func(ctx *pulumi.Context) (err error) {
				if y, err = newYard(ctx); err != nil {
					return err
				}
				return look(ctx, "here")
			}, opts)
			Golden(t, graph.String()+Outputs(t, y), filepath.Join("testdata", name+".golden"))
		})
	}
}

// TestGraphIsTheSameEveryTime registers many resources at once, which reach the recorder in any order.
func TestGraphIsTheSameEveryTime(t *testing.T) {
	t.Parallel()
	draw := func() string {
		return Run(t, func(ctx *pulumi.Context) error {
			for i := range 50 {
				if _, err := newThing(ctx, fmt.Sprintf("t%d", i), pulumi.Map{}); err != nil {
					return err
				}
			}
			return nil
		}, Options{}).String()
	}
	first := draw()
	if n := strings.Count(first, "test:index:Thing"); n != 50 {
		t.Fatalf("drew %d resources, want 50:\n%s", n, first)
	}
	for range 5 {
		if again := draw(); again != first {
			t.Fatalf("drew\n%s\nthen\n%s", first, again)
		}
	}
}

func TestGraphFinds(t *testing.T) {
	t.Parallel()
	graph := Run(t, func(ctx *pulumi.Context) error {
		_, err := newYard(ctx)
		return err
	}, yardOptions)
	if got := graph.Get(t, "test:index:Thing", "y-gate").Inputs["count"].NumberValue(); got != 2 {
		t.Errorf("count is %v, want 2", got)
	}
	if got := graph.OfType("test:index:Thing"); len(got) != 2 || got[0].Name != "y-fence" || got[1].Name != "y-gate" {
		t.Errorf("found %v", got)
	}
	if got := graph.OfType("test:index:Other"); got != nil {
		t.Errorf("found %v of a type that is not there", got)
	}
	fake := &fakeT{TB: t}
	fake.run(func() { graph.Get(fake, "test:index:Thing", "y-moat") })
	fake.wantFailure(t, "no test:index:Thing y-moat is registered")
}

func TestUnansweredInvokeFailsTheTestByName(t *testing.T) {
	t.Parallel()
	fake := &fakeT{TB: t}
	_, err := RunErr(fake, func(ctx *pulumi.Context) error { return look(ctx, "here") }, Options{})
	if err == nil {
		t.Error("the program succeeded")
	}
	fake.wantFailure(t, "test:index:look")
}

func TestProgramErrorComesBack(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	program := func(*pulumi.Context) error { return broken }
	graph, err := RunErr(t, program, Options{})
	if !errors.Is(err, broken) || len(graph.Resources) != 0 {
		t.Errorf("got %v and %d resources", err, len(graph.Resources))
	}
	fake := &fakeT{TB: t}
	fake.run(func() { Run(fake, program, Options{}) })
	fake.wantFailure(t, "broken")
}

func TestTwiceTheSameNameFailsTheTest(t *testing.T) {
	t.Parallel()
	fake := &fakeT{TB: t}
	Run(fake, func(ctx *pulumi.Context) error {
		for range 2 {
			if _, err := newThing(ctx, "twin", pulumi.Map{}); err != nil {
				return err
			}
		}
		return nil
	}, Options{})
	fake.wantFailure(t, "test:index:Thing twin is registered twice")
}

func TestGoldenComparesAndRewrites(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "deep", "x.golden")

	missing := &fakeT{TB: t}
	missing.run(func() { golden(missing, "one\n", path, false) })
	missing.wantFailure(t, "-update")

	golden(t, "one\ntwo\n", path, true)
	golden(t, "one\ntwo\n", path, false)

	changed := &fakeT{TB: t}
	golden(changed, "one\n2\n", path, false)
	changed.wantFailure(t, "from line 2")
	if text, err := os.ReadFile(path); err != nil || string(text) != "one\ntwo\n" {
		t.Errorf("comparing left %q, %v", text, err)
	}
}

func TestGoldenTakesTexts(t *testing.T) {
	t.Parallel()
	for _, got := range []any{"text", []byte("text"), stringer("text")} {
		if textOf(got) != "text" {
			t.Errorf("%T came to %q", got, textOf(got))
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a number was taken for a text")
		}
	}()
	textOf(7)
}

type stringer string

func (s stringer) String() string { return string(s) }

// fakeT stands for a test that is expected to fail.
type fakeT struct {
	testing.TB
	failures []string
}

func (f *fakeT) Helper()           {}
func (f *fakeT) Error(args ...any) { f.failures = append(f.failures, fmt.Sprint(args...)) }
func (f *fakeT) Errorf(text string, as ...any) {
	f.failures = append(f.failures, fmt.Sprintf(text, as...))
}
func (f *fakeT) Fatalf(text string, as ...any) { f.Errorf(text, as...); panic(f) }

// run runs what may end the test.
func (f *fakeT) run(body func()) {
	defer func() {
		if stopped := recover(); stopped != nil && stopped != f {
			panic(stopped)
		}
	}()
	body()
}

func (f *fakeT) wantFailure(t *testing.T, part string) {
	t.Helper()
	if !slices.ContainsFunc(f.failures, func(text string) bool { return strings.Contains(text, part) }) {
		t.Errorf("failures are %q, want one that says %q", f.failures, part)
	}
}
