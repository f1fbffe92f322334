package pulumitest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/types/known/structpb"
)

// recorder is the monitor behind a program. The SDK calls it from many goroutines.
type recorder struct {
	t    testing.TB
	opts Options

	mu        sync.Mutex
	seen      map[string]bool
	resources []Resource
	calls     []Call
}

var _ pulumi.MockResourceMonitor = (*recorder)(nil)

// Call answers an invoke.
func (r *recorder) Call(args pulumi.MockCallArgs) (resource.PropertyMap, error) {
	r.mu.Lock()
	r.calls = append(r.calls, Call{Token: args.Token, Args: args.Args, Provider: providerName(args.Provider)})
	r.mu.Unlock()
	answer, ok := r.opts.Calls[args.Token]
	if !ok {
		err := fmt.Errorf("invoke %s is not answered: add it to pulumitest.Options.Calls", args.Token)
		r.t.Error(err)
		return nil, err
	}
	return answer(args.Args)
}

// NewResource records a resource and gives it its outputs.
func (r *recorder) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	rec := Resource{
		Type: args.TypeToken, Name: args.Name, Custom: args.Custom, ReadID: args.ID,
		Inputs: args.Inputs, Provider: providerName(args.Provider),
	}
	if err := rec.fill(args.RegisterRPC); err != nil {
		return "", nil, fmt.Errorf("reading %s %s: %w", args.TypeToken, args.Name, err)
	}
	if args.ReadRPC != nil {
		rec.Parent = reference(args.ReadRPC.GetParent())
	}
	r.record(rec)
	component := args.RegisterRPC != nil && !args.Custom
	if component || r.opts.Preview {
		return "", args.Inputs, nil
	}
	id := args.ID
	if id == "" {
		id = placeholder(args, "id")
	}
	return id, r.outputs(args), nil
}

func (r *recorder) record(rec Resource) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := rec.Parent + "|" + rec.Type + "|" + rec.Name
	if r.seen[key] {
		r.t.Errorf("%s %s is registered twice", rec.Type, rec.Name)
	}
	r.seen[key] = true
	r.resources = append(r.resources, rec)
}

func (r *recorder) outputs(args pulumi.MockResourceArgs) resource.PropertyMap {
	out := resource.PropertyMap{
		"arn":  resource.NewProperty(placeholder(args, "arn")),
		"name": resource.NewProperty(placeholder(args, "name")),
	}
	maps.Copy(out, args.Inputs)
	if more, ok := r.opts.Outputs[args.TypeToken]; ok {
		maps.Copy(out, more(args.Name, args.Inputs))
	}
	return out
}

func (r *recorder) graph() *Graph {
	r.mu.Lock()
	defer r.mu.Unlock()
	return newGraph(slices.Clone(r.resources), slices.Clone(r.calls))
}

// fill takes what the SDK hands to mocks in raw form only: unknown inputs, the parent, dependencies, options.
func (rec *Resource) fill(rpc *pulumirpc.RegisterResourceRequest) error {
	if rpc == nil {
		return nil
	}
	inputs, err := unmarshal(rpc.GetObject())
	if err != nil {
		return err
	}
	rec.Inputs = inputs
	rec.Parent = reference(rpc.GetParent())
	for _, dep := range rpc.GetDependencies() {
		rec.Dependencies = append(rec.Dependencies, reference(dep))
	}
	slices.Sort(rec.Dependencies)
	rec.Dependencies = slices.Compact(rec.Dependencies)
	rec.Options = options(rpc)
	return nil
}

func unmarshal(object *structpb.Struct) (resource.PropertyMap, error) {
	return plugin.UnmarshalProperties(object, plugin.MarshalOptions{
		KeepUnknowns: true, KeepSecrets: true, KeepResources: true,
	})
}

// options gives the resource options that change what the engine does with a resource, those that are set.
func options(rpc *pulumirpc.RegisterResourceRequest) []string {
	var opts []string
	add := func(name string, values ...string) {
		opts = append(opts, strings.TrimSuffix(name+": "+strings.Join(values, ", "), ": "))
	}
	if rpc.GetProtect() {
		add("protect")
	}
	if rpc.GetRetainOnDelete() {
		add("retainOnDelete")
	}
	if rpc.GetDeleteBeforeReplaceDefined() {
		add("deleteBeforeReplace", strconv.FormatBool(rpc.GetDeleteBeforeReplace()))
	}
	for name, values := range map[string][]string{
		"ignoreChanges":           rpc.GetIgnoreChanges(),
		"replaceOnChanges":        rpc.GetReplaceOnChanges(),
		"additionalSecretOutputs": rpc.GetAdditionalSecretOutputs(),
	} {
		if len(values) > 0 {
			add(name, values...)
		}
	}
	for _, alias := range rpc.GetAliases() {
		add("alias", aliasText(alias))
	}
	for _, alias := range rpc.GetAliasURNs() {
		add("alias", alias)
	}
	if with := rpc.GetDeletedWith(); with != "" {
		add("deletedWith", reference(with))
	}
	for name, value := range map[string]string{
		"create": rpc.GetCustomTimeouts().GetCreate(),
		"update": rpc.GetCustomTimeouts().GetUpdate(),
		"delete": rpc.GetCustomTimeouts().GetDelete(),
	} {
		if value != "" {
			add(name+" timeout", value)
		}
	}
	slices.Sort(opts)
	return opts
}

func aliasText(alias *pulumirpc.Alias) string {
	if old := alias.GetUrn(); old != "" {
		return old
	}
	spec := alias.GetSpec()
	return strings.TrimSpace(spec.GetType() + " " + spec.GetName())
}

// placeholder stands for a property of a resource, so that a golden file shows where a value comes from.
func placeholder(args pulumi.MockResourceArgs, property string) string {
	kind := args.TypeToken[strings.LastIndex(args.TypeToken, ":")+1:]
	return "${" + kind + " " + args.Name + "." + property + "}"
}

// reference gives the type and the name in a URN, and nothing for the stack itself.
func reference(text string) string {
	u := urn.URN(text)
	if !u.IsValid() || u.QualifiedType() == resource.RootStackType {
		return ""
	}
	return string(u.Type()) + " " + u.Name()
}

// providerName gives the name in a provider's reference, URN::id, and nothing for the default provider.
func providerName(ref string) string {
	cut := strings.LastIndex(ref, "::")
	if cut < 0 {
		return ""
	}
	return urn.URN(ref[:cut]).Name()
}
