package main

import (
	"encoding/base64"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/eks"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/iam"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/vpc"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// broken are programs as people write them, with plain resources of the SDK, and one thing wrong in each.
var broken = map[string]func(ctx *pulumi.Context, w *world) error{
	"public-ssh": func(ctx *pulumi.Context, w *world) error {
		_, err := vpc.NewSecurityGroupIngressRule(ctx, "ssh", &vpc.SecurityGroupIngressRuleArgs{SecurityGroupId: w.group.ID(),
			IpProtocol: pulumi.String("tcp"), FromPort: pulumi.Int(22), ToPort: pulumi.Int(22), CidrIpv4: pulumi.String("0.0.0.0/0")}, w.made)
		return err
	},
	"public-ingress": func(ctx *pulumi.Context, w *world) error {
		_, err := ec2.NewSecurityGroup(ctx, "notebook", &ec2.SecurityGroupArgs{VpcId: w.vpc.ID(), Ingress: ec2.SecurityGroupIngressArray{
			ec2.SecurityGroupIngressArgs{Protocol: pulumi.String("tcp"), FromPort: pulumi.Int(8888), ToPort: pulumi.Int(8888),
				CidrBlocks: pulumi.StringArray{pulumi.String("0.0.0.0/0")}}}}, w.made)
		return err
	},
	// The report behind NCCL's "receiver unresponsive": egress is open to the world, which EFA does not match.
	"efa-self-rules": func(ctx *pulumi.Context, w *world) error {
		if _, err := vpc.NewSecurityGroupIngressRule(ctx, "in", &vpc.SecurityGroupIngressRuleArgs{SecurityGroupId: w.group.ID(),
			ReferencedSecurityGroupId: w.group.ID(), IpProtocol: pulumi.String("-1")}, w.made); err != nil {
			return err
		}
		if _, err := vpc.NewSecurityGroupEgressRule(ctx, "out", &vpc.SecurityGroupEgressRuleArgs{SecurityGroupId: w.group.ID(),
			CidrIpv4: pulumi.String("0.0.0.0/0"), IpProtocol: pulumi.String("-1")}, w.made); err != nil {
			return err
		}
		return w.template(ctx, func(args *ec2.LaunchTemplateArgs) { args.NetworkInterfaces = w.fabric() })
	},
	"efa-pool-reach": func(ctx *pulumi.Context, w *world) error {
		return w.template(ctx, func(args *ec2.LaunchTemplateArgs) { args.NetworkInterfaces = w.fabric() })
	},
	"efa-interface-groups": func(ctx *pulumi.Context, w *world) error {
		return w.template(ctx, func(args *ec2.LaunchTemplateArgs) {
			nics := w.fabric()
			nics[1] = ec2.LaunchTemplateNetworkInterfaceArgs{DeviceIndex: pulumi.Int(1), InterfaceType: pulumi.String("efa-only")}
			args.NetworkInterfaces = nics
		})
	},
	"capacity-block-target": func(ctx *pulumi.Context, w *world) error {
		return w.template(ctx, func(args *ec2.LaunchTemplateArgs) {
			args.InstanceMarketOptions = ec2.LaunchTemplateInstanceMarketOptionsArgs{MarketType: pulumi.String("capacity-block")}
		})
	},
	"ssh-host-key-checking": func(ctx *pulumi.Context, w *world) error {
		return w.template(ctx, func(args *ec2.LaunchTemplateArgs) {
			args.UserData = pulumi.String(base64.StdEncoding.EncodeToString([]byte("#!/bin/sh\nssh -o StrictHostKeyChecking=no head true\n")))
		})
	},
	"root-volume-encrypted": func(ctx *pulumi.Context, w *world) error {
		return w.template(ctx, func(args *ec2.LaunchTemplateArgs) {
			args.BlockDeviceMappings = ec2.LaunchTemplateBlockDeviceMappingArray{ec2.LaunchTemplateBlockDeviceMappingArgs{
				DeviceName: pulumi.String("/dev/xvda"), Ebs: ec2.LaunchTemplateBlockDeviceMappingEbsArgs{Encrypted: pulumi.String("false")}}}
		})
	},
	"iam-admin-statement": func(ctx *pulumi.Context, w *world) error {
		_, err := iam.NewPolicy(ctx, "jobs", &iam.PolicyArgs{
			Policy: pulumi.String(`{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]}`)}, w.made)
		return err
	},
	"iam-wildcard-principal": func(ctx *pulumi.Context, w *world) error {
		_, err := iam.NewRole(ctx, "jobs", &iam.RoleArgs{AssumeRolePolicy: pulumi.String(
			`{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":"*"},"Action":"sts:AssumeRole"}]}`)}, w.made)
		return err
	},
	"addon-version-pinned": func(ctx *pulumi.Context, w *world) error {
		_, err := eks.NewAddon(ctx, "cni", &eks.AddonArgs{ClusterName: pulumi.String("train"), AddonName: pulumi.String("vpc-cni")}, w.made)
		return err
	},
	"gpu-image-pinned": func(ctx *pulumi.Context, w *world) error {
		_, err := eks.NewNodeGroup(ctx, "gpu", &eks.NodeGroupArgs{ClusterName: pulumi.String("train"), NodeRoleArn: pulumi.String("arn:aws:iam::111122223333:role/node"),
			SubnetIds: pulumi.StringArray{w.subnet.ID()}, InstanceTypes: pulumi.StringArray{pulumi.String("g6.xlarge")},
			AmiType:       pulumi.String("AL2023_x86_64_NVIDIA"),
			ScalingConfig: eks.NodeGroupScalingConfigArgs{MinSize: pulumi.Int(0), DesiredSize: pulumi.Int(0), MaxSize: pulumi.Int(1)},
			Taints: eks.NodeGroupTaintArray{eks.NodeGroupTaintArgs{Key: pulumi.String("nvidia.com/gpu"), Value: pulumi.String("present"),
				Effect: pulumi.String("NO_SCHEDULE")}}}, w.made)
		return err
	},
}

// world is what the broken programs stand on: a VPC, a subnet and a security group with nothing wrong.
type world struct {
	made   pulumi.ResourceOption
	vpc    *ec2.Vpc
	subnet *ec2.Subnet
	group  *ec2.SecurityGroup
}

func newWorld(ctx *pulumi.Context) (*world, error) {
	provider, err := aws.NewProvider(ctx, "aws", &aws.ProviderArgs{Region: pulumi.String("us-east-2")})
	if err != nil {
		return nil, err
	}
	w := &world{made: pulumi.Provider(provider)}
	if w.vpc, err = ec2.NewVpc(ctx, "vpc", &ec2.VpcArgs{CidrBlock: pulumi.String("10.0.0.0/16")}, w.made); err != nil {
		return nil, err
	}
	if w.subnet, err = ec2.NewSubnet(ctx, "subnet", &ec2.SubnetArgs{VpcId: w.vpc.ID(), CidrBlock: pulumi.String("10.0.0.0/20"),
		AvailabilityZoneId: pulumi.String("use2-az1")}, w.made); err != nil {
		return nil, err
	}
	w.group, err = ec2.NewSecurityGroup(ctx, "group", &ec2.SecurityGroupArgs{VpcId: w.vpc.ID()}, w.made)
	return w, err
}

// fabric is the interfaces of g6.8xlarge, which has one EFA.
func (w *world) fabric() ec2.LaunchTemplateNetworkInterfaceArray {
	groups := pulumi.StringArray{w.group.ID()}
	return ec2.LaunchTemplateNetworkInterfaceArray{
		ec2.LaunchTemplateNetworkInterfaceArgs{DeviceIndex: pulumi.Int(0), InterfaceType: pulumi.String("interface"), SecurityGroups: groups},
		ec2.LaunchTemplateNetworkInterfaceArgs{DeviceIndex: pulumi.Int(1), InterfaceType: pulumi.String("efa-only"), SecurityGroups: groups},
	}
}

// template makes a launch template that is right but for what change does to it.
func (w *world) template(ctx *pulumi.Context, change func(*ec2.LaunchTemplateArgs)) error {
	args := &ec2.LaunchTemplateArgs{
		InstanceType:    pulumi.String("g6.8xlarge"),
		MetadataOptions: ec2.LaunchTemplateMetadataOptionsArgs{HttpEndpoint: pulumi.String("enabled"), HttpTokens: pulumi.String("required")},
		BlockDeviceMappings: ec2.LaunchTemplateBlockDeviceMappingArray{ec2.LaunchTemplateBlockDeviceMappingArgs{
			DeviceName: pulumi.String("/dev/xvda"), Ebs: ec2.LaunchTemplateBlockDeviceMappingEbsArgs{Encrypted: pulumi.String("true")}}},
	}
	change(args)
	_, err := ec2.NewLaunchTemplate(ctx, "template", args, w.made)
	return err
}

// TestBrokenProgramsTripTheirPolicy previews each broken program with the real engine: the policy that it is named after
// stops it, and no other.
func TestBrokenProgramsTripTheirPolicy(t *testing.T) {
	t.Parallel()
	packPath := buildPack(t)
	programs := maps.Clone(broken)
	maps.Copy(programs, brokenData)
	for name, program := range programs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStack(t, "broken", packPath, "", func(ctx *pulumi.Context) error {
				w, err := newWorld(ctx)
				if err != nil {
					return err
				}
				return program(ctx, w)
			})
			run := s.preview
			if name == "bucket-tls-only" { // a preview does not know the policy of a bucket that is not made yet
				run = s.up
			}
			v := run(t)
			var tripped []string
			for _, line := range v.mandatory() {
				tripped = append(tripped, strings.Fields(line)[1])
			}
			if !slices.Equal(tripped, []string{name}) || v.err == nil {
				t.Errorf("it trips %q, and should trip %s alone\n%v", v.violations, name, v.err)
			}
		})
	}
}

// TestRemediations previews a template with what remediations put right: nothing stops it any more.
func TestRemediations(t *testing.T) {
	t.Parallel()
	v := newStack(t, "broken", buildPack(t), "", func(ctx *pulumi.Context) error {
		w, err := newWorld(ctx)
		if err != nil {
			return err
		}
		return w.template(ctx, func(args *ec2.LaunchTemplateArgs) {
			args.MetadataOptions = ec2.LaunchTemplateMetadataOptionsArgs{HttpEndpoint: pulumi.String("enabled")}
			args.BlockDeviceMappings = ec2.LaunchTemplateBlockDeviceMappingArray{ec2.LaunchTemplateBlockDeviceMappingArgs{
				DeviceName: pulumi.String("/dev/xvda"), Ebs: ec2.LaunchTemplateBlockDeviceMappingEbsArgs{VolumeSize: pulumi.Int(100)}}}
		})
	}).preview(t)
	if want := []string{"encrypt-volumes template", "require-imdsv2 template"}; v.err != nil || !slices.Equal(v.remedies, want) || len(v.mandatory()) > 0 {
		t.Errorf("remedies are %q, want %q; violations %q, %v", v.remedies, want, v.violations, v.err)
	}
}

// configFile writes a configuration file for the engine.
func configFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestEngineConfiguration: a wrong file stops the run and names the key, and an exception lets one resource be.
func TestEngineConfiguration(t *testing.T) {
	t.Parallel()
	packPath := buildPack(t)
	program := func(ctx *pulumi.Context) error {
		w, err := newWorld(ctx)
		if err != nil {
			return err
		}
		return broken["public-ssh"](ctx, w)
	}
	for name, c := range map[string]struct{ config, want string }{
		"a wrong kind": {`{"pool-hourly-price":{"maxPerPool":"cheap"}}`, "pool-hourly-price: maxPerPool"},
		"a wrong key":  {`{"pool-hourly-price":{"maxPerPol":20}}`, `pool-hourly-price has no setting "maxPerPol". Did you mean maxPerPool?`},
		"a wrong enum": {`{"cluster-logs":{"types":["audits"]}}`, "cluster-logs: types.0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if v := newStack(t, "broken", packPath, configFile(t, c.config), program).preview(t); v.err == nil || !strings.Contains(v.err.Error(), c.want) {
				t.Errorf("the engine says %v, and %s is wanted", v.err, c.want)
			}
		})
	}
	t.Run("an exception", func(t *testing.T) {
		t.Parallel()
		config := configFile(t, `{"version":2,"exceptions":{"SEC-7":{"reason":"The bastion moves in March.","match":[{"policies":["public-ssh"],
			"targets":["urn:pulumi:broken::gpuyard::aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule::ssh"]}]}}}`)
		v := newStack(t, "broken", packPath, config, program).preview(t)
		if v.err != nil || len(v.mandatory()) != 1 {
			t.Errorf("an excepted finding is shown and stops nothing: %q, %v", v.violations, v.err)
		}
	})
}
