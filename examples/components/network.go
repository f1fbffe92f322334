package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"

	"github.com/gpuyard/gpuyard/components/network"
)

// exampleNetwork makes a VPC over two zones, whose private subnets reach AWS by endpoints and all else by one NAT gateway.
func exampleNetwork(ctx *pulumi.Context) error {
	zones := []string{"use2-az1", "use2-az2"} // by id: the same places in every account
	vpc, err := network.New(ctx, "train", &network.VPCArgs{
		CIDR:      "10.20.0.0/16",
		Zones:     zones,
		NAT:       network.NATSingle,
		Region:    config.Require(ctx, "aws:region"),
		Endpoints: []string{"ecr", "sts", "ec2"},
	})
	if err != nil {
		return err
	}
	ctx.Export("vpc", vpc.VpcID)
	ctx.Export("subnets", vpc.PrivateSubnetIDs)
	ctx.Export("subnet", vpc.PrivateSubnets.MapIndex(pulumi.String(zones[0])))
	return nil
}
