package hosttest_test

import (
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep/hosttest"
)

func host(t *testing.T, d hosttest.Distribution) *hosttest.Host {
	t.Helper()
	h, err := hosttest.New(t.TempDir(), d, hosttest.Server())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// say runs a script and returns what it printed.
func say(t *testing.T, h *hosttest.Host, script string) string {
	t.Helper()
	out, err := h.Run(t.Context(), script)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func TestCommandsWorkOnTheFolder(t *testing.T) {
	t.Parallel()
	ubuntu, rocky := host(t, hosttest.Ubuntu("22.04")), host(t, hosttest.Rocky())
	for _, c := range []struct {
		h            *hosttest.Host
		script, want string
	}{
		{ubuntu, "systemctl is-active systemd-timesyncd.service && echo yes", "yes"},
		{ubuntu, "systemctl is-active chrony.service || echo no", "no"},
		{ubuntu, "systemctl show -p LoadState --value nothing.service", "not-found"},
		{ubuntu, "systemctl mask --now apt-daily-upgrade.timer; systemctl show -p LoadState --value apt-daily-upgrade.timer", "masked"},
		{ubuntu, "apt-get -q -y install chrony >/dev/null && dpkg-query -W -f='${db:Status-Abbrev}|${Version}' chrony", "ii |4.3"},
		{ubuntu, "apt-mark hold chrony; dpkg-query -W -f='${db:Status-Abbrev}|${Version}' chrony", "hi |4.3"},
		{ubuntu, "apt-get install nothing 2>&1", "E: Unable to locate package nothing"},
		{ubuntu, "modprobe nf_conntrack; cat $GPUYARD_ROOT/proc/sys/net/netfilter/nf_conntrack_max", "262144"},
		{ubuntu, "uname -r", "6.8.0-60-generic"},
		{ubuntu, "command -v dnf rpm grubby || echo none", "none"},
		{rocky, "grubby --update-kernel=ALL --remove-args=quiet --args=quiet=1; grubby --info=ALL", `args="root=/dev/vda1 ro quiet=1"`},
		{rocky, "rpm -q --qf x chrony", "4.6-1.el9"},
		{rocky, "rpm -q --qf x nothing", "package nothing is not installed"},
		{rocky, "command -v apt-get || echo none", "none"},
	} {
		if got := say(t, c.h, c.script); got != c.want {
			t.Errorf("%s says %q, want %q", c.script, got, c.want)
		}
	}
}

func TestFail(t *testing.T) {
	t.Parallel()
	h := host(t, hosttest.Debian())
	if err := h.Fail("modprobe", "no such module"); err != nil {
		t.Fatal(err)
	}
	if got := say(t, h, "modprobe x 2>&1"); got != "no such module" {
		t.Errorf("it says %q", got)
	}
	if err := h.Fail("modprobe", ""); err != nil {
		t.Fatal(err)
	}
	if got := say(t, h, "modprobe x && echo works"); got != "works" {
		t.Errorf("it says %q", got)
	}
}

// TestRebootForgetsWhatIsLiveOnly holds that what is not on disk is gone after a boot, and that what is on disk counts.
func TestRebootForgetsWhatIsLiveOnly(t *testing.T) {
	t.Parallel()
	h := host(t, hosttest.Ubuntu("22.04"))
	before := h.Read("proc/sys/kernel/random/boot_id")
	for path, content := range map[string]string{
		"proc/sys/vm/swappiness":                    "1\n",
		"proc/sys/vm/max_map_count":                 "1\n",
		"etc/sysctl.d/50-x.conf":                    "vm.max_map_count = 7\n",
		"etc/sysctl.d/60-y.conf":                    "vm.max_map_count = 8\n",
		"sys/kernel/mm/transparent_hugepage/defrag": "never\n",
		"etc/tmpfiles.d/x.conf":                     "w /sys/kernel/mm/transparent_hugepage/enabled - - - - never\n",
		"etc/modules-load.d/x.conf":                 "ib_uverbs\n",
	} {
		if err := h.Write(path, content); err != nil {
			t.Fatal(err)
		}
	}
	say(t, h, "systemctl reboot; echo x")
	if !h.RebootRequested() {
		t.Error("nobody is told about the reboot")
	}
	if err := h.Reboot(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"proc/sys/vm/swappiness": "60", "proc/sys/vm/max_map_count": "8",
		"sys/kernel/mm/transparent_hugepage/enabled": "never", "sys/kernel/mm/transparent_hugepage/defrag": "always defer defer+madvise [madvise] never",
	} {
		if got := h.Read(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	if h.Read("proc/sys/kernel/random/boot_id") == before || h.RebootRequested() {
		t.Error("it has not booted")
	}
	if got := say(t, h, "[ -d $GPUYARD_ROOT/sys/module/ib_uverbs ] && echo loaded"); got != "loaded" {
		t.Error("modules-load.d was not read")
	}
}
