package aws_test

import (
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

// nodeConfigOf is MIME user data with a NodeConfig for a cluster.
func nodeConfigOf(name, endpoint, authority, cidr string) string {
	return "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: application/node.eks.aws\r\n\r\n" +
		"apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  cluster:\n    name: \"" + name + "\"\n    apiServerEndpoint: \"" + endpoint +
		"\"\n    certificateAuthority: \"" + authority + "\"\n    cidr: \"" + cidr + "\"\r\n--x--\r\n"
}

// rightConfig is user data that joins the standard cluster.
func rightConfig(w *simtest.World) string {
	return encoded(w.Expand(nodeConfigOf("${cluster}", "${cluster.endpoint}", "${cluster.certificateAuthority.data}", "172.20.0.0/16")))
}

const ownImage = "ami-0123456789abcdef0"

func joinRefusals() []refusal {
	const nodes = "aws:eks/nodeGroup:NodeGroup"
	on := func(changes m) m {
		return merge(m{"launchTemplate": m{"id": "${tried}", "version": "1"}, "releaseVersion": nil, "amiType": nil}, changes)
	}
	image := func(changes m) func(*testing.T, *simtest.World) {
		return trying(merge(m{"imageId": ownImage}, changes))
	}
	rocket := on(m{"amiType": "BOTTLEROCKET_x86_64_NVIDIA"})
	public := func(t *testing.T, w *simtest.World) {
		trying(m{"networkInterfaces": efaInterfaces(32, "${group}")})(t, w)
		w.MustCreate("public-b", "aws:ec2/subnet:Subnet", m{"vpcId": "${vpc}", "cidrBlock": "10.0.8.0/24", "availabilityZone": "us-west-2a", "mapPublicIpOnLaunch": true})
		w.MustCreate("public-b-table", "aws:ec2/routeTableAssociation:RouteTableAssociation", m{"routeTableId": "${public-table}", "subnetId": "${public-b}"})
	}
	return []refusal{
		{token: nodes, rule: "range-update-config-max-unavailable", in: m{"updateConfig": m{"maxUnavailable": 101}}, want: "wanted 1 to 100"},
		{token: nodes, rule: "range-update-config-max-unavailable-percentage", in: m{"updateConfig": m{"maxUnavailablePercentage": 0}}, want: "wanted 1 to 100"},
		{token: nodes, rule: "release-fits-image", in: m{"releaseVersion": "1.57.0-4c1d9a7e"}, want: "release version 1.57.0-4c1d9a7e is not valid for amiType AL2023_x86_64_NVIDIA"},
		{token: nodes, rule: "release-fits-image", in: merge(rocket, m{"launchTemplate": nil, "releaseVersion": "1.34.8-20261110"}), want: "is not valid for amiType BOTTLEROCKET_x86_64_NVIDIA"},
		{token: nodes, rule: "toml-for-bottlerocket", prepare: trying(m{"userData": nodeConfig()}), in: rocket, want: "was not in the TOML format: line 1 is \"MIME-Version: 1.0\""},
		{token: nodes, rule: "toml-for-bottlerocket", prepare: trying(m{"userData": encoded("[kubernetes]\na = 1\n")}), in: rocket, want: "line 1 is \"[kubernetes]\", wanted [settings"},
		{token: nodes, rule: "bootstrap-fits-cluster", prepare: image(nil), in: on(nil), want: "has no user data, and EKS adds none"},
		{token: nodes, rule: "bootstrap-fits-cluster", prepare: image(m{"userData": nodeConfig()}), in: on(nil), want: "spec.cluster.name is \"\", the cluster's is \"standard\""},
		{token: nodes, rule: "bootstrap-fits-cluster", prepare: func(t *testing.T, w *simtest.World) {
			image(m{"userData": encoded(w.Expand(nodeConfigOf("${cluster}", "${map-cluster.endpoint}", "${cluster.certificateAuthority.data}", "172.20.0.0/16")))})(t, w)
		}, in: on(nil), want: "spec.cluster.apiServerEndpoint is \"${map-cluster.endpoint}\", the cluster's is \"${cluster.endpoint}\""},
		{token: nodes, rule: "bootstrap-fits-cluster", prepare: image(m{"userData": encoded("MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: application/node.eks.aws\r\n\r\na: [\r\n--x--\r\n")}), in: on(nil), want: "the NodeConfig does not parse"},
		{token: nodes, rule: "nodes-reach-aws", in: m{"subnetIds": []any{"${spare}"}}, want: "${spare} has no way out of the VPC"},
		{token: nodes, rule: "nodes-reach-aws", in: m{"subnetIds": []any{"${spare}"}}, want: "an endpoint for eks-auth, an endpoint for ec2"},
		{token: nodes, rule: "nodes-reach-aws", in: m{"subnetIds": []any{"${spare}"}}, want: "a rule for HTTPS from 10.0.4.0/24 to a security group of the endpoint ${ecr} for ecr.api"},
		{token: nodes, rule: "nodes-reach-aws", in: m{"subnetIds": []any{"${spare}"}}, want: "the subnet's route table to the gateway endpoint ${s3} for s3"},
		{token: nodes, rule: "nodes-reach-aws", in: m{"subnetIds": []any{"${spare}"}}, want: "the private endpoint of the cluster"},
		{token: nodes, rule: "nodes-reach-aws", in: m{"subnetIds": []any{"${public-a}"}}, want: "${public-a} is public, and nodes in it get no public address"},
		{token: nodes, rule: "nodes-reach-aws", prepare: public, in: on(m{"amiType": "AL2023_x86_64_NVIDIA", "subnetIds": []any{"${public-b}"}}), want: "${public-b} is public"},
	}
}

func TestNodesThatJoinAreAccepted(t *testing.T) {
	t.Parallel()
	const nodes, template = "aws:eks/nodeGroup:NodeGroup", "aws:ec2/launchTemplate:LaunchTemplate"
	group := func(changes m) m {
		return merge(m{"clusterName": "${cluster}", "nodeRoleArn": "${node-role.arn}", "subnetIds": []any{"${private-d}"},
			"launchTemplate": m{"id": "${tried}", "version": "1"}, "scalingConfig": size(0, 2, 2)}, changes)
	}
	for name, c := range map[string]struct {
		template func(w *simtest.World) m
		in       m
	}{
		"an image of one's own": {
			func(w *simtest.World) m { return m{"imageId": ownImage, "userData": rightConfig(w)} },
			group(m{"instanceTypes": []any{"dl1.24xlarge"}, "nodeRepairConfig": m{"enabled": true}, "updateConfig": m{"maxUnavailablePercentage": 50}}),
		},
		"an image that a script bootstraps": {
			func(*simtest.World) m { return m{"imageId": ownImage, "userData": encoded("#!/bin/sh\nbootstrap\n")} },
			group(m{"instanceTypes": []any{"dl1.24xlarge"}}),
		},
		"Bottlerocket": {
			func(*simtest.World) m {
				return m{"userData": encoded("# kubelet\n[settings.kubernetes]\ncpu-manager-policy = \"static\"\n[settings.kernel.sysctl]\n\"vm.nr_hugepages\" = \"512\"\n")}
			},
			group(m{"amiType": "BOTTLEROCKET_ARM_64", "releaseVersion": "1.57.0-4c1d9a7e", "instanceTypes": []any{"m7g.xlarge"}, "subnetIds": []any{"${private-a}"}}),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := world(t)
			w.MustCreate("tried", template, c.template(w))
			made := w.MustCreate("it", nodes, c.in)
			if asg := engine.Props(made.Outputs).Str("resources[*].autoscalingGroups[*].name"); asg == "" {
				t.Error("it has no Auto Scaling group")
			}
		})
	}
}

// TestEndpointsReplaceAWayOut holds that nodes in a VPC without NAT come up with the endpoints of the user guide.
func TestEndpointsReplaceAWayOut(t *testing.T) {
	t.Parallel()
	w := world(t)
	w.MustCreate("closed-table", "aws:ec2/routeTable:RouteTable", m{"vpcId": "${vpc}"})
	w.MustCreate("closed", "aws:ec2/routeTableAssociation:RouteTableAssociation", m{"routeTableId": "${closed-table}", "subnetId": "${spare}"})
	w.MustCreate("closed-s3", "aws:ec2/vpcEndpoint:VpcEndpoint", m{"vpcId": "${vpc}", "serviceName": "com.amazonaws.us-west-2.s3", "vpcEndpointType": "Gateway", "routeTableIds": []any{"${closed-table}"}})
	w.MustCreate("https", "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", m{"securityGroupId": "${group}", "cidrIpv4": "10.0.0.0/16", "ipProtocol": "tcp", "fromPort": 443, "toPort": 443})
	for _, service := range []string{"ec2", "ecr.dkr", "sts", "eks-auth"} {
		w.MustCreate(service, "aws:ec2/vpcEndpoint:VpcEndpoint", m{"vpcId": "${vpc}", "serviceName": "com.amazonaws.us-west-2." + service, "vpcEndpointType": "Interface",
			"subnetIds": []any{"${private-a}"}, "securityGroupIds": []any{"${group}"}, "privateDnsEnabled": true})
	}
	cluster := standardInputs("cluster")
	network := merge(cluster["vpcConfig"].(m), m{"endpointPrivateAccess": true})
	if _, err := w.Update(w.Made["cluster"], merge(cluster, m{"vpcConfig": network})); err != nil {
		t.Fatal(err)
	}
	in := merge(standardInputs("nodes"), m{"subnetIds": []any{"${spare}"}})
	w.MustCreate("it", "aws:eks/nodeGroup:NodeGroup", in)
	if err := w.Delete(w.Made["sts"]); err != nil {
		t.Fatal(err)
	}
	_, err := w.Create("next", "aws:eks/nodeGroup:NodeGroup", in)
	if want := "add an endpoint for sts"; err == nil || !contains(err.Error(), want) {
		t.Errorf("without sts: got %v, want %q", err, want)
	}
}

func contains(text, part string) bool { return strings.Contains(text, part) }
