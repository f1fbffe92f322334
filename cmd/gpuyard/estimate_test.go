package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"

	"github.com/gpuyard/gpuyard/internal/engine"
)

// chainOf is a VPC, a cluster in it that waits for a NAT gateway for no reason, and nodes.
func chainOf(nodes apitype.OpType) []engine.Step {
	urn := func(typ, name string) string { return "urn:pulumi:dev::gpuyard::" + typ + "::" + name }
	vpc, nat := urn("aws:ec2/vpc:Vpc", "dev"), urn("aws:ec2/natGateway:NatGateway", "dev-nat")
	cluster, group := urn("aws:eks/cluster:Cluster", "dev"), urn("aws:eks/nodeGroup:NodeGroup", "dev-gpu-group")
	create := []apitype.OpType{apitype.OpCreate}
	return []engine.Step{
		{URN: vpc, Type: "aws:ec2/vpc:Vpc", Ops: create},
		{URN: nat, Type: "aws:ec2/natGateway:NatGateway", Dependencies: []string{vpc}, Data: []string{vpc}, Ops: create},
		{URN: cluster, Type: "aws:eks/cluster:Cluster", Dependencies: []string{vpc, nat}, Data: []string{vpc}, Ops: create},
		{URN: group, Type: "aws:eks/nodeGroup:NodeGroup", Dependencies: []string{cluster}, Data: []string{cluster}, Ops: []apitype.OpType{nodes}},
	}
}

func TestEstimate(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	(&app{out: &out}).estimate(chainOf(apitype.OpCreate))
	const want = `
Ready in about 14 min on AWS, which is how long this chain takes:
  aws:ec2:Vpc dev                  22s
  aws:ec2:NatGateway dev-nat       2m0s
  aws:eks:Cluster dev              10m6s
  aws:eks:NodeGroup dev-gpu-group  2m0s
At least 12 min, if everything waited only for what its arguments are made of.
`
	if out.String() != want {
		t.Errorf("got %s", &out)
	}
}

func TestEstimateOfChanges(t *testing.T) {
	t.Parallel()
	same := []apitype.OpType{apitype.OpSame}
	for op, want := range map[apitype.OpType]time.Duration{
		apitype.OpSame: 0, apitype.OpUpdate: 6 * time.Minute, apitype.OpReplace: 7 * time.Minute, apitype.OpDelete: 0,
	} {
		steps := chainOf(op)
		for i := range steps[:3] {
			steps[i].Ops = same
		}
		plan := paced(steps)
		var got time.Duration
		for _, d := range durations(plan, []string{plan[3].URN}) {
			got += d.takes
		}
		if got != want {
			t.Errorf("%s takes %v, want %v", op, got, want)
		}
	}
	var out bytes.Buffer
	(&app{out: &out}).estimate(nil)
	if out.Len() > 0 {
		t.Errorf("nothing takes time: %s", &out)
	}
}
