package engine

import (
	"reflect"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
)

func TestReadPlan(t *testing.T) {
	t.Parallel()
	steps, err := readPlan([]byte(`{"resourcePlans": {
		"` + vpcURN + `": {"steps": ["same"]},
		"` + subnetURN + `": {"steps": ["create"], "goal": {"type": "aws:ec2/subnet:Subnet", "name": "dev-a", "parent": "P", "provider": "Q",
			"dependencies": ["` + vpcURN + `", "other"], "propertyDependencies": {"vpcId": ["` + vpcURN + `"], "tags": []}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []Step{
		{URN: subnetURN, Type: "aws:ec2/subnet:Subnet", Parent: "P", Provider: "Q", Dependencies: []string{vpcURN, "other"}, Data: []string{vpcURN}, Ops: []apitype.OpType{"create"}},
		{URN: vpcURN, Type: "aws:ec2/vpc:Vpc", Ops: []apitype.OpType{"same"}},
	}
	if !reflect.DeepEqual(steps, want) {
		t.Errorf("got %+v", steps)
	}
	if _, err := readPlan([]byte("{")); err == nil {
		t.Error("half a plan is read")
	}
}
