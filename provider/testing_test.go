package provider_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
	"github.com/gpuyard/gpuyard/nodeprep/remote"
	"github.com/gpuyard/gpuyard/nodeprep/remotetest"
	"github.com/gpuyard/gpuyard/provider"
)

const (
	theURN = urn.URN("urn:pulumi:dev::gpuyard::gpuyard:nodeprep:Host::rack")
	code   = "S3cretActivationCode+/="
)

// rack is one host behind an SSH server in this process, and a provider that reaches it.
type rack struct {
	t      *testing.T
	host   *hosttest.Host
	server *remotetest.Server
	p      p.Provider
}

func newRack(t *testing.T, change func(*provider.Options)) *rack {
	t.Helper()
	dir := t.TempDir()
	h, err := hosttest.New(filepath.Join(dir, "host"), hosttest.Ubuntu("22.04"), hosttest.Gaudi2())
	must(t, err)
	must(t, h.AddCommand("nodeadm"))
	must(t, h.Write("fake/repository", "chrony\t4.3\ncontainerd\t1.7.12\n"))
	key, err := remotetest.NewKey(filepath.Join(dir, "key"))
	must(t, err)
	s, err := remotetest.NewServer(h, key)
	must(t, err)
	t.Cleanup(s.Close)
	known := filepath.Join(dir, "known_hosts")
	must(t, os.WriteFile(known, []byte(s.KnownHosts("10.200.0.11:22")), 0o600))
	o := provider.Options{Redirect: func(_ provider.HostArgs, o *remote.Options, target *remote.Target) error {
		o.KnownHosts, target.KeyFiles = []string{known}, []string{filepath.Join(dir, "key")}
		o.Dial = func(context.Context, string, string) (net.Conn, error) {
			near, far := remotetest.Pipe(0)
			s.ServeConn(far)
			return near, nil
		}
		return nil
	}}
	if change != nil {
		change(&o)
	}
	made, err := provider.New(o)
	must(t, err)
	return &rack{t: t, host: h, server: s, p: made}
}

// inputs are those of a host with a short profile, which joins a cluster.
func inputs(t *testing.T, change func(map[string]property.Value)) property.Map {
	t.Helper()
	values := map[string]property.Value{}
	for key, value := range map[string]string{
		"thp.enabled": "madvise", "swap": "off", "containerd": "on", "cluster.name": "gaudi", "cluster.region": "us-west-2", "cluster.version": "1.35",
		"cluster.activation_id": "01234567-89ab-cdef-0123-456789abcdef", "cluster.labels": "gpuyard.dev/pool=rack", "cluster.taints": "habana.ai/gaudi=present:NoSchedule",
	} {
		values[key] = property.New(value)
	}
	in := map[string]property.Value{
		"address": property.New("10.200.0.11"), "user": property.New("ubuntu"),
		"accelerator": property.New("gaudi2"), "acceleratorCount": property.New(8.0),
		"profile": property.New(values),
		"secrets": property.New(map[string]property.Value{"cluster.activation_code": property.New(code).WithSecret(true)}),
	}
	if change != nil {
		change(in)
	}
	return property.NewMap(in)
}

// check checks inputs that must be right.
func (r *rack) check(in property.Map) property.Map {
	r.t.Helper()
	resp, err := r.p.Check(r.t.Context(), p.CheckRequest{Urn: theURN, Inputs: in})
	must(r.t, err)
	if len(resp.Failures) > 0 {
		r.t.Fatalf("refused: %v", resp.Failures)
	}
	return resp.Inputs
}

// create prepares the host.
func (r *rack) create(in property.Map) p.CreateResponse {
	r.t.Helper()
	resp, err := r.p.Create(r.t.Context(), p.CreateRequest{Urn: theURN, Properties: in})
	must(r.t, err)
	return resp
}

// read looks at the host.
func (r *rack) read(in, state property.Map) p.ReadResponse {
	r.t.Helper()
	resp, err := r.p.Read(r.t.Context(), p.ReadRequest{ID: "10.200.0.11", Urn: theURN, Inputs: in, Properties: state})
	must(r.t, err)
	return resp
}

// diff compares a state with inputs.
func (r *rack) diff(state, in property.Map) p.DiffResponse {
	r.t.Helper()
	resp, err := r.p.Diff(r.t.Context(), p.DiffRequest{ID: "10.200.0.11", Urn: theURN, State: state, Inputs: in})
	must(r.t, err)
	return resp
}

// item is the verdict of an item in a state.
func item(state property.Map, key string) string {
	items := state.Get("items")
	if !items.IsMap() || !items.AsMap().Get(key).IsString() {
		return ""
	}
	return items.AsMap().Get(key).AsString()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantError(t *testing.T, err error, want ...string) {
	t.Helper()
	for _, w := range want {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("%q is not in: %v", w, err)
		}
	}
}
