package aws_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gpuyard/gpuyard/sim"
	"github.com/gpuyard/gpuyard/sim/internal/engine"
	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

// The reservations of the account that tests run in.
const (
	reserved      = "cr-00000000000000001" // 8 p5.48xlarge in usw2-az2, that is us-west-2a
	pooled        = "cr-00000000000000002" // 4 p5.48xlarge in usw2-az2
	elsewhere     = "cr-00000000000000003" // 4 p5.48xlarge in usw2-az3
	otherType     = "cr-00000000000000004" // 4 p4d.24xlarge in usw2-az2
	runningBlock  = "cr-00000000000000005" // 16 p5.48xlarge in usw2-az2, a Capacity Block that runs
	comingBlock   = "cr-00000000000000006" // one that begins on the first of February
	endedBlock    = "cr-00000000000000007" // one that is over
	inVirginiaToo = "cr-00000000000000008" // 4 p5.48xlarge in use1-az6
)

func day(month time.Month, d int) time.Time { return time.Date(2027, month, d, 11, 30, 0, 0, time.UTC) }

// bought gives a world its reservations.
func bought(opts *sim.Options) {
	block := sim.Reservation{InstanceType: "p5.48xlarge", Zone: "usw2-az2", Count: 8, Kind: "capacity-block"}
	large := block
	large.Count = 16
	of := func(r sim.Reservation, id string, start, end time.Time) sim.Reservation {
		r.ID, r.Start, r.End = id, start, end
		return r
	}
	opts.Reservations = []sim.Reservation{
		{ID: reserved, InstanceType: "p5.48xlarge", Zone: "usw2-az2", Count: 8},
		{ID: pooled, InstanceType: "p5.48xlarge", Zone: "usw2-az2", Count: 4, Kind: "default"},
		{ID: elsewhere, InstanceType: "p5.48xlarge", Zone: "usw2-az3", Count: 4},
		{ID: otherType, InstanceType: "p4d.24xlarge", Zone: "usw2-az2", Count: 4},
		of(large, runningBlock, day(1, 10), day(1, 24)),
		of(block, comingBlock, day(2, 1), day(2, 15)),
		of(block, endedBlock, day(1, 1), day(1, 14)),
		{ID: inVirginiaToo, InstanceType: "p5.48xlarge", Zone: "use1-az6", Count: 4},
	}
}

func reservationARN(id string) string {
	return "arn:aws:ec2:us-west-2:111122223333:capacity-reservation/" + id
}

// pool is the configuration of a resource group of reservations.
func pool() []any {
	return []any{
		m{"type": "AWS::EC2::CapacityReservationPool"},
		m{"type": "AWS::ResourceGroups::Generic", "parameters": []any{m{"name": "allowed-resource-types", "values": []any{"AWS::EC2::CapacityReservation"}}}},
	}
}

// target is what a template says to use one reservation.
func target(id string) m {
	return m{"capacityReservationSpecification": m{"capacityReservationTarget": m{"capacityReservationId": id}}}
}

// block is the template of a node group on a Capacity Block.
func block(id string) m {
	return merge(target(id), m{"instanceType": "p5.48xlarge", "instanceMarketOptions": m{"marketType": "capacity-block"}})
}

// blockGroup are the arguments of a node group on a Capacity Block, with a template.
func blockGroup(template string) m {
	return m{"clusterName": "${cluster}", "nodeRoleArn": "${node-role.arn}", "subnetIds": []any{"${private-a}"}, "amiType": "AL2023_x86_64_NVIDIA",
		"taints":       []any{m{"key": "nvidia.com/gpu", "effect": "NO_SCHEDULE"}},
		"capacityType": "CAPACITY_BLOCK", "launchTemplate": m{"id": template, "version": "1"}, "scalingConfig": size(0, 0, 8)}
}

const blockScalingGroup = "${block.resources[*].autoscalingGroups[*].name}"

func standardCapacity() []one {
	return []one{
		{"reservations", "aws:resourcegroups/group:Group", m{"configurations": pool()}},
		{"query", "aws:resourcegroups/group:Group", m{"resourceQuery": m{"query": "{}"}}},
		{"member", "aws:resourcegroups/resource:Resource", m{"groupArn": "${reservations.arn}", "resourceArn": reservationARN(pooled)}},
		{"block-template", "aws:ec2/launchTemplate:LaunchTemplate", block(comingBlock)},
		{"block", "aws:eks/nodeGroup:NodeGroup", blockGroup("${block-template}")},
		{"running-template", "aws:ec2/launchTemplate:LaunchTemplate", block(runningBlock)},
		{"running", "aws:eks/nodeGroup:NodeGroup", merge(blockGroup("${running-template}"), m{"scalingConfig": size(0, 4, 8)})},
		{"start", "aws:autoscaling/schedule:Schedule", m{"autoscalingGroupName": blockScalingGroup, "scheduledActionName": "start",
			"startTime": "2027-02-01T11:30:00Z", "minSize": -1, "maxSize": -1, "desiredCapacity": 8}},
		{"weekdays", "aws:autoscaling/schedule:Schedule", m{"autoscalingGroupName": "${running.resources[*].autoscalingGroups[*].name}", "scheduledActionName": "weekdays",
			"recurrence": "0 7 * * MON-FRI", "timeZone": "Europe/Berlin", "minSize": -1, "maxSize": -1, "desiredCapacity": 4}},
	}
}

func standardLogs() []one {
	const write = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":["logs:CreateLogStream","logs:PutLogEvents"],"Resource":"*"}]}`
	return []one{
		{"flow-group", "aws:cloudwatch/logGroup:LogGroup", m{}},
		{"flow-role", "aws:iam/role:Role", m{"assumeRolePolicy": trust("vpc-flow-logs.amazonaws.com", assume)}},
		{"flow-policy", "aws:iam/rolePolicy:RolePolicy", m{"role": "${flow-role}", "policy": write}},
		{"mute-role", "aws:iam/role:Role", m{"assumeRolePolicy": trust("vpc-flow-logs.amazonaws.com", assume)}},
		{"flow", "aws:ec2/flowLog:FlowLog", m{"vpcId": "${vpc}", "trafficType": "ALL", "iamRoleArn": "${flow-role.arn}", "logDestination": "${flow-group.arn}"}},
	}
}

func capacityLives() []life {
	return []life{
		{"aws:resourcegroups/group:Group", m{"configurations": pool(), "description": "first"}, m{"description": "second"}, m{"name": "another"}},
		{"aws:resourcegroups/resource:Resource", m{"groupArn": "${reservations.arn}", "resourceArn": reservationARN(reserved)}, nil, m{"resourceArn": reservationARN(elsewhere)}},
		{"aws:autoscaling/schedule:Schedule", m{"autoscalingGroupName": blockScalingGroup, "scheduledActionName": "end", "startTime": "2027-02-15T10:45:00Z",
			"minSize": -1, "maxSize": -1, "desiredCapacity": 0}, m{"startTime": "2027-02-15T10:00:00Z"}, m{"scheduledActionName": "stop"}},
		{"aws:ec2/flowLog:FlowLog", m{"vpcId": "${other-vpc}", "trafficType": "ALL", "iamRoleArn": "${flow-role.arn}", "logDestination": "${flow-group.arn}",
			"logDestinationType": "cloud-watch-logs", "maxAggregationInterval": 600}, tagged, m{"trafficType": "REJECT"}},
	}
}

func TestReservedNodesAreAccepted(t *testing.T) {
	t.Parallel()
	plain := m{"clusterName": "${cluster}", "nodeRoleArn": "${node-role.arn}", "subnetIds": []any{"${private-a}"}, "amiType": "AL2023_x86_64_NVIDIA",
		"instanceTypes": []any{"p5.48xlarge"}, "capacityType": "ON_DEMAND", "launchTemplate": m{"id": "${tried}", "version": "1"}}
	byGroup := m{"capacityReservationSpecification": m{"capacityReservationTarget": m{"capacityReservationResourceGroupArn": "${reservations.arn}"}}}
	for name, c := range map[string]struct{ template, in m }{
		"an id":                       {target(reserved), merge(plain, m{"scalingConfig": size(0, 8, 8)})},
		"a group":                     {byGroup, merge(plain, m{"scalingConfig": size(0, 4, 4)})},
		"a block that runs":           {block(runningBlock), merge(blockGroup("${tried}"), m{"scalingConfig": size(0, 8, 8)})},
		"a block that is to come":     {block(comingBlock), blockGroup("${tried}")},
		"a block that is over, empty": {block(endedBlock), blockGroup("${tried}")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := world(t)
			w.MustCreate("tried", "aws:ec2/launchTemplate:LaunchTemplate", c.template)
			w.MustCreate("it", "aws:eks/nodeGroup:NodeGroup", c.in)
		})
	}
}

// TestAMissingReservationSaysWhatToWrite follows the advice of the refusal: what it says to write down makes the next
// attempt succeed.
func TestAMissingReservationSaysWhatToWrite(t *testing.T) {
	t.Parallel()
	const id = "cr-0fedcba9876543210"
	attempt := func(options ...simtest.Option) error {
		w := simtest.Load(t, state(t), options...)
		w.MustCreate("tried", "aws:ec2/launchTemplate:LaunchTemplate", block(id))
		_, err := w.Create("it", "aws:eks/nodeGroup:NodeGroup", merge(blockGroup("${tried}"), m{"scalingConfig": size(0, 16, 16)}))
		return err
	}
	var dir string
	err := attempt(func(o *sim.Options) { dir = o.Dir })
	if err == nil {
		t.Fatal("it was accepted")
	}
	want := fmt.Sprintf(`InvalidCapacityReservationId.NotFound: The capacity reservation '%s' does not exist in this account. Reservations are bought outside any program: `+
		`write, or add to the list in, %s/reservations.json: `, id, dir)
	_, advice, found := strings.Cut(err.Error(), want)
	if !found {
		t.Fatalf("the error does not contain\n%s\nit is\n%v", want, err)
	}
	if err := attempt(func(o *sim.Options) { writeReservations(t, o.Dir, advice) }); err != nil {
		t.Errorf("after following the advice %s: %v", advice, err)
	}
}

func TestActionsAreForgottenOnceDone(t *testing.T) {
	t.Parallel()
	later := func(o *sim.Options) { o.Now = func() time.Time { return day(2, 2) } }
	made := world(t).Made["start"]
	if now := simtest.Load(t, state(t), bought).Read(made.Token, "start", made.ID); now.ID != made.ID {
		t.Errorf("before its time the action is gone: %q", now.ID)
	}
	if now := simtest.Load(t, state(t), bought, later).Read(made.Token, "start", made.ID); now.ID != "" {
		t.Errorf("after its time the action is still there: %q", now.ID)
	}
}

func TestCapacityBlocksDoNotCountAsVCPUs(t *testing.T) {
	t.Parallel()
	w := simtest.Load(t, state(t), bought, func(o *sim.Options) { o.Quotas = map[string]int{"p-vcpus": 2 * 192} })
	w.MustCreate("tried", "aws:ec2/launchTemplate:LaunchTemplate", block(runningBlock))
	w.MustCreate("it", "aws:eks/nodeGroup:NodeGroup", merge(blockGroup("${tried}"), m{"scalingConfig": size(0, 8, 8)}))
	_, err := w.Create("more", "aws:eks/nodeGroup:NodeGroup", good("aws:eks/nodeGroup:NodeGroup"))
	if want := `VcpuLimitExceeded - You have requested more vCPU capacity than your current limit of 384: the group wants 192 vCPUs, 384 run already. ` +
		`The quota is "Running On-Demand P instances" (L-417A185B)`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestCapacityOutputsLookLikeAWS(t *testing.T) {
	t.Parallel()
	w := world(t)
	for reference, want := range map[string]string{
		"${member.resourceType}": "AWS::EC2::CapacityReservation",
		"${reservations.arn}":    "arn:aws:resource-groups:us-west-2:111122223333:group/" + w.Expand("${reservations}"),
		"${member}":              w.Expand("${reservations}") + "_" + pooled,
		"${start}":               w.Expand(blockScalingGroup) + "/start",
		"${flow.logGroupName}":   w.Expand("${flow-group}"),
	} {
		if got := w.Expand(reference); got != want {
			t.Errorf("%s is %q, want %q", reference, got, want)
		}
	}
	if n, _ := engine.Props(w.Made["start"].Outputs).Int("maxSize"); n != -1 {
		t.Errorf("an action that leaves the maximum has maxSize %d", n)
	}
}
