//go:build realhosts

package vmtest_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/opensshtest"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
	"github.com/gpuyard/gpuyard/nodeprep/remote"
	"github.com/gpuyard/gpuyard/nodeprep/vmtest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(opensshtest.Main(m.Run))
}

// TestApplyRebootLive prepares a machine in a way that needs a reboot, and looks at what is live right afterwards: by the
// plan, and by asking the kernel itself. In the end the machine has what it had before.
func TestApplyRebootLive(t *testing.T) {
	m, d := boot(t, vmtest.Options{})
	r := d.Runner(m.Target(vmtest.Admin))
	p, _ := profile.BuiltIn(profile.Training)
	p = p.Extend("machine", map[string]string{
		"thp.enabled": "never", "hugepages.2Mi": "64", "hugepages.1Gi": "1", "iommu.passthrough": "on", "storage.read_ahead_kib": "4096",
	})
	before := ask(t, r, "cat /proc/sys/kernel/random/boot_id /proc/cmdline")
	if !strings.Contains(before, " iommu=off") {
		t.Fatalf("the first boot is by %s", before)
	}
	const has = "cat /sys/kernel/mm/transparent_hugepage/*; sysctl -n vm.swappiness kernel.numa_balancing net.core.rmem_max; " +
		"systemctl is-enabled apt-daily-upgrade.timer unattended-upgrades.service; systemctl show -p DefaultLimitMEMLOCK --value; " +
		"cat /sys/block/vda/queue/read_ahead_kb; find /etc -name '*gpuyard*'; ls /etc/systemd/system; grep -c iommu=pt /boot/grub/grub.cfg"
	had := ask(t, r, has)
	turns := 0
	since := time.Now()
	report, err := nodeprep.Apply(t.Context(), r, p, nodeprep.ApplyOptions{
		MayReboot: func(context.Context) (func(), error) { turns++; return func() {}, nil }, BootTimeout: 20 * time.Minute,
	})
	if err != nil {
		t.Fatalf("%v\n%v\n%s", err, report.Results, m.Console())
	}
	t.Logf("applied, rebooted and looked at again in %v", time.Since(since).Round(time.Second))
	if !report.After.Right() || report.Reboots != 1 || turns != 1 {
		var b strings.Builder
		must(t, report.After.WriteText(&b, false))
		t.Fatalf("%d reboots, %s\n%s\n%v", report.Reboots, report.After.Summary(), b.String(), report.Results)
	}
	if now := ask(t, r, "cat /proc/sys/kernel/random/boot_id"); strings.HasPrefix(before, now) {
		t.Error("it was not rebooted")
	}
	live(t, r)

	again, err := nodeprep.Apply(t.Context(), r, p, nodeprep.ApplyOptions{})
	must(t, err)
	if len(again.Results) != 0 || again.Reboots != 0 {
		t.Errorf("applying again did %v", again.Results)
	}
	// What is live only is drift, and needs no reboot to mend.
	ask(t, r, "echo always >/sys/kernel/mm/transparent_hugepage/enabled; sysctl -q vm.swappiness=60; systemctl unmask apt-daily-upgrade.timer")
	mended, err := nodeprep.Apply(t.Context(), r, p, nodeprep.ApplyOptions{})
	must(t, err)
	if mended.Before.Right() || !mended.After.Right() || mended.Waiting {
		t.Errorf("the drift was %s, and is %s", mended.Before.Summary(), mended.After.Summary())
	}

	results, err := nodeprep.Revert(t.Context(), r, p)
	must(t, err)
	if got := ask(t, r, has); got != had {
		t.Errorf("reverted, the machine has\n%s\nand had\n%s\n%v", got, had, results)
	}
}

// live asks the kernel and systemd what holds now.
func live(t *testing.T, r nodeprep.Runner) {
	t.Helper()
	line := " " + ask(t, r, "cat /proc/cmdline") + " "
	for _, want := range []string{" iommu=pt ", " hugepagesz=1G ", " hugepages=1 ", " console=ttyS0 "} {
		if !strings.Contains(line, want) {
			t.Errorf("the kernel's command line lacks%s: %s", want, line)
		}
	}
	if strings.Contains(line, " iommu=off ") {
		t.Errorf("the other value stayed: %s", line)
	}
	const node = "/sys/devices/system/node/node"
	for command, want := range map[string]string{
		"cat /sys/kernel/mm/transparent_hugepage/enabled":                 "always madvise [never]",
		"cat /sys/kernel/mm/transparent_hugepage/defrag":                  "always defer defer+madvise [madvise] never",
		"cat " + node + "[01]/hugepages/hugepages-2048kB/nr_hugepages":    "32 32",
		"cat /sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages":   "1",
		"sysctl -n vm.swappiness kernel.numa_balancing net.core.rmem_max": "10 0 67108864",
		"systemctl show -p DefaultLimitMEMLOCK --value":                   "infinity",
		"systemctl show -p DefaultLimitNOFILE --value":                    "500000",
		"su - ubuntu -c 'ulimit -l; ulimit -n'":                           "unlimited 500000",
		"cat /sys/block/vda/queue/read_ahead_kb":                          "4096",
		"systemctl is-enabled apt-daily-upgrade.timer || true":            "masked",
		"systemctl is-active systemd-timesyncd.service || true":           "active",
		"sed 1d /proc/swaps": "",
	} {
		if got := ask(t, r, command); got != want {
			t.Errorf("%s says %q, want %q", command, got, want)
		}
	}
}

// ask runs a command, and returns its words.
func ask(t *testing.T, r nodeprep.Runner, command string) string {
	t.Helper()
	out, err := r.Run(t.Context(), "{ "+command+"; echo; } 2>&1")
	must(t, err)
	return strings.Join(strings.Fields(string(out)), " ")
}

// boot makes a machine and waits until it answers.
func boot(t *testing.T, o vmtest.Options) (*vmtest.Machine, *remote.Dialer) {
	t.Helper()
	dir := t.TempDir()
	start := time.Now()
	m, err := vmtest.Start(t.Context(), dir, os.Getenv(opensshtest.RootVariable), o)
	must(t, err)
	t.Cleanup(func() { must(t, m.Stop()) })
	t.Logf("its disk was made in %v", time.Since(start).Round(time.Second))
	known := filepath.Join(dir, "known_hosts")
	must(t, os.WriteFile(known, []byte(m.KnownHosts()), 0o600))
	// It is slow, the more so on a machine that is busy.
	d, err := remote.NewDialer(remote.Options{KnownHosts: []string{known}, Handshake: 2 * time.Minute, KeepAlive: time.Minute})
	must(t, err)
	t.Cleanup(func() { d.Close() }) //nolint:errcheck // the machine ends
	start = time.Now()
	for {
		r := d.Runner(m.Target("root"))
		_, err := r.Run(t.Context(), "echo up")
		r.Close() //nolint:errcheck // it was to see whether it answers
		if err == nil {
			t.Logf("it answered after %v", time.Since(start).Round(time.Second))
			return m, d
		}
		if time.Since(start) > 20*time.Minute {
			t.Fatalf("it does not answer: %v\n%s", err, m.Console())
		}
		time.Sleep(time.Second)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
