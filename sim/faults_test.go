package sim_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/sim"
	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

func TestReadFaults(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "faults.txt")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# a bad day\nthrottle@aws:ec2/*,times=3\ncrash@*,from=20\n")
	faults, err := sim.ReadFaults(path)
	if err != nil || len(faults) != 2 || faults[0].Kind != sim.Throttle || faults[1].From != 20 {
		t.Errorf("got %v, %v", faults, err)
	}
	write("outage@*\n")
	if _, err := sim.ReadFaults(path); err == nil || !strings.Contains(err.Error(), path+": line 1: the fault \"outage@*\"") {
		t.Errorf("got %v", err)
	}
	if _, err := sim.ReadFaults(path + ".not"); err == nil || !strings.Contains(err.Error(), "reading faults: ") {
		t.Errorf("got %v", err)
	}
}

func TestFaultsThatStrikeNothingAreRefused(t *testing.T) {
	t.Parallel()
	faults := []sim.Fault{{Kind: sim.Crash, Token: "aws:ec2/subnets:*"}, {Kind: sim.NoCapacity, Token: "aws:ec2/vpc:Vpc"}, {Kind: sim.Timeout, Token: "kubernetes:*"}}
	_, err := sim.NewCloud(sim.Options{Dir: t.TempDir(), Faults: faults})
	for _, want := range []string{"has no resource type or function that aws:ec2/subnets:* stands for", "aws:ec2/vpc:Vpc starts no instances; aws:eks/nodeGroup:NodeGroup does"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestADyingProviderDropsTheConnection looks at what an engine sees: the call fails, and so do all others of the run.
func TestADyingProviderDropsTheConnection(t *testing.T) {
	t.Parallel()
	const vpc = "aws:ec2/vpc:Vpc"
	w := simtest.New(t, t.TempDir(), func(o *sim.Options) { o.Faults = []sim.Fault{{Kind: sim.Crash, Token: vpc}} })
	in := m{"cidrBlock": "10.0.0.0/16"}
	if _, err := w.Create("vpc", vpc, in); err == nil {
		t.Fatal("it was not struck")
	}
	if _, err := w.Create("vpc", vpc, in); err == nil || !strings.Contains(err.Error(), "the provider dies before the cloud hears of it. [injected fault crash@aws:ec2/vpc:Vpc]") {
		t.Errorf("the dead provider answers %v", err)
	}
	w.NewRun()
	if err := w.Configure("aws", "aws", m{"region": simtest.Region}); err != nil {
		t.Fatal(err)
	}
	w.MustCreate("vpc", vpc, in)
	if n := len(w.Cloud.Resources()); n != 3 {
		t.Errorf("there are %d resources; a VPC brings two", n)
	}
}
