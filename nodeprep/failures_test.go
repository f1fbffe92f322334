package nodeprep_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

// repository has the packages of a driver. The fabric manager of one version is missing, as it has been for days after a
// release.
const repository = "nvidia-open\t590.10.01-1\nnvidia-open\t580.95.05-0ubuntu1\nnvidia-fabricmanager\t580.95.05-1\nchrony\t4.3\n" +
	"habanalabs-dkms\t1.22.0-740\nhabanalabs-thunk\t1.22.0-740\nhabanalabs-firmware\t1.22.0-740\nhabanalabs-firmware-tools\t1.22.0-740\nhabanalabs-rdma-core\t1.22.0-740\n"

func minimalWith(t *testing.T, values map[string]string) profile.Profile {
	t.Helper()
	return profile.Profile{Name: "test", Values: values}
}

// result finds what became of an item.
func result(r *nodeprep.Report, key string) nodeprep.Result {
	i := slices.IndexFunc(r.Results, func(x nodeprep.Result) bool { return x.Key == key })
	if i < 0 {
		return nodeprep.Result{}
	}
	return r.Results[i]
}

func TestDriverIsInstalledWholeAndHeld(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.H100())
	must(t, h.Write("fake/repository", repository))
	must(t, h.Write("fake/dkms", "nvidia/580.95.05, 6.8.0-60-generic, x86_64: installed\n"))
	converges(t, h, minimalWith(t, map[string]string{"nvidia.driver": "580.95.05"}))
	packages := h.Read("fake/packages")
	for _, want := range []string{"hi \tnvidia-open\t580.95.05-0ubuntu1", "hi \tnvidia-fabricmanager\t580.95.05-1"} {
		if !strings.Contains(packages, want) {
			t.Errorf("the host lacks %q:\n%s", want, packages)
		}
	}
	if !slices.ContainsFunc(h.Calls(), func(c string) bool { return strings.HasPrefix(c, "update-initramfs ") }) {
		t.Error("nouveau is off, and still in the image that the kernel starts from")
	}
}

func TestNoHalfDriver(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.H100())
	must(t, h.Write("fake/repository", repository))
	before := h.Read("fake/packages")
	r, err := nodeprep.Apply(t.Context(), h, minimalWith(t, map[string]string{"nvidia.driver": "590.10.01"}), nodeprep.ApplyOptions{})
	if !errors.Is(err, nodeprep.ErrFailed) {
		t.Fatalf("error %v", err)
	}
	if d := result(r, "nvidia_driver").Detail; !strings.Contains(d, "nvidia-fabricmanager|nvidia-fabricmanager-590") || !strings.Contains(d, "nothing was installed") {
		t.Errorf("detail %q", d)
	}
	if h.Read("fake/packages") != before {
		t.Error("a driver was installed without its fabric manager")
	}
}

func TestGaudiDriver(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.Gaudi2())
	must(t, h.Write("fake/repository", repository))
	converges(t, h, minimalWith(t, map[string]string{"habana.driver": "1.22.0"}))
	calls := h.Calls()
	verbs, driver := slices.Index(calls, "modprobe ib_uverbs"), slices.Index(calls, "modprobe habanalabs")
	if verbs < 0 || driver < verbs {
		t.Errorf("ib_uverbs is call %d and habanalabs %d", verbs, driver)
	}
}

// TestFailuresAreNamed has a host fail in the ways that hosts do, and looks at what is said and what is left.
func TestFailuresAreNamed(t *testing.T) {
	t.Parallel()
	driver := map[string]string{"nvidia.driver": "580.95.05", "thp.enabled": "never"}
	for name, c := range map[string]struct {
		prepare func(*hosttest.Host) error
		values  map[string]string
		item    string
		want    string
	}{
		"apt is locked": {func(h *hosttest.Host) error {
			return h.Fail("apt-get", "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1234 (unattended-upgr)")
		}, driver, "nvidia_driver", "held by process 1234 (unattended-upgr)"},
		"a package that is nowhere": {nil, driver, "nvidia_driver", "no repository of this host has nvidia-open|nvidia-driver-580-server-open in version 580.95.05"},
		"DKMS fails": {func(h *hosttest.Host) error {
			return errors.Join(h.Write("fake/repository", repository),
				h.Write("fake/dkms", "nvidia/580.95.05: added\n"), h.Write("fake/dkms-fails", ""),
				h.Write("fake/dkms-log", "error: implicit declaration of function 'follow_pfn'\nmake: *** [Makefile:85: modules] Error 2\n"))
		}, driver, "nvidia_driver", "implicit declaration of function 'follow_pfn'"},
		"a module that is not there": {func(h *hosttest.Host) error { return h.Write("fake/no-modules", "ib_umad\n") },
			map[string]string{"rdma.modules": "on", "thp.enabled": "never"}, "kernel_modules", "Module ib_umad not found"},
		"memory is fragmented": {func(h *hosttest.Host) error {
			path := h.Path("sys/devices/system/node/node1/hugepages/hugepages-2048kB/nr_hugepages")
			return errors.Join(os.Remove(path), os.Symlink("/dev/null", path))
		}, map[string]string{"hugepages.2Mi": "1024", "thp.enabled": "never"}, "hugepages", "node 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.H100())
			if c.prepare != nil {
				must(t, c.prepare(h))
			}
			r, err := nodeprep.Apply(t.Context(), h, minimalWith(t, c.values), nodeprep.ApplyOptions{})
			if !errors.Is(err, nodeprep.ErrFailed) {
				t.Fatalf("error %v", err)
			}
			if got := result(r, c.item); got.Status != "failed" || !strings.Contains(got.Detail, c.want) {
				t.Errorf("got %v", got)
			}
			// One item that fails keeps no other from being carried out.
			if h.Read("sys/kernel/mm/transparent_hugepage/enabled") != "never" {
				t.Error("another item was not carried out")
			}
		})
	}
}

func TestBrokenDpkgIsHealed(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.H100())
	must(t, h.Write("fake/repository", repository))
	must(t, h.Write("fake/audit", "The following packages have been unpacked but not yet configured.\n nvidia-dkms-580\n"))
	_, err := nodeprep.Apply(t.Context(), h, minimalWith(t, map[string]string{"nvidia.driver": "580.95.05"}), nodeprep.ApplyOptions{})
	must(t, err)
	if !slices.Contains(h.Calls(), "dpkg --configure -a") {
		t.Error("what was interrupted was not finished first")
	}
}

func TestNeedsThatFailed(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.H100())
	r, err := nodeprep.Apply(t.Context(), h, minimalWith(t, map[string]string{"nvidia.driver": "580.95.05", "nvidia.persistence": "on"}), nodeprep.ApplyOptions{})
	if !errors.Is(err, nodeprep.ErrFailed) {
		t.Fatalf("error %v", err)
	}
	if got := result(r, "nvidia_persistence"); got.Status != "skipped" || got.Detail != "needs nvidia_driver, which failed" {
		t.Errorf("got %v", got)
	}
}

func TestTwoRunsAtOnce(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Debian(), hosttest.Server())
	must(t, h.Write("var/lib/gpuyard/nodeprep/lock", ""))
	hold := h.Command(t.Context())
	hold.Args = append(hold.Args, "-c", "exec 9>var/lib/gpuyard/nodeprep/lock; flock 9; echo held; sleep 60")
	out, err := hold.StdoutPipe()
	must(t, err)
	must(t, hold.Start())
	t.Cleanup(func() { hold.Process.Kill(); hold.Wait() }) //nolint:errcheck // it was killed
	if _, err := out.Read(make([]byte, 4)); err != nil {
		t.Fatal(err)
	}
	_, err = nodeprep.Apply(t.Context(), h, minimalWith(t, map[string]string{"thp.enabled": "never"}), nodeprep.ApplyOptions{})
	var refused *nodeprep.RefusedError
	if !errors.As(err, &refused) || refused.Status != "busy" {
		t.Fatalf("error %v", err)
	}
	if h.Read("sys/kernel/mm/transparent_hugepage/enabled") == "never" {
		t.Error("it was changed all the same")
	}
}

// TestAFileThatSomebodyElseChanges is left alone: the plan was made for another content.
func TestAFileThatSomebodyElseChanges(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.Server())
	p := minimalWith(t, map[string]string{"needrestart": "list"})
	facts, err := nodeprep.Gather(t.Context(), h, p)
	must(t, err)
	plan, err := nodeprep.NewPlan(p, facts)
	must(t, err)
	const path = "etc/needrestart/conf.d/zz-gpuyard.conf"
	must(t, h.Write(path, "theirs\n"))
	out, err := h.Run(t.Context(), plan.Body().Script())
	must(t, err)
	if !strings.Contains(string(out), "has changed since the plan was made: plan again") || h.Read(path) != "theirs" {
		t.Errorf("the file is %q:\n%s", h.Read(path), out)
	}
}

func TestFilesKeepModeAndBackup(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.Server())
	const path = "etc/sysctl.d/99-zz-gpuyard.conf"
	must(t, h.Write(path, "vm.swappiness = 1\n"))
	must(t, os.Chmod(h.Path(path), 0o640))
	_, err := nodeprep.Apply(t.Context(), h, minimalWith(t, map[string]string{"sysctl.vm.swappiness": "10"}), nodeprep.ApplyOptions{})
	must(t, err)
	info, err := os.Stat(h.Path(path))
	must(t, err)
	if info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v", info.Mode())
	}
	if got := h.Read("var/lib/gpuyard/nodeprep/before/etc%sysctl.d%99-zz-gpuyard.conf"); got != "vm.swappiness = 1" {
		t.Errorf("what was there before is %q", got)
	}
	left, err := os.ReadDir(h.Path("etc/sysctl.d"))
	must(t, err)
	if len(left) != 1 {
		t.Errorf("files are left behind: %v", left)
	}
}

func TestLinksAreLeftAlone(t *testing.T) {
	t.Parallel()
	h := newHost(t, hosttest.Ubuntu("22.04"), hosttest.Server())
	must(t, h.Write("etc/passwd", "root\n"))
	must(t, os.MkdirAll(h.Path("etc/needrestart/conf.d"), 0o755))
	must(t, os.Symlink(h.Path("etc/passwd"), h.Path("etc/needrestart/conf.d/zz-gpuyard.conf")))
	r, err := nodeprep.Apply(t.Context(), h, minimalWith(t, map[string]string{"needrestart": "list"}), nodeprep.ApplyOptions{})
	if !errors.Is(err, nodeprep.ErrFailed) || !strings.Contains(result(r, "needrestart").Detail, "it is left alone") {
		t.Errorf("error %v, %v", err, r.Results)
	}
	if h.Read("etc/passwd") != "root" {
		t.Error("what the link leads to was written")
	}
}
