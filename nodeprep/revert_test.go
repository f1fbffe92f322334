package nodeprep_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

// state is everything of a host that preparation may change and reverting must bring back: a file's content, a link's
// target, a unit's state. Packages and loaded modules stay, with their parameters and units that do nothing.
func state(t *testing.T, h *hosttest.Host) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, folder := range []string{"etc", "boot", "proc/sys", "proc/swaps", "sys/kernel", "sys/devices", "fake/units", "var/lib/gpuyard"} {
		err := filepath.WalkDir(h.Path(folder), func(path string, d fs.DirEntry, err error) error {
			name := strings.TrimPrefix(path, h.Dir+"/")
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil || d.IsDir():
				return err
			case d.Type() == fs.ModeSymlink:
				out[name], err = os.Readlink(path)
				return err
			}
			text := h.Read(name)
			if _, chosen, is := strings.Cut(text, "["); is && strings.HasPrefix(name, "sys/") {
				text, _, _ = strings.Cut(chosen, "]") // a choice, which the kernel shows among its alternatives
			}
			words := strings.Fields(text)
			if strings.HasPrefix(name, "fake/units/") {
				slices.Sort(words)
			}
			out[name] = strings.Join(words, " ")
			if out[name] == "active=inactive file=disabled load=loaded" || strings.HasPrefix(name, "proc/sys/net/netfilter/") || strings.HasSuffix(name, "/boot_id") {
				delete(out, name)
			}
			return nil
		})
		must(t, err)
	}
	return out
}

// differs names what two states do not have in common.
func differs(a, b map[string]string) []string {
	var out []string
	all := maps.Clone(a)
	maps.Copy(all, b)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if a[name] != b[name] {
			out = append(out, name+": "+a[name]+" -> "+b[name])
		}
	}
	return out
}

// reverts takes a host back to what it was before it was prepared, and looks whether anything is left.
func reverts(t *testing.T, h *hosttest.Host, p profile.Profile, before map[string]string) {
	t.Helper()
	if len(differs(before, state(t, h))) < 5 {
		t.Fatal("hardly anything was changed, so nothing is shown")
	}
	results, err := nodeprep.Revert(t.Context(), h, p)
	must(t, err)
	for _, r := range results {
		if r.Status != "reverted" {
			t.Errorf("%+v", r)
		}
	}
	for _, d := range differs(before, state(t, h)) {
		t.Errorf("left: %s", d)
	}
	if again, err := nodeprep.Revert(t.Context(), h, p); err != nil || len(again) > 0 {
		t.Errorf("a second run: %v, %v", again, err)
	}
	if c := h.Complaints(); c != "" {
		t.Errorf("the scripts complain:\n%s", c)
	}
}

// TestRevertKeepsWhatOthersChanged, and says so. Drift that was repaired is no former value.
func TestRevertKeepsWhatOthersChanged(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.Server())
	p := minimalWith(t, map[string]string{"needrestart": "list", "sysctl.vm.swappiness": "10"})
	_, err := nodeprep.Apply(t.Context(), h, p, nodeprep.ApplyOptions{})
	must(t, err)
	must(t, h.Write("proc/sys/vm/swappiness", "1\n"))
	_, err = nodeprep.Apply(t.Context(), h, p, nodeprep.ApplyOptions{})
	must(t, err)
	const path = "etc/needrestart/conf.d/zz-gpuyard.conf"
	must(t, h.Write(path, "theirs\n"))
	results, err := nodeprep.Revert(t.Context(), h, p)
	must(t, err)
	if i := slices.IndexFunc(results, func(r nodeprep.Result) bool { return r.Key == "/"+path }); i < 0 || results[i].Status != "kept" || results[i].Detail != "somebody has changed it since" {
		t.Errorf("the results are %v", results)
	}
	if h.Read(path) != "theirs" || h.Read("proc/sys/vm/swappiness") != "60" || h.Read("etc/sysctl.d/99-zz-gpuyard.conf") != "" {
		t.Errorf("it is %q, %q", h.Read(path), h.Read("proc/sys/vm/swappiness"))
	}
}

// TestANodeLeavesItsClusterFirst: where it cannot, since pods run on it, all stays as it is, and another run goes on.
func TestANodeLeavesItsClusterFirst(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.Gaudi2())
	must(t, h.AddCommand("nodeadm"))
	must(t, h.Write("fake/repository", "containerd\t1.7.12\n"))
	p := joining(activation).Extend("join", map[string]string{"containerd": "on", "thp.enabled": "never"})
	_, err := nodeprep.Apply(t.Context(), h, p, nodeprep.ApplyOptions{})
	must(t, err)
	must(t, h.Fail("nodeadm", "pods are running on this node, registered with "+activation))
	results, err := nodeprep.Revert(t.Context(), h, p)
	if !errors.Is(err, nodeprep.ErrFailed) || !strings.Contains(err.Error(), "pods are running on this node, registered with [secret]") {
		t.Errorf("it ended with %v, %v", results, err)
	}
	if h.Read("sys/kernel/mm/transparent_hugepage/enabled") != "never" || h.Read("etc/gpuyard/nodeconfig.yaml") == "" {
		t.Error("it was taken apart under its pods")
	}
	must(t, h.Fail("nodeadm", ""))
	_, err = nodeprep.Revert(t.Context(), h, p)
	must(t, err)
	if h.Read("etc/gpuyard/nodeconfig.yaml") != "" || slices.Index(h.Calls(), "nodeadm uninstall") < 0 {
		t.Error("the node is still one")
	}
}
