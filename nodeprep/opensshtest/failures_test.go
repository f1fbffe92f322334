//go:build realhosts

package opensshtest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/opensshtest"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
)

// driver is a profile that installs packages. The module of that version is loaded already, since none can be here.
func driver(h *opensshtest.Host, t *testing.T) profile.Profile {
	t.Helper()
	must(t, h.Kernel.Write("sys/module/nvidia/version", "580.95.05\n"))
	return profile.Profile{Name: "driver", Values: map[string]string{"nvidia.driver": "580.95.05", "thp.enabled": "never"}}
}

// repository makes a repository on the host, with packages that dpkg really installs. built is what the driver's package
// does after it is unpacked, which is where a real one builds its modules.
func repository(built string) string {
	return fmt.Sprintf(`
mkdir -p /repo
deb() {
	rm -rf /tmp/deb && mkdir -p /tmp/deb/DEBIAN
	printf 'Package: %%s\nVersion: %%s\nArchitecture: all\nMaintainer: nobody <nobody@example.com>\nDescription: none\n' "$1" "$2" >/tmp/deb/DEBIAN/control
	printf '#!/bin/sh\nset -e\n%%s\n' "$3" >/tmp/deb/DEBIAN/postinst
	chmod 755 /tmp/deb/DEBIAN/postinst
	file=$1_$2_all.deb
	dpkg-deb --root-owner-group -b /tmp/deb "/repo/$file" >/dev/null
	{
		cat /tmp/deb/DEBIAN/control
		printf 'Filename: ./%%s\nSize: %%s\nSHA256: %%s\n\n' "$file" "$(wc -c <"/repo/$file")" "$(sha256sum "/repo/$file" | cut -d ' ' -f 1)"
	} >>/repo/Packages
}
deb "linux-headers-$(uname -r)" 1 "mkdir -p /lib/modules/$(uname -r)/build"
deb nvidia-fabricmanager 580.95.05-1 :
deb nvidia-open 580.95.05-1 '%s'
rm -f /etc/apt/sources.list
# An image takes a minute a host. The virtual machine makes real ones.
printf '#!/bin/sh\n' >/usr/sbin/update-initramfs
# What modinfo would say of the module that these packages do not have.
rm /usr/sbin/modinfo && printf '#!/bin/sh\necho 580.95.05\n' >/usr/sbin/modinfo && chmod 755 /usr/sbin/modinfo
echo 'deb [trusted=yes] file:/repo ./' >/etc/apt/sources.list.d/test.list
`, built)
}

// roomy is a disk on which a driver would fit.
const roomy = 6000

// TestFailuresOnRealHosts has real package managers, locks and disks fail, and looks at what is said, at what is left, and
// that the next run ends right once the cause is gone.
func TestFailuresOnRealHosts(t *testing.T) {
	t.Parallel()
	const version = "dpkg-query -W -f='${db:Status-Abbrev}' nvidia-open 2>/dev/null || true"
	for name, c := range map[string]struct {
		options opensshtest.Options
		says    string // of the item or the error
		left    string // the driver's package afterwards
		mend    string
	}{
		"a package that does not exist": {
			opensshtest.Options{Prepare: repository("") + "sed -i 's/580.95.05/570.1/' /repo/Packages"},
			"no repository of this host has nvidia-open in version 580.95.05: nothing was installed", "", "sed -i 's/570.1/580.95.05/' /repo/Packages",
		},
		"DKMS fails": {
			opensshtest.Options{Prepare: repository(`[ -e /mended ] || { mkdir -p /var/lib/dkms/nvidia/580.95.05/build; echo "nv.c:7: error: implicit declaration of follow_pfn" >/var/lib/dkms/nvidia/580.95.05/build/make.log; echo "Bad return status for module build"; exit 10; }`)},
			"make.log ends: nv.c:7: error: implicit declaration of follow_pfn", "iF ", "touch /mended",
		},
		"a broken repository": {
			opensshtest.Options{Prepare: repository("") + "mv /repo /away"}, "apt failed: E: Failed to fetch file:/repo/./Packages", "", "mv /away /repo",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.options.DiskMiB = roomy
			h := start(t, c.options)
			r, p := runner(t, h.Target(opensshtest.Admin), nil), driver(h, t)
			report, err := nodeprep.Apply(t.Context(), r, p, nodeprep.ApplyOptions{})
			if !errors.Is(err, nodeprep.ErrFailed) || !strings.Contains(fmt.Sprint(report.Results), c.says) {
				t.Errorf("got %v\n%v", err, report.Results)
			}
			if got := shell(t, h, version); got != strings.TrimSpace(c.left) {
				t.Errorf("the package is %q", got)
			}
			if h.Kernel.Read("sys/kernel/mm/transparent_hugepage/enabled") != "never" {
				t.Error("another item was not carried out")
			}
			shell(t, h, c.mend)
			report, err = nodeprep.Apply(t.Context(), r, p, nodeprep.ApplyOptions{})
			must(t, err)
			if got := shell(t, h, version); got != "hi" || !report.After.Right() {
				t.Errorf("once it is mended the package is %q: %s\n%v", got, report.After.Summary(), report.Results)
			}
		})
	}
}

// TestWhatIsInTheWayIsWaitedFor has somebody else install packages when a run begins, as at first boot.
func TestWhatIsInTheWayIsWaitedFor(t *testing.T) {
	t.Parallel()
	const hold = `import fcntl, sys, time
f = open(sys.argv[1], "w")
fcntl.lockf(f, fcntl.LOCK_EX)
open("/held", "w").close()
time.sleep(8)
open("/released", "w").close()
`
	for name, c := range map[string]struct{ prepare, begin string }{
		"dpkg's lock":               {"", "setsid python3 /hold /var/lib/dpkg/lock-frontend >/dev/null 2>&1 & until [ -e /held ]; do sleep 0.1; done"},
		"the lock of apt's lists":   {"", "setsid python3 /hold /var/lib/apt/lists/lock >/dev/null 2>&1 & until [ -e /held ]; do sleep 0.1; done"},
		"cloud-init":                {"printf '#!/bin/sh\\nsleep 8; touch /released\\necho {} >/run/cloud-init/result.json\\n' >/usr/bin/cloud-init; chmod 755 /usr/bin/cloud-init", "mkdir /run/cloud-init"},
		"what dpkg left half-done":  {"", "dpkg --unpack /repo/nvidia-open_580.95.05-1_all.deb; touch /released"},
		"a driver half-installed":   {"", "dpkg --unpack /repo/nvidia-open_580.95.05-1_all.deb /repo/nvidia-fabricmanager_580.95.05-1_all.deb; dpkg --configure nvidia-open; touch /released"},
		"a driver that is not held": {"", "dpkg -i /repo/nvidia-open_580.95.05-1_all.deb; touch /released"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := start(t, opensshtest.Options{DiskMiB: roomy, Prepare: repository("") + c.prepare + "\ncat >/hold <<'END'\n" + hold + "END\n"})
			p := driver(h, t)
			shell(t, h, c.begin)
			report, err := nodeprep.Apply(t.Context(), runner(t, h.Target(opensshtest.Admin), nil), p, nodeprep.ApplyOptions{})
			must(t, err)
			got := shell(t, h, "[ -e /released ] && dpkg-query -W -f='${db:Status-Abbrev}${Version} ' nvidia-open nvidia-fabricmanager; dpkg --audit")
			if got != "hi 580.95.05-1 hi 580.95.05-1" || !report.After.Right() {
				t.Errorf("the packages are %q, %s\n%v", got, report.After.Summary(), report.Results)
			}
		})
	}
}

// TestHostsThatCannotBeWritten are reported, and stay as they are.
func TestHostsThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ spoil, blocked, refused string }{
		"a read-only root": {"mount -o remount,ro /", "is read-only", "cannot write /var/lib/gpuyard/nodeprep: read-only or full"},
		"a full disk":      {"dd if=/dev/zero of=/fill bs=1M 2>/dev/null || true", "are free on /", "less than 10 MiB are free for /etc: nothing was changed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := start(t, opensshtest.Options{DiskMiB: 32})
			r, p := runner(t, h.Target(opensshtest.Admin), nil), wanted(nil)
			before := gather(t, r, p)
			shell(t, h, c.spoil)
			report, err := nodeprep.Apply(t.Context(), r, p, nodeprep.ApplyOptions{})
			must(t, err)
			if report.After.Count(nodeprep.Blocked) == 0 || len(report.Results) != 0 || !strings.Contains(fmt.Sprint(report.After.Items), c.blocked) {
				t.Errorf("%s\n%v", report.After.Summary(), report.After.Items)
			}
			// A plan from before finds it out by itself.
			out, err := r.Run(t.Context(), before.Body().Script())
			must(t, err)
			if !strings.Contains(string(out), "np\tend\trefused\t"+c.refused) {
				t.Errorf("the script said\n%s", out)
			}
			if got := h.Kernel.Read("sys/kernel/mm/transparent_hugepage/enabled"); !strings.Contains(got, "[always]") {
				t.Errorf("huge pages are %s", got)
			}
		})
	}
}

// TestAnotherSystemIsNamed has a distribution that nobody has prepared before.
func TestAnotherSystemIsNamed(t *testing.T) {
	t.Parallel()
	h := start(t, opensshtest.Options{DiskMiB: roomy, Prepare: "rm /etc/os-release; printf 'ID=arch\\nPRETTY_NAME=\"Arch Linux\"\\n' >/etc/os-release"})
	report, err := nodeprep.Apply(t.Context(), runner(t, h.Target(opensshtest.Admin), nil), driver(h, t), nodeprep.ApplyOptions{})
	must(t, err)
	if got := fmt.Sprint(report.After.Items); report.After.Count(nodeprep.Blocked) != 1 || !strings.Contains(got, "Arch Linux is none of Ubuntu, Debian") {
		t.Errorf("%s\n%s", report.After.Summary(), got)
	}
}
