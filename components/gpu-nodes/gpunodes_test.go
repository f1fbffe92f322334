package gpunodes

import (
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

const (
	tokenTemplate  = "aws:ec2/launchTemplate:LaunchTemplate"
	tokenNodeGroup = "aws:eks/nodeGroup:NodeGroup"
	tokenParameter = "aws:ssm/getParameter:getParameter"
)

// newestRelease is what the fake parameter store answers.
const newestRelease = "1.35.2-20261110"

// world answers as AWS would: a template has a version, a group a name, and the parameter store the newest release.
func world() pulumitest.Options {
	return pulumitest.Options{
		Calls: map[string]pulumitest.CallFunc{
			tokenParameter: func(args resource.PropertyMap) (resource.PropertyMap, error) {
				return resource.PropertyMap{"name": args["name"], "insecureValue": resource.NewProperty(newestRelease)}, nil
			},
		},
		Outputs: map[string]pulumitest.OutputFunc{
			tokenTemplate: func(string, resource.PropertyMap) resource.PropertyMap {
				return resource.PropertyMap{"latestVersion": resource.NewProperty(3.0)}
			},
			tokenNodeGroup: func(name string, _ resource.PropertyMap) resource.PropertyMap {
				return resource.PropertyMap{"nodeGroupName": resource.NewProperty(name + "-20261110"), "resources": asgOf(name)}
			},
		},
	}
}

// asgOf returns the resources of a node group as EKS tells them: one Auto Scaling group.
func asgOf(name string) resource.PropertyValue {
	group := resource.PropertyMap{"name": resource.NewProperty("eks-" + name)}
	return resource.NewProperty([]resource.PropertyValue{resource.NewProperty(resource.PropertyMap{
		"autoscalingGroups": resource.NewProperty([]resource.PropertyValue{resource.NewProperty(group)}),
	})})
}

// poolArgs returns valid arguments of a pool of the given types, of CPU nodes on demand when nothing is changed.
func poolArgs(types ...string) *PoolArgs {
	return &PoolArgs{
		ClusterName:            pulumi.String("yard"),
		KubernetesVersion:      "1.35",
		NodeRoleARN:            pulumi.String("arn:aws:iam::123456789012:role/node"),
		SubnetIDs:              pulumi.ToStringArray([]string{"subnet-a"}),
		ClusterSecurityGroupID: pulumi.String("sg-cluster"),
		InstanceTypes:          types,
		Size:                   Size{Min: 0, Desired: 1, Max: 4},
		Tags:                   map[string]string{"team": "vision"},
	}
}

// efaArgs returns valid arguments of a pool with EFA.
func efaArgs(types ...string) *PoolArgs {
	args := poolArgs(types...)
	args.Fabric = "efa"
	args.FabricSecurityGroupID = pulumi.String("sg-fabric")
	return args
}

// reservation is the id of some reservation.
const reservation = "cr-0123456789abcdef0"

// reservationAt returns the ARN of a reservation whose id ends in a digit.
func reservationAt(digit string) string {
	return "arn:aws:ec2:us-west-2:123456789012:capacity-reservation/cr-0123456789abcdef" + digit
}

// namedImage makes arguments ask for an image of one's own.
func namedImage(args *PoolArgs) *PoolArgs {
	args.AMI = "ami-0123456789abcdef0"
	args.Bootstrap = Bootstrap{
		ClusterEndpoint: pulumi.String("https://ABC.gr7.us-west-2.eks.amazonaws.com"),
		ClusterCA:       pulumi.String("Y2VydA=="),
		ServiceCIDR:     pulumi.String("172.20.0.0/16"),
	}
	return args
}

// runPool registers a pool named "pool" and returns the graph.
func runPool(t *testing.T, args *PoolArgs) *pulumitest.Graph {
	t.Helper()
	return pulumitest.Run(t, func(ctx *pulumi.Context) error {
		_, err := NewPool(ctx, "pool", args)
		return err
	}, world())
}

// poolTemplate and poolGroup return the inputs of a pool's two resources.
func poolTemplate(t *testing.T, args *PoolArgs) resource.PropertyMap {
	t.Helper()
	return runPool(t, args).Get(t, tokenTemplate, "pool-template").Inputs
}

func poolGroup(t *testing.T, args *PoolArgs) resource.PropertyMap {
	t.Helper()
	return runPool(t, args).Get(t, tokenNodeGroup, "pool-group").Inputs
}

// found returns an instance type, or fails the test.
func found(t *testing.T, name string) *catalog.InstanceType {
	t.Helper()
	typ, err := catalog.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

// efaTypes returns all types of the catalog that have EFA.
func efaTypes(t *testing.T) []*catalog.InstanceType {
	t.Helper()
	types := slices.DeleteFunc(slices.Clone(catalog.Default().Types()), func(typ *catalog.InstanceType) bool { return !typ.HasEFA() })
	if len(types) < 50 {
		t.Fatalf("the catalog has %d types with EFA only", len(types))
	}
	return types
}

// refused checks that an error holds all of some texts, and that nothing was registered.
func refused(t *testing.T, graph *pulumitest.Graph, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("it was accepted")
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("the error\n%v\ndoes not say %q", err, text)
		}
	}
	if len(graph.Resources) > 0 || len(graph.Calls) > 0 {
		t.Errorf("something was registered or called:\n%s", graph)
	}
}
