package aws_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/gpuyard/gpuyard/sim/aws"
	"github.com/gpuyard/gpuyard/sim/internal/schema"
	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

// life is what one resource goes through beside the standard environment.
type life struct {
	token   string
	in      m // a resource that the cloud takes
	update  m // a change that leaves it standing; nil: there is none
	replace m // a change that makes it anew; nil: there is none
}

func lives() []life {
	return slices.Concat(networkLives(), identityLives(), clusterLives(), capacityLives(), storageLives(), serverlessLives())
}

// good returns arguments that the cloud takes for another resource of a type.
func good(token string) m {
	lives := lives()
	return lives[slices.IndexFunc(lives, func(l life) bool { return l.token == token })].in
}

var tagged = m{"tags": m{"team": "ml"}}

func networkLives() []life {
	return []life{
		{"aws:ec2/vpc:Vpc", m{"cidrBlock": "10.9.0.0/16"}, m{"enableDnsHostnames": true}, m{"cidrBlock": "10.10.0.0/16"}},
		{"aws:ec2/subnet:Subnet", m{"vpcId": "${vpc}", "cidrBlock": "10.0.9.0/24", "availabilityZone": "us-west-2c"}, m{"mapPublicIpOnLaunch": true}, m{"availabilityZone": "us-west-2b"}},
		{"aws:ec2/internetGateway:InternetGateway", m{"vpcId": "${other-vpc}"}, tagged, nil},
		{"aws:ec2/eip:Eip", m{"domain": "vpc"}, tagged, m{"networkBorderGroup": "us-west-2"}},
		{"aws:ec2/natGateway:NatGateway", m{"allocationId": "${spare-eip}", "subnetId": "${public-a}"}, tagged, m{"subnetId": "${private-b}"}},
		{"aws:ec2/routeTable:RouteTable", m{"vpcId": "${vpc}", "routes": []any{m{"cidrBlock": "0.0.0.0/0", "gatewayId": "${igw}"}}}, tagged, m{"vpcId": "${other-vpc}"}},
		{"aws:ec2/route:Route", m{"routeTableId": "${public-table}", "destinationCidrBlock": "10.8.0.0/16", "gatewayId": "${igw}"}, nil, m{"destinationCidrBlock": "10.7.0.0/16"}},
		{"aws:ec2/routeTableAssociation:RouteTableAssociation", m{"routeTableId": "${private-table}", "subnetId": "${spare}"}, m{"routeTableId": "${public-table}"}, m{"subnetId": "${private-b}"}},
		{"aws:ec2/vpcEndpoint:VpcEndpoint", m{"vpcId": "${vpc}", "serviceName": "com.amazonaws.us-west-2.sts", "vpcEndpointType": "Interface",
			"subnetIds": []any{"${private-a}", "${private-b}"}, "securityGroupIds": []any{"${group}"}, "privateDnsEnabled": true},
			m{"subnetIds": []any{"${private-a}"}}, m{"serviceName": "com.amazonaws.us-west-2.logs"}},
		{"aws:ec2/securityGroup:SecurityGroup", m{"vpcId": "${vpc}", "namePrefix": "fabric-", "ingress": []any{m{"protocol": "tcp", "fromPort": 22, "toPort": 22, "cidrBlocks": []any{"10.0.0.0/8"}}}},
			tagged, m{"description": "another"}},
		{"aws:ec2/defaultSecurityGroup:DefaultSecurityGroup", m{"vpcId": "${other-vpc}"}, tagged, m{"vpcId": "${vpc}"}},
		{"aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", m{"securityGroupId": "${group}", "referencedSecurityGroupId": "${group}", "ipProtocol": "-1"},
			m{"description": "fabric"}, m{"securityGroupId": "${peer}"}},
		{"aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule", m{"securityGroupId": "${group}", "cidrIpv4": "0.0.0.0/0", "ipProtocol": "tcp", "fromPort": 443, "toPort": 443},
			m{"toPort": 444}, m{"securityGroupId": "${peer}"}},
		{"aws:ec2/placementGroup:PlacementGroup", m{"strategy": "cluster"}, tagged, m{"strategy": "spread"}},
		{"aws:ec2/launchTemplate:LaunchTemplate", m{"namePrefix": "pool-", "userData": nodeConfig(), "networkInterfaces": efaInterfaces(4, "${group}")},
			m{"description": "second"}, m{"namePrefix": "pond-"}},
	}
}

func identityLives() []life {
	return []life{
		{"aws:iam/role:Role", m{"assumeRolePolicy": trust("ec2.amazonaws.com", assume)}, m{"description": "nodes"}, m{"path": "/nodes/"}},
		{"aws:iam/rolePolicy:RolePolicy", m{"role": "${bare-role}", "policy": allowAll}, m{"policy": strings.Replace(allowAll, "s3", "ec2", 1)}, m{"role": "${pods-role}"}},
		{"aws:iam/rolePolicyAttachment:RolePolicyAttachment", m{"role": "${bare-role}", "policyArn": managedARN + "AmazonEKSVPCResourceController"}, nil, m{"role": "${pods-role}"}},
		{"aws:iam/policy:Policy", m{"policy": allowAll}, m{"policy": strings.Replace(allowAll, "s3", "ec2", 1)}, m{"description": "another"}},
		{"aws:iam/openIdConnectProvider:OpenIdConnectProvider", m{"url": "https://issuer.example.com/id", "clientIdLists": []any{"sts.amazonaws.com"}}, m{"clientIdLists": []any{"one", "two"}}, m{"url": "https://other.example.com"}},
		{"aws:ssm/activation:Activation", m{"iamRole": "${hybrid-role}", "registrationLimit": 4}, tagged, m{"registrationLimit": 5}},
		{"aws:kms/key:Key", m{"description": "secrets", "enableKeyRotation": true, "deletionWindowInDays": 7}, m{"description": "more"}, m{"multiRegion": true}},
		{"aws:kms/alias:Alias", m{"name": "alias/another", "targetKeyId": "${key.arn}"}, m{"targetKeyId": "${key}"}, m{"name": "alias/third"}},
		{"aws:cloudwatch/logGroup:LogGroup", m{"retentionInDays": 7}, m{"retentionInDays": 14}, m{"logGroupClass": "INFREQUENT_ACCESS"}},
	}
}

func clusterLives() []life {
	return []life{
		{"aws:eks/cluster:Cluster", m{"name": "another", "version": "1.34", "roleArn": "${cluster-role.arn}", "vpcConfig": m{"subnetIds": []any{"${private-a}", "${private-b}"}}},
			m{"version": "1.35"}, m{"name": "third"}},
		{"aws:eks/nodeGroup:NodeGroup", m{"clusterName": "${cluster}", "nodeRoleArn": "${node-role.arn}", "subnetIds": []any{"${private-a}"}, "instanceTypes": []any{"p5.48xlarge"},
			"amiType": "AL2023_x86_64_NVIDIA", "launchTemplate": m{"id": "${efa-template}", "version": "1"}, "releaseVersion": "1.34.8-20261110", "scalingConfig": size(0, 1, 2)},
			m{"scalingConfig": size(0, 2, 2)}, m{"subnetIds": []any{"${public-a}"}}},
		{"aws:eks/addon:Addon", m{"clusterName": "${cluster}", "addonName": "kube-proxy"}, m{"addonVersion": "v1.34.2-eksbuild.1"}, m{"addonName": "eks-pod-identity-agent"}},
		{"aws:eks/accessEntry:AccessEntry", m{"clusterName": "${cluster}", "principalArn": "${bare-role.arn}"}, m{"kubernetesGroups": []any{"readers"}}, m{"type": "EC2_LINUX"}},
		{"aws:eks/accessPolicyAssociation:AccessPolicyAssociation", m{"clusterName": "${cluster}", "principalArn": "${pods-role.arn}",
			"policyArn": "arn:aws:eks::aws:cluster-access-policy/AmazonEKSEditPolicy", "accessScope": m{"type": "namespace", "namespaces": []any{"jobs"}}},
			nil, m{"accessScope": m{"type": "cluster"}}},
		{"aws:eks/podIdentityAssociation:PodIdentityAssociation", m{"clusterName": "${cluster}", "namespace": "jobs", "serviceAccount": "loader", "roleArn": "${pods-role.arn}"},
			tagged, m{"serviceAccount": "reader"}},
	}
}

func TestEveryResourceHasALife(t *testing.T) {
	t.Parallel()
	var want, got []string
	for _, r := range aws.Provider(aws.Account{}).Resources {
		want = append(want, r.Token)
	}
	for _, l := range lives() {
		got = append(got, l.token)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("lives are told of\n%v, the table has\n%v", got, want)
	}
}

func TestLives(t *testing.T) {
	t.Parallel()
	for _, l := range lives() {
		t.Run(l.token, func(t *testing.T) {
			t.Parallel()
			l.live(t, world(t))
		})
	}
}

// live takes a resource through its life: preview, creation, reading, update, replacement, deletion.
func (l life) live(t *testing.T, w *simtest.World) {
	before := len(w.Cloud.Resources())
	in := simtest.With(l.in, nil)
	if _, err := w.PreviewCreate("it", l.token, in); err != nil {
		t.Fatalf("preview: %v", err)
	}
	if n := len(w.Cloud.Resources()); n != before {
		t.Fatalf("the preview made %d resources", n-before)
	}
	made, err := w.Create("it", l.token, in)
	if err != nil {
		t.Fatalf("create: %v", err)
	}
	l.hasAllOutputs(t, made)
	l.readsBack(t, w, made)
	if same := w.Diff(made, made.Inputs); same.GetChanges() != pulumirpc.DiffResponse_DIFF_NONE {
		t.Errorf("the same arguments differ: %v", same)
	}
	if l.replace != nil {
		l.replaced(t, w, made, simtest.With(in, l.replace))
	}
	if l.update != nil {
		made = l.updated(t, w, made, simtest.With(in, l.update))
		l.readsBack(t, w, made)
	}
	if err := w.Delete(made); err != nil {
		t.Fatalf("delete: %v", err)
	}
	if now := w.Read(l.token, "it", made.ID); now.ID != "" {
		t.Errorf("it is still there after deletion: %v", now)
	}
	if err := w.Delete(made); err != nil {
		t.Errorf("deleting what is gone: %v", err)
	}
	if n := len(w.Cloud.Resources()); n != before {
		t.Errorf("%d resources are left over", n-before)
	}
}

func (l life) hasAllOutputs(t *testing.T, made simtest.Made) {
	t.Helper()
	if made.ID == "" {
		t.Fatal("it has no id")
	}
	for _, r := range aws.Provider(aws.Account{}).Resources {
		if r.Token != l.token {
			continue
		}
		for _, f := range schema.Of(r.State).Fields {
			if v, ok := made.Outputs[resource.PropertyKey(f.Name)]; f.Type.Kind != schema.Object && (!ok || v.IsNull()) {
				t.Errorf("output %s is missing", f.Name)
			}
		}
		for _, p := range schema.Of(r.State).Check(made.Outputs) {
			t.Errorf("output %s does not fit the SDK's type: %s", p.Path, p.Reason)
		}
	}
}

func (l life) readsBack(t *testing.T, w *simtest.World, made simtest.Made) {
	t.Helper()
	now := w.Read(l.token, made.Name, made.ID)
	if now.ID != made.ID || !now.Inputs.DeepEquals(made.Inputs) || !now.Outputs.DeepEquals(made.Outputs) {
		t.Errorf("reading gave\n%v, the engine has\n%v", now, made)
	}
}

func (l life) replaced(t *testing.T, w *simtest.World, made simtest.Made, in m) {
	t.Helper()
	news, err := w.Check(l.token, made.Name, made.Inputs, w.Props(in))
	if err != nil {
		t.Fatalf("the replacement's arguments: %v", err)
	}
	d := w.Diff(made, news)
	for name := range maps.Keys(l.replace) {
		if !slices.Contains(d.GetReplaces(), name) {
			t.Errorf("changing %s does not replace; the difference is %v", name, d)
		}
	}
}

func (l life) updated(t *testing.T, w *simtest.World, made simtest.Made, in m) simtest.Made {
	t.Helper()
	news, err := w.Check(l.token, made.Name, made.Inputs, w.Props(in))
	if err != nil {
		t.Fatalf("the update's arguments: %v", err)
	}
	d := w.Diff(made, news)
	if len(d.GetReplaces()) > 0 || d.GetChanges() != pulumirpc.DiffResponse_DIFF_SOME {
		t.Errorf("the update is a difference of %v", d)
	}
	if _, err := w.PreviewUpdate(made, in); err != nil {
		t.Fatalf("preview of the update: %v", err)
	}
	if now := w.Read(l.token, made.Name, made.ID); !now.Inputs.DeepEquals(made.Inputs) {
		t.Errorf("the preview changed it to %v", now.Inputs)
	}
	changed, err := w.Update(made, in)
	if err != nil {
		t.Fatalf("update: %v", err)
	}
	l.hasAllOutputs(t, changed)
	return changed
}
