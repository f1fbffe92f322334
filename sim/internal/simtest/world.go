package simtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/gpuyard/gpuyard/sim"
	"github.com/gpuyard/gpuyard/sim/internal/store"
)

// Region is where worlds are.
const Region = "us-west-2"

// M is a map of properties in plain Go values. A string may hold ${name}, the id of a resource made in the world, and
// ${name.output}, one of its outputs.
type M = map[string]any

// Unknown is a value that is not known yet.
var Unknown = resource.MakeComputed(resource.NewProperty(""))

// Made is a resource as the engine remembers it.
type Made struct {
	Token, Name, ID string
	Inputs, Outputs resource.PropertyMap
}

// URN returns the resource's name in the engine.
func (m Made) URN() string { return urn(m.Token, m.Name) }

// World is a served cloud and what a test made in it.
type World struct {
	Cloud *sim.Cloud
	Made  map[string]Made

	t       testing.TB
	dir     string
	clients map[string]pulumirpc.ResourceProviderClient
}

// Now is when worlds are.
var Now = time.Date(2027, 1, 15, 8, 0, 0, 0, time.UTC)

// Option changes the options of a world's cloud.
type Option func(*sim.Options)

// New opens and serves a cloud in dir and configures aws for Region.
func New(t testing.TB, dir string, options ...Option) *World {
	t.Helper()
	opts := sim.Options{Dir: dir, Now: func() time.Time { return Now }}
	for _, change := range options {
		change(&opts)
	}
	cloud, err := sim.NewCloud(opts)
	if err != nil {
		t.Fatal(err)
	}
	endpoint, err := cloud.Serve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	w := &World{Cloud: cloud, Made: map[string]Made{}, t: t, dir: dir, clients: map[string]pulumirpc.ResourceProviderClient{}}
	t.Cleanup(func() { w.close(endpoint) })
	for address := range strings.SplitSeq(endpoint.DebugProviders(), ",") {
		name, port, _ := strings.Cut(address, ":")
		conn, err := grpc.NewClient("127.0.0.1:"+port, grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		w.clients[name] = pulumirpc.NewResourceProviderClient(conn)
	}
	if err := w.Configure("aws", "aws", M{"region": Region}); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *World) close(endpoint *sim.Endpoint) {
	endpoint.Close()
	if err := w.Cloud.Close(); err != nil {
		w.t.Error(err)
	}
}

// Saved is the state of a world, to start others from.
type Saved struct {
	data []byte
	made map[string]Made
}

// Save returns the state of w.
func (w *World) Save() (Saved, error) {
	data, err := os.ReadFile(filepath.Join(w.dir, "cloud.db"))
	return Saved{data, maps.Clone(w.Made)}, err
}

// Load returns a world of its own in a state that was saved.
func Load(t testing.TB, saved Saved, options ...Option) *World {
	t.Helper()
	return LoadCrowded(t, saved, "", 0, options...)
}

// LoadCrowded is Load with n more resources like the one called name, which nobody had to make one by one: for quotas.
func LoadCrowded(t testing.TB, saved Saved, name string, n int, options ...Option) *World {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cloud.db"), saved.data, 0o600); err != nil {
		t.Fatal(err)
	}
	if n > 0 {
		crowd(t, dir, saved.made[name], n)
	}
	w := New(t, dir, options...)
	w.Made = maps.Clone(saved.made)
	return w
}

func crowd(t testing.TB, dir string, like Made, n int) {
	t.Helper()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	err = s.Update(func(tx *store.Tx) error {
		r, ok := tx.Get(like.Token, like.ID)
		if !ok {
			return fmt.Errorf("%s is not there", like.ID)
		}
		for i := range n {
			r.ID = fmt.Sprintf("%s-%d", like.ID, i)
			if err := tx.Put(r); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
}

// Client returns the raw client of a provider.
func (w *World) Client(provider string) pulumirpc.ResourceProviderClient { return w.clients[provider] }

// Configure configures a provider as the provider resource called name does.
func (w *World) Configure(provider, name string, config M) error {
	args := w.marshal(w.Props(config))
	u := "urn:pulumi:dev::test::pulumi:providers:" + provider + "::" + name
	checked, err := w.clients[provider].CheckConfig(w.ctx(), &pulumirpc.CheckRequest{Urn: u, News: args})
	if err := errors.Join(plain(err), refusals(checked.GetFailures())); err != nil {
		return err
	}
	_, err = w.clients[provider].Configure(w.ctx(), &pulumirpc.ConfigureRequest{Args: args, Urn: &u, AcceptSecrets: true})
	return plain(err)
}

// Check checks arguments and returns them as they shall be sent on.
func (w *World) Check(token, name string, olds resource.PropertyMap, in resource.PropertyMap) (resource.PropertyMap, error) {
	resp, err := w.of(token).Check(w.ctx(), &pulumirpc.CheckRequest{
		Urn: urn(token, name), Olds: w.marshal(olds), News: w.marshal(in), RandomSeed: []byte(strings.Repeat(name+"0123456789abcdef", 4)),
	})
	if err != nil {
		return nil, plain(err)
	}
	return w.unmarshal(resp.GetInputs()), refusals(resp.GetFailures())
}

// Create checks and creates a resource and remembers it by name, as the engine does also when the answer is an error that
// tells what was made.
func (w *World) Create(name, token string, in M) (Made, error) {
	checked, err := w.Check(token, name, nil, w.Props(in))
	if err != nil {
		return Made{}, err
	}
	return w.CreateUnchecked(name, token, checked)
}

// CreateUnchecked creates a resource whose arguments no Check has seen.
func (w *World) CreateUnchecked(name, token string, in resource.PropertyMap) (Made, error) {
	resp, err := w.of(token).Create(w.ctx(), &pulumirpc.CreateRequest{Urn: urn(token, name), Properties: w.marshal(in)})
	if failed := initFailed(err); failed != nil {
		m := Made{token, name, failed.GetId(), w.unmarshal(failed.GetInputs()), w.unmarshal(failed.GetProperties())}
		w.Made[name] = m
		return m, plain(err)
	}
	if err != nil {
		return Made{}, plain(err)
	}
	m := Made{token, name, resp.GetId(), in, w.unmarshal(resp.GetProperties())}
	w.Made[name] = m
	return m, nil
}

// MustCreate is Create in a test that is about something else.
func (w *World) MustCreate(name, token string, in M) Made {
	w.t.Helper()
	m, err := w.Create(name, token, in)
	if err != nil {
		w.t.Fatalf("making %s: %v", name, err)
	}
	return m
}

// PreviewCreate returns what a preview says of a resource to be made.
func (w *World) PreviewCreate(name, token string, in M) (resource.PropertyMap, error) {
	checked, err := w.Check(token, name, nil, w.Props(in))
	if err != nil {
		return nil, err
	}
	resp, err := w.of(token).Create(w.ctx(), &pulumirpc.CreateRequest{Urn: urn(token, name), Properties: w.marshal(checked), Preview: true})
	return w.unmarshal(resp.GetProperties()), plain(err)
}

// Diff compares a resource's arguments with others.
func (w *World) Diff(m Made, news resource.PropertyMap) *pulumirpc.DiffResponse {
	w.t.Helper()
	resp, err := w.of(m.Token).Diff(w.ctx(), &pulumirpc.DiffRequest{
		Id: m.ID, Urn: m.URN(), Olds: w.marshal(m.Outputs), OldInputs: w.marshal(m.Inputs), News: w.marshal(news),
	})
	if err != nil {
		w.t.Fatal(plain(err))
	}
	return resp
}

// Update checks and changes a resource to have the arguments in.
func (w *World) Update(m Made, in M) (Made, error) { return w.update(m, in, false) }

// PreviewUpdate returns what a preview says of a resource to be changed.
func (w *World) PreviewUpdate(m Made, in M) (Made, error) { return w.update(m, in, true) }

func (w *World) update(m Made, in M, preview bool) (Made, error) {
	checked, err := w.Check(m.Token, m.Name, m.Inputs, w.Props(in))
	if err != nil {
		return Made{}, err
	}
	resp, err := w.of(m.Token).Update(w.ctx(), &pulumirpc.UpdateRequest{
		Id: m.ID, Urn: m.URN(), Olds: w.marshal(m.Outputs), OldInputs: w.marshal(m.Inputs), News: w.marshal(checked), Preview: preview,
	})
	if err != nil {
		return Made{}, plain(err)
	}
	return Made{m.Token, m.Name, m.ID, checked, w.unmarshal(resp.GetProperties())}, nil
}

// Read returns a resource as it stands; an empty ID says that it is gone.
func (w *World) Read(token, name, id string) Made {
	w.t.Helper()
	resp, err := w.of(token).Read(w.ctx(), &pulumirpc.ReadRequest{Id: id, Urn: urn(token, name)})
	if err != nil {
		w.t.Fatal(plain(err))
	}
	return Made{token, name, resp.GetId(), w.unmarshal(resp.GetInputs()), w.unmarshal(resp.GetProperties())}
}

// Delete deletes a resource.
func (w *World) Delete(m Made) error {
	_, err := w.of(m.Token).Delete(w.ctx(), &pulumirpc.DeleteRequest{Id: m.ID, Urn: m.URN()})
	return plain(err)
}

// Invoke calls a function.
func (w *World) Invoke(token string, args M) (resource.PropertyMap, error) {
	resp, err := w.of(token).Invoke(w.ctx(), &pulumirpc.InvokeRequest{Tok: token, Args: w.marshal(w.Props(args))})
	if err := errors.Join(plain(err), refusals(resp.GetFailures())); err != nil {
		return nil, err
	}
	return w.unmarshal(resp.GetReturn()), nil
}

// NewRun begins another run of the engine.
func (w *World) NewRun() {
	w.t.Helper()
	for _, client := range w.clients {
		if _, err := client.Attach(w.ctx(), &pulumirpc.PluginAttach{}, grpc.WaitForReady(true)); err != nil {
			w.t.Fatal(err)
		}
	}
}

// initFailed returns what an error tells of a resource that was made all the same, or nil.
func initFailed(err error) *pulumirpc.ErrorResourceInitFailed {
	for _, d := range status.Convert(err).Details() {
		if failed, ok := d.(*pulumirpc.ErrorResourceInitFailed); ok {
			return failed
		}
	}
	return nil
}

func (w *World) ctx() context.Context { return context.Background() }

func (w *World) of(token string) pulumirpc.ResourceProviderClient {
	provider, _, _ := strings.Cut(token, ":")
	return w.clients[provider]
}

func urn(token, name string) string { return fmt.Sprintf("urn:pulumi:dev::test::%s::%s", token, name) }

// plain returns an error with the text a user sees.
func plain(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(status.Convert(err).Message())
}

func refusals(failures []*pulumirpc.CheckFailure) error {
	var errs []error
	for _, f := range failures {
		errs = append(errs, errors.New(strings.TrimPrefix(f.GetProperty()+": "+f.GetReason(), ": ")))
	}
	return errors.Join(errs...)
}

var wire = plugin.MarshalOptions{KeepUnknowns: true, KeepSecrets: true, KeepResources: true}

func (w *World) marshal(props resource.PropertyMap) *structpb.Struct {
	w.t.Helper()
	s, err := plugin.MarshalProperties(props, wire)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

func (w *World) unmarshal(s *structpb.Struct) resource.PropertyMap {
	w.t.Helper()
	props, err := plugin.UnmarshalProperties(s, wire)
	if err != nil {
		w.t.Fatal(err)
	}
	return props
}
