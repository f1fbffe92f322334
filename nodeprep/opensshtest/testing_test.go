//go:build realhosts

package opensshtest_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/gpuyard/gpuyard/nodeprep"
	"github.com/gpuyard/gpuyard/nodeprep/opensshtest"
	"github.com/gpuyard/gpuyard/nodeprep/profile"
	"github.com/gpuyard/gpuyard/nodeprep/remote"
)

// lab is where all hosts of these tests are, each for one test.
var lab *opensshtest.Lab

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(opensshtest.Main(func() int {
		dir, err := os.MkdirTemp("", "lab")
		if err == nil {
			lab, err = opensshtest.NewLab(dir)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		code := m.Run()
		if err := errors.Join(lab.Close(), os.Remove(dir)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return code
	}))
}

// start makes a host that ends with the test.
func start(t *testing.T, o opensshtest.Options) *opensshtest.Host {
	t.Helper()
	h, err := lab.Start(o)
	must(t, err)
	t.Cleanup(func() { must(t, h.Stop()) })
	return h
}

// runner reaches a host by a target, with what is in the lab's known_hosts now.
func runner(t *testing.T, target remote.Target, change func(*remote.Options)) *remote.Runner {
	t.Helper()
	o := remote.Options{KnownHosts: []string{lab.Known()}}
	if change != nil {
		change(&o)
	}
	d, err := remote.NewDialer(o)
	must(t, err)
	r := d.Runner(target)
	t.Cleanup(func() { r.Close(); d.Close() }) //nolint:errcheck // the test has seen what it wants
	return r
}

// wanted is a profile with something of each kind: files, a value below /sys, parameters, limits.
func wanted(over map[string]string) profile.Profile {
	p := profile.Profile{Name: "wanted", Values: map[string]string{
		"thp.enabled": "never", "thp.defrag": "never", "sysctl.vm.swappiness": "10", "sysctl.net.core.somaxconn": "65535",
		"needrestart": "list", "swap": "off", "limits.nofile": "400000", "limits.memlock": "unlimited", "nccl.algo": "Ring",
		"hugepages.2Mi": "64",
	}}
	return p.Extend("wanted", over)
}

func gather(t *testing.T, r nodeprep.Runner, p profile.Profile) *nodeprep.Plan {
	t.Helper()
	seen, err := nodeprep.Gather(t.Context(), r, p)
	must(t, err)
	plan, err := nodeprep.NewPlan(p, seen)
	must(t, err)
	return plan
}

func shell(t *testing.T, h *opensshtest.Host, script string) string {
	t.Helper()
	out, err := h.Shell(script)
	must(t, err)
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
