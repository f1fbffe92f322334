package aws

import (
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const placementGroupToken = "aws:ec2/placementGroup:PlacementGroup"

func placementGroup(a Account) *engine.Resource {
	const source = "EC2 API, CreatePlacementGroup"
	return &engine.Resource{
		Token: placementGroupToken, Args: ec2.PlacementGroupArgs{}, State: ec2.PlacementGroup{},
		Replace:  []string{"name", "strategy", "partitionCount", "spreadLevel"},
		AutoName: &engine.AutoName{Property: "name", Max: 255},
		Plan: []engine.Rule{
			oneOf("strategy", source, "cluster", "partition", "spread"),
			oneOf("spreadLevel", source, "host", "rack"),
			between("partitionCount", source, 1, 7),
			strategyParts,
		},
		Apply: []engine.Rule{
			a.perRegion("placement-groups", placementGroupToken, "PlacementGroupLimitExceeded"),
		},
		Keep: []engine.Rule{placementUnused},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			id, err := c.NewID("pg-")
			name := c.In.Str("name")
			return name, engine.Outputs{"arn": arn(c, "ec2", "placement-group/"+name), "placementGroupId": id}, err
		},
	}
}

var strategyParts = engine.Rule{
	Name: "strategy-parts", Says: "`partitionCount` goes with partition, `spreadLevel` with spread", Source: "EC2 API, CreatePlacementGroup",
	Judge: func(c *engine.Call) error {
		strategy := c.In.Str("strategy")
		for path, goesWith := range map[string]string{"partitionCount": "partition", "spreadLevel": "spread"} {
			if c.In.Has(path) && strategy != "" && strategy != goesWith {
				return engine.Invalid(path, "goes with the strategy %s, got %s", goesWith, strategy)
			}
		}
		return nil
	},
}

var placementUnused = engine.Rule{
	Name: "placement-unused", Says: "a placement group stays while nodes run in it", Source: "EC2 API, DeletePlacementGroup (InvalidPlacementGroup.InUse)",
	Judge: func(c *engine.Call) error {
		for _, group := range c.All(nodeGroupToken) {
			if t, ok := templateOf(c, group.In); ok && t.In.Str("placement.groupName") == c.ID {
				return engine.Refuse("InvalidPlacementGroup.InUse", "The placement group '%s' is in use by the nodes of %s and may not be deleted; delete that node group first", c.ID, group.ID)
			}
		}
		return nil
	},
}
