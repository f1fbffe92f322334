package aws

import (
	"regexp"
	"slices"
	"strings"

	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/resourcegroups"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

const (
	resourceGroupToken = "aws:resourcegroups/group:Group"
	groupMemberToken   = "aws:resourcegroups/resource:Resource"

	reservationPool = "AWS::EC2::CapacityReservationPool"
)

// configurationTypes are what a service can make of a resource group.
// Source: AWS Resource Groups User Guide, "Service configurations for resource groups".
var configurationTypes = []string{
	"AWS::AppRegistry::Application", "AWS::EC2::CapacityReservationPool", "AWS::EC2::HostManagement", "AWS::NetworkFirewall::RuleGroup", "AWS::ResourceGroups::Generic",
}

func resourceGroup(a Account) *engine.Resource {
	const source = "Resource Groups API, CreateGroup"
	return &engine.Resource{
		Token: resourceGroupToken, Args: resourcegroups.GroupArgs{}, State: resourcegroups.Group{},
		Replace:  []string{"name"},
		AutoName: &engine.AutoName{Property: "name", Max: 300},
		Plan: []engine.Rule{
			shape("name", "has letters, digits and _.- only, and does not begin with AWS", source, regexp.MustCompile(`^([^Aa]|[Aa][^Ww]|[Aa][Ww][^Ss])[a-zA-Z0-9_.-]*$`)),
			exactlyOne("one-membership", source, "resourceQuery", "configurations"),
			oneOf("configurations[*].type", source, configurationTypes...),
			reservationsAllowed,
		},
		Apply: []engine.Rule{a.perRegion("resource-groups", resourceGroupToken, "LimitExceededException")},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			name := c.In.Str("name")
			return name, engine.Outputs{"arn": arn(c, "resource-groups", "group/"+name)}, nil
		},
	}
}

var reservationsAllowed = engine.Rule{
	Name: "reservations-allowed", Says: "a pool of reservations also says, by AWS::ResourceGroups::Generic, that it takes AWS::EC2::CapacityReservation", Source: "EC2 User Guide, \"Create a Capacity Reservation group\"",
	Judge: func(c *engine.Call) error {
		if !slices.Contains(c.In.Strs("configurations[*].type"), reservationPool) || c.In.Unknown("configurations") {
			return nil
		}
		for _, block := range c.In.Blocks("configurations[*]") {
			for _, p := range block.Blocks("parameters[*]") {
				if block.Str("type") == "AWS::ResourceGroups::Generic" && p.Str("name") == "allowed-resource-types" && slices.Contains(p.Strs("values[*]"), "AWS::EC2::CapacityReservation") {
					return nil
				}
			}
		}
		return engine.Invalid("configurations", "%s needs AWS::ResourceGroups::Generic beside it, with the parameter allowed-resource-types of AWS::EC2::CapacityReservation", reservationPool)
	},
}

var memberARN = regexp.MustCompile(`^arn:[a-z-]+:ec2:([a-z0-9-]+):(\d{12}):capacity-reservation/(cr-[0-9a-f]{8,17})$`)

func groupMember(a Account) *engine.Resource {
	const source = "Resource Groups API, GroupResources"
	return &engine.Resource{
		Token: groupMemberToken, Args: resourcegroups.ResourceArgs{}, State: resourcegroups.Resource{},
		Replace: []string{"groupArn", "resourceArn"},
		Refs:    []engine.Ref{{Path: "groupArn", To: resourceGroupToken, By: []string{"arn"}, Code: "NotFoundException"}},
		Plan:    []engine.Rule{shape("resourceArn", "is the ARN of a capacity reservation, which is all that the embedded cloud groups", source, memberARN)},
		Apply:   []engine.Rule{a.memberBought(), memberTaken},
		Create: func(c *engine.Call) (string, engine.Outputs, error) {
			group, _ := c.Resolve("groupArn")
			c.ComeWith(resourceGroupToken, group.ID)
			id := strings.ToLower(group.ID) + "_" + reservationOf(c.In.Str("resourceArn"))
			return id, engine.Outputs{"resourceType": "AWS::EC2::CapacityReservation"}, nil
		},
	}
}

func (a Account) memberBought() engine.Rule {
	return engine.Rule{
		Name: "member-bought", Says: "the reservation exists in this account and region (see reservations.json)", Source: "Resource Groups API, GroupResources",
		Judge: func(c *engine.Call) error {
			parts := memberARN.FindStringSubmatch(c.In.Str("resourceArn"))
			region, account, id := parts[1], parts[2], parts[3]
			if region != c.Region || account != engine.Account {
				return engine.Refuse("BadRequestException", "%s is of the account %s in %s, the group of %s in %s", id, account, region, engine.Account, c.Region)
			}
			if r, ok := a.reservation(id); ok {
				if its, _ := regionOf(c.Catalog(), r.Zone); its != region {
					return engine.Refuse("BadRequestException", "%s is in %s, a zone of %s, and not in %s", id, r.Zone, its, region)
				}
				return nil
			}
			return a.unbought(Reservation{ID: id, InstanceType: "p5.48xlarge", Zone: zonesOf(c.Catalog(), region)[0].id, Count: 1})
		},
	}
}

var memberTaken = engine.Rule{
	Name: "member-taken", Says: "the group is one that a program fills, and is for capacity reservations", Source: "Resource Groups API, GroupResources",
	Judge: func(c *engine.Call) error {
		group, _ := c.Resolve("groupArn")
		if !slices.Contains(group.In.Strs("configurations[*].type"), reservationPool) {
			return engine.Refuse("BadRequestException", "The group %s takes no capacity reservations: it needs the configuration %s", group.ID, reservationPool)
		}
		return nil
	},
}
