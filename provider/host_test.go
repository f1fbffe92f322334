package provider_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	p "github.com/pulumi/pulumi-go-provider"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/gpuyard/gpuyard/nodeprep/remotetest"
	"github.com/gpuyard/gpuyard/provider"
)

const thpFile = "sys/kernel/mm/transparent_hugepage/enabled"

func TestTheLifeOfAHost(t *testing.T) {
	t.Parallel()
	r := newRack(t, nil)
	in := r.check(inputs(t, nil))

	preview, err := r.p.Create(t.Context(), p.CreateRequest{Urn: theURN, Properties: in, DryRun: true})
	must(t, err)
	if r.host.Read(thpFile) != "[always] madvise never" || preview.ID != "" {
		t.Fatal("a preview changed the host")
	}

	made := r.create(in)
	if made.ID != "10.200.0.11" || r.host.Read(thpFile) != "madvise" {
		t.Errorf("id %q, thp %q", made.ID, r.host.Read(thpFile))
	}
	for key, want := range map[string]string{"transparent_hugepages": "ok", "cluster_join": "ok", "roce": ""} {
		if got := item(made.Properties, key); got != want {
			t.Errorf("%s is %q", key, got)
		}
	}
	if d := r.diff(r.read(in, made.Properties).Properties, in); d.HasChanges {
		t.Errorf("it changes once more: %v", d.DetailedDiff)
	}

	must(t, r.host.Write(thpFile, "[always] madvise never\n"))
	found := r.read(in, made.Properties).Properties
	if got, want := item(found, "transparent_hugepages"), "change: thp.enabled is always (on disk madvise), wanted madvise"; got != want {
		t.Errorf("drift is told as %q", got)
	}
	if d := r.diff(found, in); !d.HasChanges || len(d.DetailedDiff) != 1 || d.DetailedDiff[`items["transparent_hugepages"]`].Kind != p.Update {
		t.Errorf("the difference is %v", d.DetailedDiff)
	}
	after, err := r.p.Update(t.Context(), p.UpdateRequest{ID: "10.200.0.11", Urn: theURN, State: found, Inputs: in})
	must(t, err)
	if r.host.Read(thpFile) != "madvise" || item(after.Properties, "transparent_hugepages") != "ok" {
		t.Errorf("it is not repaired: %q", r.host.Read(thpFile))
	}

	must(t, r.p.Delete(t.Context(), p.DeleteRequest{ID: "10.200.0.11", Urn: theURN, Properties: after.Properties}))
	if r.host.Read(thpFile) != "madvise" {
		t.Error("the host was not left as it is")
	}
}

// TestAHostThatIsReverted has what it had before when its resource is deleted; one that cannot leave its cluster keeps both.
func TestAHostThatIsReverted(t *testing.T) {
	t.Parallel()
	r := newRack(t, nil)
	in := r.check(inputs(t, func(m map[string]property.Value) { m["onDestroy"] = property.New("revert") }))
	made := r.create(in)
	must(t, r.host.Fail("nodeadm", "pods are running: "+code))
	remove := func() error {
		return r.p.Delete(t.Context(), p.DeleteRequest{ID: made.ID, Urn: theURN, Properties: made.Properties})
	}
	err := remove()
	wantError(t, err, "reverting 10.200.0.11", "pods are running: [secret]", `onDestroy = "leave"`)
	if r.host.Read(thpFile) != "madvise" {
		t.Error("it was taken apart all the same")
	}
	must(t, r.host.Fail("nodeadm", ""))
	must(t, remove())
	if got := r.host.Read(thpFile) + r.host.Read("etc/gpuyard/nodeconfig.yaml") + r.host.Read("var/lib/gpuyard/nodeprep/state"); got != "always" {
		t.Errorf("the host has %q", got)
	}
	r.server.SetFaults(remotetest.Faults{SudoAsks: true})
	wantError(t, remove(), "give the user NOPASSWD")
}

func TestSecretsAreSecretsInInputsAndState(t *testing.T) {
	t.Parallel()
	r := newRack(t, nil)
	in := r.check(inputs(t, nil))
	state := r.create(in).Properties
	for what, m := range map[string]property.Map{"inputs": in, "state": state, "what was read": r.read(in, state).Properties} {
		for key, value := range m.All {
			if strings.Contains(fmt.Sprintf("%#v", value), code) && (key != "secrets" || !value.Secret()) {
				t.Errorf("the %s have the code in clear in %s", what, key)
			}
		}
		if !m.Get("secrets").Secret() {
			t.Errorf("the secrets of the %s are none", what)
		}
		if m.Get("profile").HasSecrets() {
			t.Errorf("the profile of the %s is hidden", what)
		}
	}
}

func TestInputsAreJudged(t *testing.T) {
	t.Parallel()
	r := newRack(t, nil)
	for name, c := range map[string]struct {
		key   string
		value property.Value
		want  string
	}{
		"unknown key":     {"profile", property.New(map[string]property.Value{"thp.enable": property.New("never")}), "did you mean thp.enabled"},
		"illegal value":   {"profile", property.New(map[string]property.Value{"thp.enabled": property.New("maybe")}), "legal: always, madvise, never"},
		"empty address":   {"address", property.New(""), "it is empty"},
		"destroy":         {"onDestroy", property.New("wipe"), "neither leave nor revert"},
		"bastion":         {"bastion", property.New("a@b, c d"), "is no host"},
		"reboot":          {"reboot", property.New("always"), "neither never nor when_needed"},
		"stated twice":    {"secrets", property.New(map[string]property.Value{"cluster.name": property.New("other")}), "state it once"},
		"a secret, wrong": {"secrets", property.New(map[string]property.Value{"cluster.activation_code": property.New("short-secret")}), `"[secret]" is not legal`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			resp, err := r.p.Check(t.Context(), p.CheckRequest{Urn: theURN, Inputs: inputs(t, func(m map[string]property.Value) { m[c.key] = c.value })})
			must(t, err)
			if text := fmt.Sprint(resp.Failures); !strings.Contains(text, c.want) || strings.Contains(text, "short-secret") {
				t.Errorf("got %s", text)
			}
		})
	}
}

// TestWhatIsNotKnownYet is the first preview of an environment: the activation is made by the update.
func TestWhatIsNotKnownYet(t *testing.T) {
	t.Parallel()
	r := newRack(t, nil)
	in := r.check(inputs(t, func(m map[string]property.Value) {
		m["secrets"] = property.New(map[string]property.Value{"cluster.activation_code": property.New(property.Computed)}).WithSecret(true)
	}))
	if got := in.Get("items").AsMap().Get("cluster_join"); !got.IsString() || got.AsString() != "ok" {
		t.Errorf("the item that waits is %v", got)
	}
	_, err := r.p.Create(t.Context(), p.CreateRequest{Urn: theURN, Properties: in, DryRun: true})
	must(t, err)
	if len(r.server.Commands()) != 1 {
		t.Errorf("the host was asked %d times", len(r.server.Commands()))
	}
}

func TestHostsThatCannotBeLookedAt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		faults remotetest.Faults
		want   string
	}{
		"hangs":     {remotetest.Faults{Hang: true}, "10.200.0.11 has not answered within 500ms"},
		"silent":    {remotetest.Faults{Silent: true}, "10.200.0.11 has not answered within 500ms"},
		"sudo asks": {remotetest.Faults{SudoAsks: true}, "give the user NOPASSWD"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRack(t, func(o *provider.Options) { o.Deadline = 500 * time.Millisecond })
			in := r.check(inputs(t, nil))
			r.server.SetFaults(c.faults)
			if _, err := r.p.Create(t.Context(), p.CreateRequest{Urn: theURN, Properties: in, DryRun: true}); err != nil {
				t.Errorf("a preview fails: %v", err)
			}
			_, err := r.p.Create(t.Context(), p.CreateRequest{Urn: theURN, Properties: in})
			wantError(t, err, c.want)
			state := in.Set("system", property.New("Ubuntu 22.04 LTS"))
			found, err := r.p.Read(t.Context(), p.ReadRequest{ID: "10.200.0.11", Urn: theURN, Inputs: in, Properties: state})
			if err == nil || found.PartialState == nil || !strings.Contains(found.PartialState.Reasons[0], c.want) || item(found.Properties, "swap") != "ok" {
				t.Errorf("the state is not kept: %v", found)
			}
		})
	}
}

func TestAHostThatIsNotTheOneSaid(t *testing.T) {
	t.Parallel()
	r := newRack(t, nil)
	in := r.check(inputs(t, func(m map[string]property.Value) {
		m["accelerator"], m["acceleratorCount"] = property.New("h100"), property.New(4.0)
	}))
	_, err := r.p.Create(t.Context(), p.CreateRequest{Urn: theURN, Properties: in})
	wantError(t, err, "10.200.0.11 should hold 4 × h100, and shows 0")
	if r.host.Read(thpFile) != "[always] madvise never" {
		t.Error("it was changed all the same")
	}
}

// TestAHostThatIsNotRightAfterwards keeps the state, and what is wrong is tried again.
func TestAHostThatIsNotRightAfterwards(t *testing.T) {
	t.Parallel()
	r := newRack(t, nil)
	in := r.check(inputs(t, nil))
	must(t, r.host.Fail("nodeadm", "the activation has expired"))
	made, err := r.p.Create(t.Context(), p.CreateRequest{Urn: theURN, Properties: in})
	if err == nil || made.PartialState == nil || !strings.Contains(made.PartialState.Reasons[0], "cluster_join: nodeadm failed: the activation has expired") {
		t.Fatalf("it ended with %v, %v", err, made.PartialState)
	}
	if made.ID != "10.200.0.11" || !strings.HasPrefix(item(made.Properties, "cluster_join"), "change: ") {
		t.Fatalf("the state is %v", made.Properties)
	}
	if d := r.diff(made.Properties, in); !d.HasChanges {
		t.Error("nothing is to be done")
	}
	must(t, r.host.Fail("nodeadm", ""))
	after, err := r.p.Update(t.Context(), p.UpdateRequest{ID: made.ID, Urn: theURN, State: made.Properties, Inputs: in})
	must(t, err)
	if got := item(after.Properties, "cluster_join"); got != "ok" {
		t.Errorf("it is %q", got)
	}
	for _, want := range []string{"--node-labels=gpuyard.dev/pool=rack", "--register-with-taints=habana.ai/gaudi=present:NoSchedule"} {
		if !strings.Contains(r.host.Read("etc/gpuyard/nodeconfig.yaml"), want) {
			t.Errorf("the node does not register with %s", want)
		}
	}
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	r := newRack(t, nil)
	in := r.check(inputs(t, nil))
	state := in.Set("system", property.New("Ubuntu 22.04 LTS"))
	with := func(m property.Map, key, item, value string) property.Map {
		return m.Set(key, property.New(m.Get(key).AsMap().Set(item, property.New(value))))
	}
	for name, c := range map[string]struct {
		state, in property.Map
		want      map[string]p.DiffKind
	}{
		"none":                 {state, in, nil},
		"another host":         {state, in.Set("address", property.New("10.200.0.12")), map[string]p.DiffKind{"address": p.UpdateReplace}},
		"another user":         {state, in.Set("user", property.New("root")), map[string]p.DiffKind{"user": p.Update}},
		"to be reverted":       {state, in.Set("onDestroy", property.New("revert")), map[string]p.DiffKind{"onDestroy": p.Update}},
		"another value":        {state, with(in, "profile", "thp.enabled", "never"), map[string]p.DiffKind{`profile["thp.enabled"]`: p.Update}},
		"another secret":       {state, with(in, "secrets", "cluster.activation_code", code+"x"), map[string]p.DiffKind{"secrets": p.Update}},
		"not applicable":       {with(state, "items", "roce", "not-applicable: no adapter"), with(in, "items", "roce", "ok"), nil},
		"waits for a reboot":   {with(state, "items", "swap", "right-after-reboot: so many"), in, nil},
		"may reboot for it":    {with(state, "items", "swap", "right-after-reboot: so many").Set("reboot", property.New("when_needed")), in.Set("reboot", property.New("when_needed")), map[string]p.DiffKind{`items["swap"]`: p.Update}},
		"blocked":              {with(state, "items", "swap", "blocked: tuned"), in, map[string]p.DiffKind{`items["swap"]`: p.Update}},
		"an item more":         {state, with(in, "items", "roce", "ok"), map[string]p.DiffKind{`items["roce"]`: p.Add}},
		"an item that is gone": {with(state, "items", "roce", "ok"), in, map[string]p.DiffKind{`items["roce"]`: p.Delete}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := r.diff(c.state, c.in)
			if d.HasChanges != (len(c.want) > 0) || len(d.DetailedDiff) != len(c.want) {
				t.Fatalf("got %v", d.DetailedDiff)
			}
			for path, kind := range c.want {
				if d.DetailedDiff[path].Kind != kind {
					t.Errorf("%s is %q in %v", path, d.DetailedDiff[path].Kind, d.DetailedDiff)
				}
			}
		})
	}
}
