package rack_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/internal/rack"
	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/facts"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
	"github.com/gpuyard/gpuyard/nodeprep/remote"
	"github.com/gpuyard/gpuyard/provider"
)

// gather asks a host of a rack what it is, by its bastion.
func gather(t *testing.T, r *rack.Rack, args provider.HostArgs) *facts.Host {
	t.Helper()
	target := remote.Target{Host: args.Address, User: "ubuntu", Bastions: []remote.Target{{Host: "203.0.113.10", User: "jump"}}}
	var o remote.Options
	if err := r.Redirect(args, &o, &target); err != nil {
		t.Fatal(err)
	}
	d, err := remote.NewDialer(o)
	if err != nil {
		t.Fatal(err)
	}
	runner := d.Runner(target)
	defer func() {
		if err := runner.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
		if err := d.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	}()
	host, err := nodeprep.Gather(t.Context(), runner, profile.Profile{Name: "test", Values: map[string]string{"thp.enabled": "madvise"}})
	if err != nil {
		t.Fatal(err)
	}
	return host
}

func open(t *testing.T, dir string) *rack.Rack {
	t.Helper()
	r, err := rack.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func TestServersHaveWhatTheyAreSaidToHave(t *testing.T) {
	t.Parallel()
	r := open(t, filepath.Join(t.TempDir(), "hosts"))
	for address, c := range map[string]struct {
		accelerator         string
		count, gpus, gaudis int
	}{
		"10.200.0.11": {"gaudi2", 8, 0, 8}, "10.200.0.12": {"h100", 4, 4, 0}, "login.example": {"", 0, 0, 0},
	} {
		h := gather(t, r, provider.HostArgs{Address: address, Accelerator: c.accelerator, AcceleratorCount: c.count})
		if len(h.GPUs()) != c.gpus || len(h.Gaudis()) != c.gaudis || !h.Has("nodeadm") {
			t.Errorf("%s shows %d GPUs and %d Gaudis", address, len(h.GPUs()), len(h.Gaudis()))
		}
	}
}

// TestServersStayAsTheyWereLeft from run to run, and one that was half made is made anew.
func TestServersStayAsTheyWereLeft(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "hosts")
	args := provider.HostArgs{Address: "10.200.0.11", Accelerator: "gaudi2", AcceleratorCount: 8}
	gather(t, open(t, dir), args)
	thp := filepath.Join(dir, "10.200.0.11", "sys/kernel/mm/transparent_hugepage/enabled")
	if err := os.WriteFile(thp, []byte("always madvise [never]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := gather(t, open(t, dir), args).Memory.THP.Enabled; got != "never" {
		t.Errorf("huge pages are %s", got)
	}
	if err := os.Remove(filepath.Join(dir, "10.200.0.11", "proc/sys/kernel/random/boot_id")); err != nil {
		t.Fatal(err)
	}
	if got := gather(t, open(t, dir), args).Memory.THP.Enabled; got != "always" {
		t.Errorf("huge pages are %s", got)
	}
}

func TestADamagedRackIsNamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "key"), []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := rack.Open(dir); err == nil || !strings.Contains(err.Error(), "reading the key of the simulated servers") {
		t.Errorf("got %v", err)
	}
}
