package network

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/gpuyard/gpuyard/internal/awsendpoint"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/vpc"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// httpsPort is the port of every AWS API.
const httpsPort = 443

// endpoints registers the endpoints that were asked for. S3 has its own already, also when it is asked for.
func (b *builder) endpoints() error {
	var interfaces []string
	for _, name := range b.args.Endpoints {
		services, _ := awsendpoint.Services(name)
		switch {
		case name == "s3":
		case awsendpoint.IsGateway(name):
			if err := b.gatewayEndpoint(services[0]); err != nil {
				return err
			}
		default:
			interfaces = append(interfaces, services...)
		}
	}
	if len(interfaces) == 0 {
		return nil
	}
	group, err := b.endpointGroup()
	if err != nil {
		return err
	}
	for _, service := range interfaces {
		if err := b.interfaceEndpoint(service, group); err != nil {
			return err
		}
	}
	return nil
}

// serviceName returns the name of a service's endpoint in the VPC's region.
func (b *builder) serviceName(service string) pulumi.String {
	return pulumi.String(fmt.Sprintf("com.amazonaws.%s.%s", b.args.Region, service))
}

// gatewayEndpoint gives private subnets a way to a service that costs nothing and passes no NAT gateway. S3 is such:
// data sets, checkpoints and the layers of ECR images come from there.
// Source: Amazon VPC, AWS PrivateLink Guide, "Gateway endpoints".
func (b *builder) gatewayEndpoint(service string) error {
	endpoint, err := ec2.NewVpcEndpoint(b.ctx, b.name+"-"+service, &ec2.VpcEndpointArgs{
		VpcId:           b.vpc.ID(),
		ServiceName:     b.serviceName(service),
		VpcEndpointType: pulumi.String("Gateway"),
		RouteTableIds:   b.privateTables,
		Tags:            tags.Merge(b.args.Tags, b.name+"-"+service),
	}, b.opts...)
	b.ways = append(b.ways, endpoint)
	return err
}

// endpointGroup registers the security group of all interface endpoints: the whole VPC may speak HTTPS to them, which is
// what their policies and IAM then judge.
func (b *builder) endpointGroup() (*ec2.SecurityGroup, error) {
	name := b.name + "-endpoints"
	group, err := ec2.NewSecurityGroup(b.ctx, name, &ec2.SecurityGroupArgs{
		Description: pulumi.String("Endpoints of AWS services: HTTPS from the VPC"),
		VpcId:       b.vpc.ID(),
		Tags:        tags.Merge(b.args.Tags, name),
	}, b.opts...)
	if err != nil {
		return nil, err
	}
	rule, err := vpc.NewSecurityGroupIngressRule(b.ctx, name+"-https", &vpc.SecurityGroupIngressRuleArgs{
		SecurityGroupId: group.ID(),
		CidrIpv4:        b.vpc.CidrBlock,
		IpProtocol:      pulumi.String("tcp"),
		FromPort:        pulumi.Int(httpsPort),
		ToPort:          pulumi.Int(httpsPort),
		Description:     pulumi.String("HTTPS from the VPC"),
		Tags:            tags.Merge(b.args.Tags, name+"-https"),
	}, b.opts...)
	b.ways = append(b.ways, rule)
	return group, err
}

// interfaceEndpoint puts a service's API into every private subnet under its public name, so that whoever calls it needs
// no other address.
// Source: Amazon VPC, AWS PrivateLink Guide, "Access an AWS service using an interface VPC endpoint".
func (b *builder) interfaceEndpoint(service string, group *ec2.SecurityGroup) error {
	var subnets pulumi.StringArray
	for _, subnet := range b.private {
		subnets = append(subnets, subnet.ID())
	}
	endpoint, err := ec2.NewVpcEndpoint(b.ctx, b.name+"-"+service, &ec2.VpcEndpointArgs{
		VpcId:             b.vpc.ID(),
		ServiceName:       b.serviceName(service),
		VpcEndpointType:   pulumi.String("Interface"),
		SubnetIds:         subnets,
		SecurityGroupIds:  pulumi.StringArray{group.ID()},
		PrivateDnsEnabled: pulumi.Bool(true),
		Tags:              tags.Merge(b.args.Tags, b.name+"-"+service),
	}, b.opts...)
	b.ways = append(b.ways, endpoint)
	return err
}

// checkEndpoints reports names that are none.
func checkEndpoints(check *argument.Checker, endpoints []string) {
	for i, name := range endpoints {
		if _, known := awsendpoint.Services(name); !known {
			check.Failf("endpoints", "%q is unknown: it may be %s", name, strings.Join(awsendpoint.Names(), ", "))
		}
		if slices.Contains(endpoints[:i], name) {
			check.Failf("endpoints", "%q is there twice", name)
		}
	}
}
