//go:build realhosts

package opensshtest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/fleet"
	"github.com/gpuyard/gpuyard/nodeprep/opensshtest"
	"github.com/gpuyard/gpuyard/nodeprep/remote"
)

// TestCheckApplyDrift goes through the life of a host: it is looked at, prepared, looked at again, drifts and is mended.
func TestCheckApplyDrift(t *testing.T) {
	t.Parallel()
	h := start(t, opensshtest.Options{})
	p := wanted(nil)
	r := runner(t, h.Target(opensshtest.Admin), nil)

	const fingerprint = "find / -xdev -newer /stamp ! -path '/var/lib/gpuyard/*' ! -path '/run*' ! -path /tmp ! -path '/var/log/*' | sort"
	shell(t, h, "touch /stamp; sleep 0.1")
	plan := gather(t, r, p)
	if plan.Right() || !plan.Changes() {
		t.Fatalf("a new host is %s", plan.Summary())
	}
	if touched := shell(t, h, fingerprint); touched != "" {
		t.Errorf("a check wrote\n%s", touched)
	}

	report, err := nodeprep.Apply(t.Context(), r, p, nodeprep.ApplyOptions{})
	must(t, err)
	if !report.After.Right() {
		t.Fatalf("after applying: %s\n%v", report.After.Summary(), report.Results)
	}
	for path, want := range map[string]string{
		"sys/kernel/mm/transparent_hugepage/enabled": "never", "proc/sys/vm/swappiness": "10", "proc/sys/net/core/somaxconn": "65535",
		"sys/devices/system/node/node1/hugepages/hugepages-2048kB/nr_hugepages": "32",
	} {
		if got := h.Kernel.Read(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	for path, want := range map[string]string{
		"/etc/sysctl.d/99-zz-gpuyard.conf": "vm.swappiness = 10", "/etc/nccl.conf": "NCCL_ALGO=Ring", "/etc/needrestart/conf.d/zz-gpuyard.conf": "nrconf",
		"/etc/tmpfiles.d/gpuyard-thp.conf": "never",
	} {
		if got := shell(t, h, "cat "+path); !strings.Contains(got, want) {
			t.Errorf("%s is\n%s", path, got)
		}
	}

	shell(t, h, "sleep 0.1; touch /stamp; sleep 0.1")
	again, err := nodeprep.Apply(t.Context(), r, p, nodeprep.ApplyOptions{})
	must(t, err)
	if touched := shell(t, h, fingerprint); len(again.Results) != 0 || touched != "" {
		t.Errorf("applying again did %v and wrote\n%s", again.Results, touched)
	}

	must(t, h.Kernel.Write("sys/kernel/mm/transparent_hugepage/enabled", "always\n"))
	shell(t, h, "echo 'vm.swappiness = 60' >/etc/sysctl.d/99-zz-gpuyard.conf; rm /etc/nccl.conf")
	drifted := gather(t, r, p)
	for _, item := range drifted.Items {
		want := nodeprep.OK
		switch item.Key {
		case "transparent_hugepages", "sysctl", "nccl":
			want = nodeprep.Change
		}
		if item.Verdict != want && item.Verdict != nodeprep.NotApplicable {
			t.Errorf("after the drift, %s is %s, want %s", item.Key, item.Verdict, want)
		}
	}
	report, err = nodeprep.Apply(t.Context(), r, p, nodeprep.ApplyOptions{})
	must(t, err)
	if !report.After.Right() || h.Kernel.Read("sys/kernel/mm/transparent_hugepage/enabled") != "never" {
		t.Errorf("after mending: %s", report.After.Summary())
	}
}

// TestLimitsReachANewLogin asks a login of its own for what it may, since a limit that the files have proves nothing.
func TestLimitsReachANewLogin(t *testing.T) {
	t.Parallel()
	h := start(t, opensshtest.Options{})
	// Lower than what a container may have, which cannot be raised in one.
	p := wanted(map[string]string{"limits.nofile": "2345", "limits.memlock": "4096"})
	_, err := nodeprep.Apply(t.Context(), runner(t, h.Target(opensshtest.Admin), nil), p, nodeprep.ApplyOptions{})
	must(t, err)
	out, err := runner(t, h.Target("root"), nil).Run(t.Context(), "ulimit -Hn; ulimit -l; su - guest -c 'ulimit -Hn; ulimit -l'")
	must(t, err)
	if got := strings.Join(strings.Fields(string(out)), " "); got != "2345 4096 2345 4096" {
		t.Errorf("logins have %q", got)
	}
}

// TestFleetBehindBastions checks hosts that are two bastions away, side by side over one connection to each bastion.
func TestFleetBehindBastions(t *testing.T) {
	t.Parallel()
	// A server's log says who came in.
	logged := opensshtest.Options{SSHD: "LogLevel VERBOSE"}
	outer := start(t, logged)
	logged.Behind = outer
	inner := start(t, logged)
	var hosts []*opensshtest.Host
	for range 3 {
		hosts = append(hosts, start(t, opensshtest.Options{Behind: inner}))
	}
	d, err := remote.NewDialer(remote.Options{KnownHosts: []string{lab.Known()}})
	must(t, err)
	defer d.Close() //nolint:errcheck // the report is looked at
	var list []fleet.Host
	for _, h := range hosts {
		list = append(list, fleet.Host{Name: h.Name, Profile: wanted(nil), Runner: d.Runner(h.Target(opensshtest.Admin))})
	}
	for _, c := range []struct {
		apply bool
		want  fleet.Status
	}{{false, fleet.Differs}, {true, fleet.Changed}, {false, fleet.Right}} {
		report := fleet.Run(t.Context(), list, fleet.Options{Apply: c.apply})
		if report.Count(c.want) != len(hosts) {
			t.Fatalf("apply %v: %s: %+v", c.apply, report.Summary(), report.Hosts)
		}
	}
	for name, h := range map[string]*opensshtest.Host{"outer": outer, "inner": inner} {
		if n := strings.Count(h.Said(), "Accepted publickey for guest"); n != 1 {
			t.Errorf("%d connections to the %s bastion:\n%s", n, name, h.Said())
		}
	}
	// They are not reached without the bastions.
	direct := hosts[0].Target(opensshtest.Admin)
	direct.Bastions = nil
	if _, err := runner(t, direct, func(o *remote.Options) { o.Attempts = 1 }).Run(t.Context(), "true"); err == nil {
		t.Error("a host behind bastions is reached directly")
	}
}

// TestManyHandshakesWithOneServer has more connections begin at once than sshd lets (MaxStartups 10:30:100).
func TestManyHandshakesWithOneServer(t *testing.T) {
	t.Parallel()
	h := start(t, opensshtest.Options{})
	d, err := remote.NewDialer(remote.Options{KnownHosts: []string{lab.Known()}})
	must(t, err)
	var list []fleet.Host
	for n := range 40 {
		list = append(list, fleet.Host{Name: fmt.Sprint(n), Profile: wanted(nil), Runner: d.Runner(h.Target(opensshtest.Admin))})
	}
	report := fleet.Run(t.Context(), list, fleet.Options{Concurrency: 40})
	if report.Count(fleet.Differs) != 40 {
		t.Errorf("%s", report.Summary())
	}
}
