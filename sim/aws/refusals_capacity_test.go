package aws_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

func writeReservations(t *testing.T, dir, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "reservations.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// trying makes a launch template called tried first.
func trying(in m) func(*testing.T, *simtest.World) {
	return func(_ *testing.T, w *simtest.World) {
		w.MustCreate("tried", "aws:ec2/launchTemplate:LaunchTemplate", in)
	}
}

func reservationRefusals() []refusal {
	const nodes, template = "aws:eks/nodeGroup:NodeGroup", "aws:ec2/launchTemplate:LaunchTemplate"
	// one is a node group with one desired node and up to two, on the template called tried.
	one := func(changes m) m {
		return merge(m{"launchTemplate": m{"id": "${tried}", "version": "1"}, "releaseVersion": nil}, changes)
	}
	onBlock := func(changes m) m {
		return merge(m{"launchTemplate": m{"id": "${tried}", "version": "1"}, "releaseVersion": nil, "instanceTypes": nil, "capacityType": "CAPACITY_BLOCK"}, changes)
	}
	emptyGroup := func(t *testing.T, w *simtest.World) {
		if err := w.Delete(w.Made["member"]); err != nil {
			t.Fatal(err)
		}
		trying(m{"capacityReservationSpecification": m{"capacityReservationTarget": m{"capacityReservationResourceGroupArn": "${reservations.arn}"}}})(t, w)
	}
	shared := func(t *testing.T, w *simtest.World) {
		trying(target(reserved))(t, w)
		w.MustCreate("first", nodes, merge(good(nodes), m{"launchTemplate": m{"id": "${tried}", "version": "1"}, "scalingConfig": size(0, 6, 8)}))
	}
	return []refusal{
		{token: template, rule: "reservation-target", in: target("cr-1234"), want: "InvalidCapacityReservationId.Malformed"},
		{token: template, rule: "reservation-target", in: m{"capacityReservationSpecification": m{"capacityReservationTarget": m{}}}, want: "names 0 targets"},
		{token: template, rule: "reservation-target", in: m{"capacityReservationSpecification": m{"capacityReservationPreference": "only"}}, want: "got \"only\", wanted one of"},
		{token: nodes, rule: "reservation-bought", prepare: trying(target("cr-0fedcba9876543210")), in: one(nil), want: `{"reservations": [{"id":"cr-0fedcba9876543210","instanceType":"p5.48xlarge","zone":"usw2-az2","count":2}]}`},
		{token: nodes, rule: "reservation-bought", prepare: emptyGroup, in: one(nil), want: "holds no capacity reservation"},
		{token: nodes, rule: "reservation-type", prepare: trying(target(otherType)), in: one(nil), want: otherType + " is for p4d.24xlarge, the node group has p5.48xlarge"},
		{token: nodes, rule: "reservation-type", prepare: trying(target(reserved)), in: one(m{"instanceTypes": []any{"p5.48xlarge", "p5en.48xlarge"}}), want: "the node group has p5.48xlarge, p5en.48xlarge"},
		{token: nodes, rule: "reservation-zone", prepare: trying(target(elsewhere)), in: one(nil), want: elsewhere + " is in the zone usw2-az3, the node group's subnets are in us-west-2a (usw2-az2)"},
		{token: nodes, rule: "reservation-zone", prepare: trying(target(reserved)), in: one(m{"subnetIds": []any{"${private-a}", "${private-b}"}}), want: "us-west-2a (usw2-az2), us-west-2b (usw2-az3)"},
		{token: nodes, rule: "reservation-count", prepare: trying(target(reserved)), in: one(m{"scalingConfig": size(0, 1, 9)}), want: "has 8 instances, the node group's maxSize is 9"},
		{token: nodes, rule: "reservation-count", prepare: shared, in: one(m{"scalingConfig": size(0, 3, 8)}), want: "has 8 instances, 6 of them in use by other node groups, and this one wants 3"},
		{token: nodes, rule: "reservation-market", prepare: trying(target(runningBlock)), in: one(nil), want: runningBlock + " is a Capacity Block; set capacityType to CAPACITY_BLOCK"},
		{token: nodes, rule: "reservation-market", prepare: trying(block(reserved)), in: onBlock(nil), want: reserved + " is an On-Demand Capacity Reservation; set capacityType to ON_DEMAND"},
		{token: nodes, rule: "reservation-market", prepare: trying(target(otherType)), in: one(m{"instanceTypes": []any{"p4d.24xlarge"}, "capacityType": "SPOT"}), want: "Spot Instances do not run in a reservation"},
		{token: nodes, rule: "reservation-time", prepare: trying(block(comingBlock)), in: onBlock(nil), want: comingBlock + " begins at 2027-02-01T11:30:00Z, and it is 2027-01-15T08:00:00Z; until then desiredSize has to be 0"},
		{token: nodes, rule: "reservation-time", prepare: trying(block(endedBlock)), in: onBlock(nil), want: endedBlock + " ended at 2027-01-14T11:30:00Z"},
		{token: nodes, rule: "reservation-placement", prepare: trying(merge(target(reserved), m{"placement": m{"groupName": "${placement}"}})), in: one(nil), want: "was not bought for the placement group ${placement}"},
		{token: nodes, rule: "capacity-block", prepare: trying(block(runningBlock)), in: onBlock(m{"subnetIds": []any{"${private-a}", "${private-b}"}}), want: "needs subnets of one zone"},
		{token: nodes, rule: "type-in-one-place", prepare: trying(block(runningBlock)), in: onBlock(m{"instanceTypes": []any{"p5.48xlarge"}}), want: "Instance Types is set in both"},
		{token: nodes, rule: "block-upgrade", update: "running", prepare: func(t *testing.T, w *simtest.World) {
			if _, err := w.Update(w.Made["running-template"], merge(block(runningBlock), m{"description": "second"})); err != nil {
				t.Fatal(err)
			}
		}, in: m{"launchTemplate": m{"id": "${running-template}", "version": "2"}}, want: "cannot be rolled over from launchTemplate.version 1 to 2 while 4 are desired"},
		{token: nodes, rule: "group-active", update: "nodes", prepare: func(t *testing.T, w *simtest.World) {
			if err := w.Cloud.Change(nodes, w.Made["nodes"].ID, m{"status": "CREATE_FAILED"}); err != nil {
				t.Fatal(err)
			}
		}, in: m{"labels": m{"a": "b"}}, want: "Nodegroup cannot be updated as it is currently not in Active State"},
		{token: nodes, rule: "quota", crowd: crowd{"named", 25}, want: "has 30 of at most 30 node groups"},
		{token: nodes, rule: "node-quota", in: m{"scalingConfig": size(0, 1, 451)}, want: "exceeds the 450 nodes"},
		{token: nodes, rule: "vcpu-quota", in: m{"scalingConfig": size(0, 103, 103)}, want: "VcpuLimitExceeded"},
	}
}

func scheduleRefusals() []refusal {
	const action = "aws:autoscaling/schedule:Schedule"
	return []refusal{
		{token: action, rule: "shape-of-start-time", in: m{"startTime": "2027-02-01T12:30:00+01:00"}, want: "has the form 2026-12-01T11:30:00Z"},
		{token: action, rule: "shape-of-end-time", in: m{"endTime": "tomorrow"}, want: "endTime: got"},
		{token: action, rule: "action-recurs", in: m{"recurrence": "0 7 ? * MON-FRI *"}, want: "cron has the five fields"},
		{token: action, rule: "action-recurs", in: m{"recurrence": "0 24 * * *"}, want: `recurrence: got "0 24 * * *": the hour is "24"`},
		{token: action, rule: "timezone-known", in: m{"recurrence": "0 7 * * MON-FRI", "timeZone": "Europe/Berlim"}, want: `timeZone: "Europe/Berlim" is no canonical name of a time zone: did you mean Europe/Berlin`},
		{token: action, rule: "action-when", in: m{"startTime": nil}, want: "give startTime, recurrence or both"},
		{token: action, rule: "action-when", in: m{"endTime": "2027-02-01T11:30:00Z"}, want: "is not after the start"},
		{token: action, rule: "action-sizes", in: m{"desiredCapacity": -1}, want: "the action sets no size"},
		{token: action, rule: "action-sizes", in: m{"desiredCapacity": -2}, want: "got -2"},
		{token: action, rule: "action-sizes", in: m{"minSize": 2}, want: "minSize: 2 is more than desiredCapacity, 0"},
		{token: action, rule: "action-ahead", in: m{"startTime": "2027-01-15T07:59:59Z"}, want: "Given start time 2027-01-15T07:59:59Z is in the past; it is 2027-01-15T08:00:00Z"},
		{token: action, rule: "action-alone", in: m{"startTime": "2027-02-01T11:30:00Z"}, want: "The action start is scheduled at 2027-02-01T11:30:00Z already"},
		{token: action, rule: "action-fits", in: m{"desiredCapacity": 9, "startTime": "2027-02-02T00:00:00Z"}, want: "New SetDesiredCapacity value 9 is outside the sizes of the group, 0 to 8"},
		{token: action, rule: "action-in-block", in: m{"desiredCapacity": 8, "startTime": "2027-02-01T11:00:00Z"}, want: comingBlock + " runs from 2027-02-01T11:30:00Z to 2027-02-15T11:30:00Z"},
		{token: action, rule: "action-quota", crowd: crowd{"start", 124}, want: "has 125 of at most 125 scheduled actions"},
		{token: action, in: m{"scheduledActionName": "start"}, want: "AlreadyExists"},
	}
}

func poolRefusals() []refusal {
	const group, member = "aws:resourcegroups/group:Group", "aws:resourcegroups/resource:Resource"
	return []refusal{
		{token: group, rule: "shape-of-name", in: m{"name": "aws-pool"}, want: "does not begin with AWS"},
		{token: group, rule: "one-membership", in: m{"resourceQuery": m{"query": "{}"}}, want: "give exactly one of resourceQuery, configurations"},
		{token: group, rule: "legal-configurations-type", in: m{"configurations": []any{m{"type": "AWS::EC2::ReservationPool"}}}, want: "configurations[0].type: got"},
		{token: group, rule: "reservations-allowed", in: m{"configurations": pool()[:1]}, want: "needs AWS::ResourceGroups::Generic beside it"},
		{token: group, rule: "quota", crowd: crowd{"reservations", 98}, want: "LimitExceededException"},
		{token: member, rule: "shape-of-resource-arn", in: m{"resourceArn": reserved}, want: "is the ARN of a capacity reservation"},
		{token: member, rule: "member-bought", in: m{"resourceArn": reservationARN("cr-0fedcba9876543210")}, want: "{\"reservations\": [{\"id\":\"cr-0fedcba9876543210\""},
		{token: member, rule: "member-bought", in: m{"resourceArn": reservationARN(inVirginiaToo)}, want: "is in use1-az6, a zone of us-east-1"},
		{token: member, rule: "member-bought", in: m{"resourceArn": "arn:aws:ec2:us-west-2:999999999999:capacity-reservation/" + reserved}, want: "is of the account 999999999999"},
		{token: member, rule: "member-taken", in: m{"groupArn": "${query.arn}"}, want: "takes no capacity reservations"},
		{token: member, in: m{"resourceArn": reservationARN(pooled)}, want: "AlreadyExists"},
	}
}

func flowRefusals() []refusal {
	const flow, endpoint, cluster = "aws:ec2/flowLog:FlowLog", "aws:ec2/vpcEndpoint:VpcEndpoint", "aws:eks/cluster:Cluster"
	var many []any
	for i := range 16 {
		many = append(many, "192.168."+string(rune('0'+i%10))+".0/24")
	}
	remote := func(changes m) m {
		return m{"remoteNetworkConfig": changes, "accessConfig": m{"authenticationMode": "API"}}
	}
	return []refusal{
		{token: flow, rule: "one-source", in: m{"subnetId": "${other-a}"}, want: "give exactly one of vpcId"},
		{token: flow, rule: "legal-traffic-type", in: m{"trafficType": "SOME"}, want: "wanted one of"},
		{token: flow, rule: "legal-log-destination-type", in: m{"logDestinationType": "cloudwatch-logs"}, want: "wanted one of cloud-watch-logs"},
		{token: flow, rule: "flow-parts", in: m{"logDestinationType": "s3"}, want: "no destination for flow logs but log groups"},
		{token: flow, rule: "flow-parts", in: m{"trafficType": nil}, want: "trafficType: missing"},
		{token: flow, rule: "flow-parts", in: m{"logGroupName": "${flow-group}"}, want: "names 2 destinations"},
		{token: flow, rule: "flow-parts", in: m{"iamRoleArn": nil}, want: "DeliverLogsPermissionArn is required"},
		{token: flow, rule: "flow-interval", in: m{"maxAggregationInterval": 300}, want: "wanted 60 or 600"},
		{token: flow, rule: "flow-role", in: m{"iamRoleArn": "${bare-role.arn}"}, want: "does not let vpc-flow-logs.amazonaws.com assume it"},
		{token: flow, rule: "flow-role", in: m{"iamRoleArn": "${mute-role.arn}"}, want: "no policy of the role ${mute-role} allows logs:CreateLogStream"},
		{token: flow, rule: "flow-once", in: m{"vpcId": "${vpc}"}, want: "FlowLogAlreadyExists"},
		{token: flow, rule: "flow-quota", in: m{"vpcId": "${vpc}", "trafficType": "REJECT"}, crowd: crowd{"flow", 1}, want: "${vpc} has 2 of at most 2 flow logs"},
		{token: endpoint, rule: "quota", crowd: crowd{"ecr", 49}, want: "There are 50 of at most 50 endpoints of that type"},
		{token: cluster, rule: "remote-networks", in: remote(m{"remoteNodeNetworks": m{}, "remotePodNetworks": m{"cidrs": []any{"192.168.0.0/24"}}}), want: "remote pods run on remote nodes"},
		{token: cluster, rule: "remote-networks", in: remote(m{"remoteNodeNetworks": m{"cidrs": many}}), want: "got 16 networks, at most 15"},
		{token: cluster, rule: "remote-networks", in: merge(remote(m{"remoteNodeNetworks": m{"cidrs": []any{"192.168.0.0/24"}}}), m{"accessConfig": nil}), want: "must be API or API_AND_CONFIG_MAP"},
	}
}
