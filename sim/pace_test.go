package sim_test

import (
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/sim"
	"github.com/gpuyard/gpuyard/sim/aws"
	"github.com/gpuyard/gpuyard/sim/azure"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
	"github.com/gpuyard/gpuyard/sim/internal/simtest"
	"github.com/gpuyard/gpuyard/sim/kubernetes"
	"github.com/gpuyard/gpuyard/sim/pace"
)

// TestEveryResourceTypeTakesItsTime holds the table of times to the tables of resources.
func TestEveryResourceTypeTakesItsTime(t *testing.T) {
	t.Parallel()
	times := pace.Times()
	for _, p := range []*engine.Provider{aws.Provider(aws.Account{}), kubernetes.Provider(), azure.Provider()} {
		for _, r := range p.Resources {
			if _, ok := times[r.Token]; !ok {
				t.Errorf("nobody says how long a %s takes", r.Token)
			}
			delete(times, r.Token)
		}
	}
	for token := range times {
		t.Errorf("there is a time for %s, which the embedded cloud has not", token)
	}
}

const vpcToken = "aws:ec2/vpc:Vpc"

func TestACloudTakesItsTime(t *testing.T) {
	t.Parallel()
	const scale = 0.005
	w := simtest.New(t, t.TempDir(), func(o *sim.Options) { o.Pace = scale })
	begin := time.Now()
	w.MustCreate("vpc", vpcToken, m{"cidrBlock": "10.0.0.0/16"})
	if took, want := time.Since(begin), pace.Pace(scale).Takes(vpcToken, pace.Create); took < want || want == 0 {
		t.Errorf("the creation took %v, want %v", took, want)
	}
}

func TestPreviewsAndRefusalsTakeNone(t *testing.T) {
	t.Parallel()
	w := simtest.New(t, t.TempDir(), func(o *sim.Options) { o.Pace = pace.Real })
	begin := time.Now()
	if _, err := w.PreviewCreate("vpc", vpcToken, m{"cidrBlock": "10.0.0.0/16"}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Create("subnet", "aws:ec2/subnet:Subnet", m{"vpcId": "vpc-1", "cidrBlock": "10.0.0.0/24"}); err == nil {
		t.Fatal("a subnet without its VPC was accepted")
	}
	if took, least := time.Since(begin), pace.Real.Takes("aws:ec2/subnet:Subnet", pace.Create); took >= least {
		t.Errorf("a preview and a refusal took %v", took)
	}
}
