package aws_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/sim/internal/simtest"
)

func encoded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

func templateRefusals() []refusal {
	const template = "aws:ec2/launchTemplate:LaunchTemplate"
	nics := func(all ...m) m {
		var list []any
		for _, n := range all {
			list = append(list, n)
		}
		return m{"networkInterfaces": list}
	}
	at := func(card, device int, kind string) m {
		return m{"networkCardIndex": card, "deviceIndex": device, "interfaceType": kind}
	}
	six := []any{"${group}", "${peer}", "${inline}", "${group}", "${peer}", "${inline}"}
	mime := func(part string) string {
		return encoded("MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n" + part)
	}
	disk := func(changes m) m {
		return m{"blockDeviceMappings": []any{m{"deviceName": "/dev/xvda", "ebs": simtest.With(m{"volumeType": "gp3", "volumeSize": 100}, changes)}}}
	}
	return []refusal{
		{token: template, rule: "shape-of-name", in: m{"namePrefix": nil, "name": "a b"}, want: "name: got \"a b\""},
		{token: template, rule: "shape-of-image-id", in: m{"imageId": "ami-gaudi"}, want: "it is an image's id"},
		{token: template, rule: "legal-network-interfaces-interface-type", in: nics(at(0, 0, "efa_only")), want: "networkInterfaces[0].interfaceType: got \"efa_only\", wanted one of efa-only"},
		{token: template, rule: "legal-metadata-options-http-tokens", in: m{"metadataOptions": m{"httpTokens": "require"}}, want: "wanted one of required"},
		{token: template, rule: "legal-metadata-options-http-endpoint", in: m{"metadataOptions": m{"httpEndpoint": "on"}}, want: "wanted one of enabled, disabled"},
		{token: template, rule: "range-metadata-options-http-put-response-hop-limit", in: m{"metadataOptions": m{"httpPutResponseHopLimit": 65}}, want: "wanted 1 to 64"},
		{token: template, rule: "legal-block-device-mappings-ebs-volume-type", in: disk(m{"volumeType": "gp4"}), want: "wanted one of gp2, gp3"},
		{token: template, rule: "legal-instance-market-options-market-type", in: m{"instanceMarketOptions": m{"marketType": "capacityblock"}}, want: "wanted one of capacity-block"},
		{token: template, rule: "legal-tag-specifications-resource-type", in: m{"tagSpecifications": []any{m{"resourceType": "instances"}}}, want: "wanted one of instance"},
		{token: template, rule: "template-tags", in: m{"tagSpecifications": []any{m{"resourceType": "volume"}, m{"resourceType": "volume"}}}, want: "got volume twice"},
		{token: template, rule: "volume-limits", in: disk(m{"throughput": 4000}), want: "ebs.throughput: got 4000, wanted 125 to 2000"},
		{token: template, rule: "interface-places", in: nics(at(0, 0, "interface"), at(0, 0, "interface")), want: "card 0, device 0 is taken by networkInterfaces[0]"},
		{token: template, rule: "interface-places", in: nics(at(0, 1, "interface")), want: "no interface sits at card 0, device 0"},
		{token: template, rule: "one-efa-per-card", in: nics(at(0, 0, "efa"), at(0, 1, "efa-only")), want: "networkInterfaces[1]: InvalidParameterCombination: network card 0 carries the EFA of networkInterfaces[0]"},
		{token: template, rule: "efa-only-not-primary", in: nics(at(0, 0, "efa-only")), want: "cannot be the primary one"},
		{token: template, rule: "no-public-address", in: nics(simtest.With(at(0, 0, "interface"), m{"associatePublicIpAddress": "true"}), at(1, 0, "efa-only")), want: "cannot be specified when launching with multiple network interfaces"},
		{token: template, rule: "groups-per-interface", in: nics(simtest.With(at(0, 0, "interface"), m{"securityGroups": six})), want: "networkInterfaces[0].securityGroups: SecurityGroupsPerInterfaceLimitExceeded"},
		{token: template, rule: "groups-per-interface", in: m{"networkInterfaces": nil, "vpcSecurityGroupIds": six}, want: "vpcSecurityGroupIds: SecurityGroupsPerInterfaceLimitExceeded"},
		{token: template, rule: "user-data", in: m{"userData": "#!/bin/sh"}, want: "InvalidUserData.Malformed"},
		{token: template, rule: "user-data", in: m{"userData": encoded(strings.Repeat("x", 16385))}, want: "limited to 16384 bytes, got 16385"},
		{token: template, rule: "user-data", in: m{"userData": mime("")}, want: "does not parse as MIME"},
		{token: template, rule: "user-data", in: m{"userData": mime("--x\r\nContent-Type: application/node.eks\r\n\r\nx\r\n--x--\r\n")}, want: "part 0 has the type application/node.eks, wanted application/node.eks.aws"},
		{token: template, in: m{"namePrefix": nil, "name": "standard"}, want: "InvalidLaunchTemplateName.AlreadyExistsException"},
	}
}

func nodeRefusals() []refusal {
	const nodes = "aws:eks/nodeGroup:NodeGroup"
	// with makes a template and uses it.
	with := func(in m) func(*testing.T, *simtest.World) {
		return func(_ *testing.T, w *simtest.World) {
			w.MustCreate("tried", "aws:ec2/launchTemplate:LaunchTemplate", in)
		}
	}
	tried := m{"launchTemplate": m{"id": "${tried}", "version": "1"}}
	plain := m{"instanceTypes": []any{"m7i.xlarge"}, "amiType": nil}
	using := func(changes ...m) m {
		all := tried
		for _, c := range changes {
			all = merge(all, c)
		}
		return all
	}
	var many []any
	for i := range 21 {
		many = append(many, fmt.Sprintf("m7i.%dxlarge", i))
	}
	nic := func(card, device int, kind string) m {
		return m{"networkInterfaces": []any{m{"networkCardIndex": 0, "deviceIndex": 0}, m{"networkCardIndex": card, "deviceIndex": device, "interfaceType": kind}}}
	}
	return []refusal{
		{token: nodes, rule: "shape-of-node-group-name", in: m{"nodeGroupName": "-x"}, want: "begins with a letter or digit"},
		{token: nodes, rule: "legal-ami-type", in: m{"amiType": "AL2023_x86_64_NVIDA"}, want: "wanted one of AL2023_x86_64_NVIDIA"},
		{token: nodes, rule: "legal-capacity-type", in: m{"capacityType": "ONDEMAND"}, want: "wanted one of ON_DEMAND"},
		{token: nodes, rule: "legal-taints-effect", in: m{"taints": []any{m{"key": "k", "effect": "NoSchedule"}}}, want: "taints[0].effect: got \"NoSchedule\""},
		{token: nodes, rule: "shape-of-release-version", in: m{"releaseVersion": "latest"}, want: "has the form 1.35.2-20260101"},
		{token: nodes, rule: "sizes", in: m{"scalingConfig": size(1, 0, 2)}, want: "got min 1, desired 0, max 2"},
		{token: nodes, rule: "sizes", in: m{"scalingConfig": size(0, 0, 0)}, want: "max of at least 1"},
		{token: nodes, rule: "update-one-way", in: m{"updateConfig": m{"maxUnavailable": 1, "maxUnavailablePercentage": 10}}, want: "exactly one of maxUnavailable"},
		{token: nodes, rule: "legal-labels", in: m{"labels": m{"node.kubernetes.io/role": "gpu"}}, want: "Label cannot contain reserved prefixes"},
		{token: nodes, rule: "legal-labels", in: m{"labels": m{"role": "a b"}}, want: "not a legal Kubernetes label"},
		{token: nodes, rule: "legal-taints", in: m{"taints": []any{m{"key": "k", "effect": "NO_SCHEDULE"}, m{"key": "k", "value": "2", "effect": "NO_SCHEDULE"}}}, want: "taints[1]: the key \"k\" has the effect NO_SCHEDULE already"},
		{token: nodes, rule: "legal-taints", in: m{"taints": []any{m{"key": "a b", "effect": "NO_SCHEDULE"}}}, want: "not a legal Kubernetes taint"},
		{token: nodes, rule: "types-at-most-20", in: m{"instanceTypes": many}, want: "got 21, at most 20"},
		{token: nodes, rule: "template-alone", in: m{"launchTemplate": m{"id": "${template}", "name": "standard", "version": "1"}}, want: "exactly one of id and name"},
		{token: nodes, rule: "template-alone", in: m{"diskSize": 100}, want: "diskSize: InvalidParameterException"},
		{token: nodes, rule: "subnets-in-cluster-vpc", in: m{"subnetIds": []any{"${other-a}"}}, want: "${other-a} is not in ${vpc}"},
		{token: nodes, rule: "types-known", in: m{"instanceTypes": []any{"p5.48xlrge"}}, want: "do not exist: [p5.48xlrge]"},
		{token: nodes, rule: "types-offered", in: merge(plain, m{"instanceTypes": []any{"dl1.24xlarge"}, "launchTemplate": nil}), want: "(dl1.24xlarge) is not supported in your requested Availability Zones: us-west-2a (usw2-az2). In us-west-2 it is offered in us-west-2d (usw2-az1)"},
		{token: nodes, rule: "types-fit-image", in: m{"amiType": "AL2023_x86_64_STANDARD"}, want: "the image carries no NVIDIA driver"},
		{token: nodes, rule: "types-fit-image", in: merge(plain, m{"amiType": "AL2023_x86_64_NVIDIA", "launchTemplate": nil}), want: "the image is for nvidia accelerators"},
		{token: nodes, rule: "types-fit-image", in: merge(plain, m{"amiType": "AL2023_ARM_64_STANDARD", "launchTemplate": nil}), want: "the type is x86_64, the image arm64"},
		{token: nodes, rule: "types-fit-image", in: m{"instanceTypes": []any{"dl1.24xlarge"}, "subnetIds": []any{"${private-d}"}, "launchTemplate": nil}, want: "EKS has no image with habana drivers"},
		{token: nodes, rule: "types-fit-image", in: m{"instanceTypes": []any{"trn1.32xlarge"}, "subnetIds": []any{"${private-d}"}, "amiType": nil, "launchTemplate": nil}, want: "carries no Neuron driver"},
		{token: nodes, rule: "capacity-supported", in: merge(plain, m{"capacityType": "CAPACITY_BLOCK", "launchTemplate": nil}), want: "m7i.xlarge is not available as capacity-block"},
		{token: nodes, rule: "release-fits-cluster", in: m{"releaseVersion": "1.35.5-20261110"}, want: "not compatible with the cluster's version 1.34"},
		{token: nodes, rule: "release-fits-cluster", in: m{"releaseVersion": "1.34.8-20271110"}, want: "does not exist; the newest of 1.34 is 1.34.8-20261110"},
		{token: nodes, rule: "release-fits-cluster", in: m{"version": "1.33"}, want: "is not valid for kubernetes version 1.33"},
		{token: nodes, rule: "template-version", in: m{"launchTemplate": m{"id": "${efa-template}", "version": "2"}}, want: "has no version \"2\"; its newest is 1"},
		{token: nodes, rule: "template-forbidden", prepare: with(m{"instanceInitiatedShutdownBehavior": "terminate"}), in: tried, want: "instanceInitiatedShutdownBehavior in launch template ${tried} should not be specified"},
		{token: nodes, rule: "template-forbidden", prepare: with(m{"networkInterfaces": []any{m{"subnetId": "${private-a}"}}}), in: tried, want: "networkInterfaces[*].subnetId in launch template"},
		{token: nodes, rule: "template-forbidden", prepare: with(m{"hibernationOptions": m{"configured": true}}), in: tried, want: "hibernationOptions.configured in launch template"},
		{token: nodes, rule: "template-forbidden", prepare: with(m{"instanceMarketOptions": m{"marketType": "spot"}}), in: tried, want: "capacityType"},
		{token: nodes, rule: "template-forbidden", prepare: with(m{"vpcSecurityGroupIds": []any{"${group}"}, "networkInterfaces": []any{m{"securityGroups": []any{"${group}"}}}}), in: tried, want: "not both"},
		{token: nodes, rule: "type-in-one-place", prepare: with(m{"instanceType": "p5.48xlarge"}), in: tried, want: "set in both"},
		{token: nodes, rule: "image-in-one-place", prepare: with(m{"imageId": "ami-0123456789abcdef0"}), in: tried, want: "You cannot specify an AMI Type other than CUSTOM"},
		{token: nodes, rule: "image-in-one-place", prepare: with(m{"imageId": "ami-0123456789abcdef0"}), in: using(m{"amiType": nil}), want: "leave version and releaseVersion out"},
		{token: nodes, rule: "image-in-one-place", in: m{"amiType": "CUSTOM"}, want: "wants a launch template with an imageId"},
		{token: nodes, rule: "mime-for-eks", prepare: with(m{"userData": encoded("#!/bin/sh\n")}), in: tried, want: "was not in the MIME multipart format"},
		{token: nodes, rule: "interfaces-fit-types", prepare: with(nic(0, 2, "interface")), in: tried, want: "device index 2 exceeds maximum of 1 for this network card on p5.48xlarge"},
		{token: nodes, rule: "interfaces-fit-types", prepare: with(nic(32, 0, "efa-only")), in: tried, want: "network card index 32 does not exist on p5.48xlarge, which has 32 cards"},
		{token: nodes, rule: "interfaces-fit-types", prepare: with(nic(0, 1, "efa-only")), in: using(plain), want: "EFA interfaces are not supported on m7i.xlarge"},
		{token: nodes, rule: "placement-fits", in: m{"subnetIds": []any{"${private-a}", "${private-b}"}}, want: "cannot span 2 zones"},
		{token: nodes, rule: "placement-fits", prepare: with(m{"placement": m{"groupName": "${placement}"}}), in: using(plain, m{"instanceTypes": []any{"t3.medium"}}), want: "t3.medium is not supported in the placement group"},
		{token: nodes, rule: "groups-in-vpc", prepare: with(m{"vpcSecurityGroupIds": []any{"${other-group}"}}), in: tried, want: "The security group '${other-group}' of launch template ${tried} does not exist in ${vpc}"},
		{token: nodes, rule: "capacity-block", in: m{"capacityType": "CAPACITY_BLOCK"}, want: "needs a capacityReservationId in the template, instanceMarketOptions.marketType capacity-block in the template, the instanceType in the template"},
		{token: nodes, rule: "capacity-block", prepare: with(m{"instanceMarketOptions": m{"marketType": "capacity-block"}}), in: tried, want: "set capacityType to CAPACITY_BLOCK"},
		{token: nodes, rule: "node-role", in: m{"nodeRoleArn": "${cluster-role.arn}"}, want: "[ec2.amazonaws.com] were not found in the trust relationships"},
		{token: nodes, rule: "nodes-join", in: m{"nodeRoleArn": "${bare-node-role.arn}"}, want: "AmazonEKSWorkerNodePolicy on the role ${bare-node-role}; nor without AmazonEC2ContainerRegistryPullOnly"},
		{token: nodes, rule: "nodes-join", prepare: func(t *testing.T, w *simtest.World) {
			if err := w.Delete(w.Made["cni"]); err != nil {
				t.Fatal(err)
			}
		}, want: "nodes never become ready without the vpc-cni add-on"},
		{token: nodes, in: m{"nodeGroupName": "${nodes.nodeGroupName}"}, want: "ResourceInUseException"},
	}
}

// merge is With for changes that themselves take things away.
func merge(a, b m) m {
	out := m{}
	for k, v := range a {
		out[k] = v
	}
	for k, v := range b {
		out[k] = v
	}
	return out
}
