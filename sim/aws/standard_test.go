package aws_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

type m = simtest.M

// one is something that the standard environment has.
type one struct {
	name, token string
	in          m
}

const (
	assume     = "sts:AssumeRole"
	managedARN = "arn:aws:iam::aws:policy/"
	allowAll   = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}`
)

func trust(service string, actions ...string) string {
	return `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"` + service + `"},"Action":["` + strings.Join(actions, `","`) + `"]}]}`
}

// nodeConfig is user data that EKS can merge.
func nodeConfig() string {
	return base64.StdEncoding.EncodeToString([]byte("MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"//\"\r\n\r\n" +
		"--//\r\nContent-Type: application/node.eks.aws\r\n\r\napiVersion: node.eks.aws/v1alpha1\r\nkind: NodeConfig\r\n--//--\r\n"))
}

// efaInterfaces is the layout for a type with EFA on all of its cards.
func efaInterfaces(cards int, groups ...any) []any {
	all := []any{
		m{"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "interface", "securityGroups": groups},
		m{"networkCardIndex": 0, "deviceIndex": 1, "interfaceType": "efa-only", "securityGroups": groups},
	}
	for card := 1; card < cards; card++ {
		all = append(all, m{"networkCardIndex": card, "deviceIndex": 0, "interfaceType": "efa-only", "securityGroups": groups})
	}
	return all
}

func size(low, desired, high int) m {
	return m{"minSize": low, "desiredSize": desired, "maxSize": high}
}

// standard is an environment with at least one of everything, in an order in which it can be made.
func standard() []one {
	return slices.Concat(standardNetwork(), standardIdentity(), standardCluster(), standardCapacity(), standardLogs(), standardStorage(), standardServerless())
}

// standardInputs returns the arguments of a resource of the standard environment.
func standardInputs(name string) m {
	all := standard()
	return all[slices.IndexFunc(all, func(o one) bool { return o.name == name })].in
}

func standardNetwork() []one {
	return []one{
		{"vpc", "aws:ec2/vpc:Vpc", m{"cidrBlock": "10.0.0.0/16", "enableDnsHostnames": true}},
		{"other-vpc", "aws:ec2/vpc:Vpc", m{"cidrBlock": "10.1.0.0/16"}},
		{"igw", "aws:ec2/internetGateway:InternetGateway", m{"vpcId": "${vpc}"}},
		{"public-a", "aws:ec2/subnet:Subnet", m{"vpcId": "${vpc}", "cidrBlock": "10.0.0.0/24", "availabilityZone": "us-west-2a"}},
		{"private-a", "aws:ec2/subnet:Subnet", m{"vpcId": "${vpc}", "cidrBlock": "10.0.1.0/24", "availabilityZone": "us-west-2a"}},
		{"private-b", "aws:ec2/subnet:Subnet", m{"vpcId": "${vpc}", "cidrBlock": "10.0.2.0/24", "availabilityZoneId": "usw2-az3"}},
		{"private-d", "aws:ec2/subnet:Subnet", m{"vpcId": "${vpc}", "cidrBlock": "10.0.3.0/24", "availabilityZoneId": "usw2-az1"}},
		{"spare", "aws:ec2/subnet:Subnet", m{"vpcId": "${vpc}", "cidrBlock": "10.0.4.0/24", "availabilityZone": "us-west-2b"}},
		{"other-a", "aws:ec2/subnet:Subnet", m{"vpcId": "${other-vpc}", "cidrBlock": "10.1.0.0/24", "availabilityZone": "us-west-2a"}},
		{"other-b", "aws:ec2/subnet:Subnet", m{"vpcId": "${other-vpc}", "cidrBlock": "10.1.1.0/24", "availabilityZone": "us-west-2b"}},
		{"public-table", "aws:ec2/routeTable:RouteTable", m{"vpcId": "${vpc}"}},
		{"private-table", "aws:ec2/routeTable:RouteTable", m{"vpcId": "${vpc}"}},
		{"other-table", "aws:ec2/routeTable:RouteTable", m{"vpcId": "${other-vpc}"}},
		{"public-association", "aws:ec2/routeTableAssociation:RouteTableAssociation", m{"routeTableId": "${public-table}", "subnetId": "${public-a}"}},
		{"private-association", "aws:ec2/routeTableAssociation:RouteTableAssociation", m{"routeTableId": "${private-table}", "subnetId": "${private-a}"}},
		{"private-association-b", "aws:ec2/routeTableAssociation:RouteTableAssociation", m{"routeTableId": "${private-table}", "subnetId": "${private-b}"}},
		{"private-association-d", "aws:ec2/routeTableAssociation:RouteTableAssociation", m{"routeTableId": "${private-table}", "subnetId": "${private-d}"}},
		{"public-route", "aws:ec2/route:Route", m{"routeTableId": "${public-table}", "destinationCidrBlock": "0.0.0.0/0", "gatewayId": "${igw}"}},
		{"eip", "aws:ec2/eip:Eip", m{"domain": "vpc"}},
		{"spare-eip", "aws:ec2/eip:Eip", m{"domain": "vpc"}},
		{"nat", "aws:ec2/natGateway:NatGateway", m{"allocationId": "${eip}", "subnetId": "${public-a}"}},
		{"private-route", "aws:ec2/route:Route", m{"routeTableId": "${private-table}", "destinationCidrBlock": "0.0.0.0/0", "natGatewayId": "${nat}"}},
		{"group", "aws:ec2/securityGroup:SecurityGroup", m{"vpcId": "${vpc}"}},
		{"peer", "aws:ec2/securityGroup:SecurityGroup", m{"vpcId": "${vpc}"}},
		{"inline", "aws:ec2/securityGroup:SecurityGroup", m{"vpcId": "${vpc}", "name": "inline",
			"ingress": []any{m{"protocol": "tcp", "fromPort": 22, "toPort": 22, "securityGroups": []any{"${peer}"}}},
			"egress":  []any{m{"protocol": "-1", "fromPort": 0, "toPort": 0, "securityGroups": []any{"${peer}"}}}}},
		{"other-group", "aws:ec2/securityGroup:SecurityGroup", m{"vpcId": "${other-vpc}"}},
		{"default-group", "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup", m{"vpcId": "${vpc}",
			"ingress": []any{m{"protocol": "tcp", "fromPort": 443, "toPort": 443, "securityGroups": []any{"${peer}"}}},
			"egress":  []any{m{"protocol": "tcp", "fromPort": 443, "toPort": 443, "securityGroups": []any{"${peer}"}}}}},
		{"ingress", "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", m{"securityGroupId": "${group}", "referencedSecurityGroupId": "${peer}", "ipProtocol": "-1"}},
		{"egress", "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule", m{"securityGroupId": "${group}", "referencedSecurityGroupId": "${peer}", "ipProtocol": "-1"}},
		{"s3", "aws:ec2/vpcEndpoint:VpcEndpoint", m{"vpcId": "${vpc}", "serviceName": "com.amazonaws.us-west-2.s3", "routeTableIds": []any{"${private-table}"}}},
		{"ecr", "aws:ec2/vpcEndpoint:VpcEndpoint", m{"vpcId": "${vpc}", "serviceName": "com.amazonaws.us-west-2.ecr.api", "vpcEndpointType": "Interface",
			"subnetIds": []any{"${private-a}"}, "securityGroupIds": []any{"${group}"}, "privateDnsEnabled": true}},
		{"placement", "aws:ec2/placementGroup:PlacementGroup", m{"strategy": "cluster"}},
	}
}

func standardIdentity() []one {
	return []one{
		{"policy", "aws:iam/policy:Policy", m{"policy": allowAll}},
		{"cluster-role", "aws:iam/role:Role", m{"assumeRolePolicy": trust("eks.amazonaws.com", assume)}},
		{"cluster-attachment", "aws:iam/rolePolicyAttachment:RolePolicyAttachment", m{"role": "${cluster-role}", "policyArn": managedARN + "AmazonEKSClusterPolicy"}},
		{"node-role", "aws:iam/role:Role", m{"assumeRolePolicy": trust("ec2.amazonaws.com", assume), "permissionsBoundary": "${policy.arn}"}},
		{"node-attachment", "aws:iam/rolePolicyAttachment:RolePolicyAttachment", m{"role": "${node-role}", "policyArn": managedARN + "AmazonEKSWorkerNodePolicy"}},
		{"pull-attachment", "aws:iam/rolePolicyAttachment:RolePolicyAttachment", m{"role": "${node-role}", "policyArn": managedARN + "AmazonEC2ContainerRegistryPullOnly"}},
		{"cni-attachment", "aws:iam/rolePolicyAttachment:RolePolicyAttachment", m{"role": "${node-role}", "policyArn": managedARN + "AmazonEKS_CNI_Policy"}},
		{"bare-role", "aws:iam/role:Role", m{"assumeRolePolicy": trust("eks.amazonaws.com", assume)}},
		{"bare-node-role", "aws:iam/role:Role", m{"assumeRolePolicy": trust("ec2.amazonaws.com", assume)}},
		{"hybrid-role", "aws:iam/role:Role", m{"assumeRolePolicy": trust("ssm.amazonaws.com", assume)}},
		{"activation", "aws:ssm/activation:Activation", m{"iamRole": "${hybrid-role}", "name": "10.200.0.11"}},
		{"pods-role", "aws:iam/role:Role", m{"assumeRolePolicy": trust("pods.eks.amazonaws.com", assume, "sts:TagSession")}},
		{"policy-attachment", "aws:iam/rolePolicyAttachment:RolePolicyAttachment", m{"role": "${pods-role}", "policyArn": "${policy.arn}"}},
		{"role-policy", "aws:iam/rolePolicy:RolePolicy", m{"role": "${pods-role}", "policy": allowAll}},
		{"key", "aws:kms/key:Key", m{}},
		{"alias", "aws:kms/alias:Alias", m{"name": "alias/standard", "targetKeyId": "${key}"}},
		{"logs", "aws:cloudwatch/logGroup:LogGroup", m{"name": "/aws/eks/standard/cluster", "retentionInDays": 30}},
	}
}

func standardCluster() []one {
	return []one{
		{"cluster", "aws:eks/cluster:Cluster", m{"name": "standard", "version": "1.34", "roleArn": "${cluster-role.arn}",
			"accessConfig": m{"authenticationMode": "API"}, "bootstrapSelfManagedAddons": false, "enabledClusterLogTypes": []any{"api"},
			"encryptionConfig": m{"provider": m{"keyArn": "${key.arn}"}, "resources": []any{"secrets"}},
			"vpcConfig":        m{"subnetIds": []any{"${private-a}", "${private-b}"}, "securityGroupIds": []any{"${group}"}}}},
		{"map-cluster", "aws:eks/cluster:Cluster", m{"name": "map", "version": "1.34", "roleArn": "${cluster-role.arn}",
			"vpcConfig": m{"subnetIds": []any{"${private-a}", "${private-b}"}}}},
		{"issuer", "aws:iam/openIdConnectProvider:OpenIdConnectProvider", m{"url": "${cluster.identities[*].oidcs[*].issuer}", "clientIdLists": []any{"sts.amazonaws.com"}}},
		{"cni", "aws:eks/addon:Addon", m{"clusterName": "${cluster}", "addonName": "vpc-cni"}},
		{"template", "aws:ec2/launchTemplate:LaunchTemplate", m{"name": "standard", "userData": nodeConfig(), "vpcSecurityGroupIds": []any{"${group}"}}},
		{"efa-template", "aws:ec2/launchTemplate:LaunchTemplate", m{"placement": m{"groupName": "${placement}"},
			"networkInterfaces": efaInterfaces(32, "${group}")}},
		{"nodes", "aws:eks/nodeGroup:NodeGroup", m{"clusterName": "${cluster}", "nodeRoleArn": "${node-role.arn}", "subnetIds": []any{"${private-a}", "${private-b}"},
			"instanceTypes": []any{"m7i.xlarge"}, "launchTemplate": m{"id": "${template}", "version": "1"}, "scalingConfig": size(2, 2, 4)}},
		{"named", "aws:eks/nodeGroup:NodeGroup", m{"clusterName": "${cluster}", "nodeRoleArn": "${node-role.arn}", "subnetIds": []any{"${private-a}"},
			"instanceTypes": []any{"m7i.xlarge"}, "launchTemplate": m{"name": "standard", "version": "$Latest"}, "scalingConfig": size(0, 0, 4)}},
		{"efa", "aws:eks/nodeGroup:NodeGroup", m{"clusterName": "${cluster}", "nodeRoleArn": "${node-role.arn}", "subnetIds": []any{"${private-a}"},
			"amiType": "AL2023_x86_64_NVIDIA", "instanceTypes": []any{"p5.48xlarge"}, "launchTemplate": m{"id": "${efa-template}", "version": "1"},
			"taints": []any{m{"key": "nvidia.com/gpu", "effect": "NO_SCHEDULE"}}, "scalingConfig": size(0, 2, 2)}},
		{"coredns", "aws:eks/addon:Addon", m{"clusterName": "${cluster}", "addonName": "coredns"}},
		{"csi", "aws:eks/addon:Addon", m{"clusterName": "${cluster}", "addonName": "aws-ebs-csi-driver",
			"podIdentityAssociations": []any{m{"roleArn": "${pods-role.arn}", "serviceAccount": "ebs-csi-controller-sa"}}}},
		{"hybrid-entry", "aws:eks/accessEntry:AccessEntry", m{"clusterName": "${cluster}", "principalArn": "${hybrid-role.arn}", "type": "HYBRID_LINUX"}},
		{"entry", "aws:eks/accessEntry:AccessEntry", m{"clusterName": "${cluster}", "principalArn": "${pods-role.arn}"}},
		{"association", "aws:eks/accessPolicyAssociation:AccessPolicyAssociation", m{"clusterName": "${cluster}", "principalArn": "${entry.principalArn}",
			"policyArn": "arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy", "accessScope": m{"type": "cluster"}}},
		{"pods", "aws:eks/podIdentityAssociation:PodIdentityAssociation", m{"clusterName": "${cluster}", "namespace": "jobs", "serviceAccount": "trainer", "roleArn": "${pods-role.arn}"}},
	}
}

var saved struct {
	once  sync.Once
	state simtest.Saved
	err   error
}

// world returns a copy of the standard environment.
func world(t *testing.T) *simtest.World {
	t.Helper()
	return simtest.Load(t, state(t), bought)
}

// state returns the standard environment, which is made once for all tests.
func state(t *testing.T) simtest.Saved {
	t.Helper()
	saved.once.Do(func() {
		w := simtest.New(t, t.TempDir(), bought)
		for _, o := range standard() {
			if _, saved.err = w.Create(o.name, o.token, o.in); saved.err != nil {
				saved.err = fmt.Errorf("the standard environment's %s: %w", o.name, saved.err)
				return
			}
			if o.name == "repository" {
				if saved.err = pushImages(w); saved.err != nil {
					return
				}
			}
		}
		saved.state, saved.err = w.Save()
	})
	if saved.err != nil {
		t.Fatal(saved.err)
	}
	return saved.state
}

func TestStandardEnvironmentIsAccepted(t *testing.T) {
	t.Parallel()
	w := world(t)
	for _, o := range standard() {
		made := w.Made[o.name]
		if now := w.Read(o.token, o.name, made.ID); now.ID != made.ID {
			t.Errorf("%s: reading %s gave %q", o.name, made.ID, now.ID)
		}
	}
}
