package network_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/components/network"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Type tokens of the resources that tests look at.
const (
	tokenSubnet     = "aws:ec2/subnet:Subnet"
	tokenRoute      = "aws:ec2/route:Route"
	tokenRouteTable = "aws:ec2/routeTable:RouteTable"
	tokenNAT        = "aws:ec2/natGateway:NatGateway"
	tokenEIP        = "aws:ec2/eip:Eip"
)

func vpcArgs(change func(*network.VPCArgs)) *network.VPCArgs {
	args := &network.VPCArgs{
		CIDR: "10.20.0.0/16", Region: "us-west-2", NAT: network.NATSingle,
		Zones: []string{"us-west-2a", "us-west-2b", "us-west-2c"},
	}
	if change != nil {
		change(args)
	}
	return args
}

// runVPC registers a VPC named net and gives it back with its graph.
func runVPC(t *testing.T, args *network.VPCArgs) (*network.VPC, *pulumitest.Graph) {
	t.Helper()
	var vpc *network.VPC
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) (err error) {
		vpc, err = network.New(ctx, "net", args)
		return err
	}, pulumitest.Options{Outputs: map[string]pulumitest.OutputFunc{
		tokenEIP: func(name string, _ resource.PropertyMap) resource.PropertyMap {
			return resource.PropertyMap{"allocationId": resource.NewProperty("${Eip " + name + ".allocationId}")}
		},
	}})
	return vpc, graph
}

func TestVPCGraph(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*network.VPCArgs){
		"single-names": nil,
		"per-zone-ids": func(a *network.VPCArgs) {
			a.NAT, a.Region, a.CIDR = network.NATPerZone, "us-east-2", "10.40.0.0/16"
			a.Zones = []string{"use2-az1", "use2-az2", "use2-az3"}
		},
		"none-tagged": func(a *network.VPCArgs) {
			a.NAT, a.CIDR, a.Zones = network.NATNone, "192.168.4.0/22", []string{"us-west-2a", "us-west-2b"}
			a.Tags = map[string]string{"team": "vision", "Name": "lost"}
			a.PrivateSubnetTags = map[string]string{"karpenter.sh/discovery": "vision"}
			a.PublicSubnetTags = map[string]string{"exposed": "yes"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			vpc, graph := runVPC(t, vpcArgs(change))
			pulumitest.Golden(t, graph.String()+pulumitest.Outputs(t, vpc), filepath.Join("testdata", "vpc-"+name+".golden"))
		})
	}
}

func TestNATGatewaysAndTheirRoutes(t *testing.T) {
	t.Parallel()
	for nat, want := range map[string][]string{ // the gateway of each zone's private route
		network.NATNone:    {"", "", ""},
		network.NATSingle:  {"${NatGateway net-nat-us-west-2a.id}", "${NatGateway net-nat-us-west-2a.id}", "${NatGateway net-nat-us-west-2a.id}"},
		network.NATPerZone: {"${NatGateway net-nat-us-west-2a.id}", "${NatGateway net-nat-us-west-2b.id}", "${NatGateway net-nat-us-west-2c.id}"},
	} {
		t.Run(nat, func(t *testing.T) {
			t.Parallel()
			args := vpcArgs(func(a *network.VPCArgs) { a.NAT = nat })
			_, graph := runVPC(t, args)
			got := make([]string, len(args.Zones))
			for _, route := range graph.OfType(tokenRoute) {
				for i, zone := range args.Zones {
					if route.Name == "net-private-"+zone+"-out" {
						got[i] = route.Inputs["natGatewayId"].StringValue()
					}
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("private routes lead to %v, want %v", got, want)
			}
			distinct := slices.DeleteFunc(slices.Compact(slices.Clone(want)), func(s string) bool { return s == "" })
			if n, m := len(graph.OfType(tokenNAT)), len(graph.OfType(tokenEIP)); n != len(distinct) || m != n {
				t.Errorf("%d gateways and %d addresses, want %d of each", n, m, len(distinct))
			}
		})
	}
}

// TestFromSingleToPerZoneOnlyRetargetsRoutes compares two graphs as an engine would: by type and name.
func TestFromSingleToPerZoneOnlyRetargetsRoutes(t *testing.T) {
	t.Parallel()
	_, single := runVPC(t, vpcArgs(nil))
	_, perZone := runVPC(t, vpcArgs(func(a *network.VPCArgs) { a.NAT = network.NATPerZone }))
	retargeted := 0
	for _, before := range single.Resources {
		if before.Type == network.TypeVPC {
			continue
		}
		after := perZone.Get(t, before.Type, before.Name)
		if before.Inputs.DeepEquals(after.Inputs) {
			continue
		}
		if before.Type != tokenRoute {
			t.Errorf("%s %s changes", before.Type, before.Name)
		}
		retargeted++
	}
	if retargeted != 2 {
		t.Errorf("%d routes change, want those of the second and third zone", retargeted)
	}
}

// TestAppendingAZoneChangesNoSubnet does the same for a list of zones that grows.
func TestAppendingAZoneChangesNoSubnet(t *testing.T) {
	t.Parallel()
	zones := []string{"usw2-az1", "usw2-az2", "usw2-az3", "usw2-az4"}
	_, two := runVPC(t, vpcArgs(func(a *network.VPCArgs) { a.Zones = zones[:2] }))
	_, four := runVPC(t, vpcArgs(func(a *network.VPCArgs) { a.Zones = zones }))
	if n, m := len(two.OfType(tokenSubnet)), len(four.OfType(tokenSubnet)); n != 4 || m != 8 {
		t.Fatalf("%d and %d subnets, want 4 and 8", n, m)
	}
	for _, before := range two.OfType(tokenSubnet) {
		if after := four.Get(t, tokenSubnet, before.Name); !before.Inputs.DeepEquals(after.Inputs) {
			t.Errorf("%s changes from %v to %v", before.Name, before.Inputs, after.Inputs)
		}
	}
}

// TestPrivateSubnetsGiveNoPublicAddress holds what EC2 refuses to instances with several interfaces.
func TestPrivateSubnetsGiveNoPublicAddress(t *testing.T) {
	t.Parallel()
	_, graph := runVPC(t, vpcArgs(nil))
	for _, subnet := range graph.OfType(tokenSubnet) {
		public := strings.Contains(subnet.Name, "-public-")
		maps, set := subnet.Inputs["mapPublicIpOnLaunch"]
		if given := set && maps.BoolValue(); given != public {
			t.Errorf("%s gives public addresses: %t", subnet.Name, given)
		}
	}
}

func TestEveryPrivateSubnetHasItsOwnRouteTable(t *testing.T) {
	t.Parallel()
	for _, nat := range []string{network.NATNone, network.NATSingle, network.NATPerZone} {
		_, graph := runVPC(t, vpcArgs(func(a *network.VPCArgs) { a.NAT = nat }))
		for _, zone := range []string{"us-west-2a", "us-west-2b", "us-west-2c"} {
			graph.Get(t, tokenRouteTable, "net-private-"+zone)
		}
		if n := len(graph.OfType(tokenRouteTable)); n != 4 {
			t.Errorf("nat %s: %d route tables, want 4", nat, n)
		}
	}
}

func TestVPCRefusesArguments(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		args *network.VPCArgs
		want []string // argument and a part of the problem
	}{
		"nothing": {nil, []string{"args: ", "cidr, zones, nat and region"}},
		"everything at once": {&network.VPCArgs{}, []string{
			"region: it is not given", `nat: "" is none of none, single, per_zone`,
			"zones: there are 0", `cidr: VPC "" is not a block`,
		}},
		"small":     {vpcArgs(func(a *network.VPCArgs) { a.CIDR = "10.0.0.0/24" }), []string{"cidr: ", "/22, such as 10.0.0.0/22"}},
		"host bits": {vpcArgs(func(a *network.VPCArgs) { a.CIDR = "10.0.0.1/16" }), []string{"cidr: ", "10.0.0.0/16"}},
		"nat":       {vpcArgs(func(a *network.VPCArgs) { a.NAT = "both" }), []string{`nat: "both" is none of`}},
		"twice": {vpcArgs(func(a *network.VPCArgs) { a.Zones = []string{"us-west-2a", "us-west-2a"} }),
			[]string{`zones: "us-west-2a" is there twice`}},
		"other region": {vpcArgs(func(a *network.VPCArgs) { a.Zones = []string{"us-east-1a"} }),
			[]string{`"us-east-1a" is neither an id`, "such as us-west-2a"}},
		"the region itself": {vpcArgs(func(a *network.VPCArgs) { a.Zones = []string{"us-west-2"} }),
			[]string{`"us-west-2" is neither an id`}},
		"names and ids": {vpcArgs(func(a *network.VPCArgs) { a.Zones = []string{"us-west-2a", "usw2-az1"} }),
			[]string{"us-west-2a is a name and usw2-az1 is an id"}},
		"seven": {vpcArgs(func(a *network.VPCArgs) {
			a.Zones = []string{"x-az1", "x-az2", "x-az3", "x-az4", "x-az5", "x-az6", "x-az7"}
		}), []string{"zones: there are 7"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error {
				_, err := network.New(ctx, "net", tt.args)
				return err
			}, pulumitest.Options{})
			wantRefusal(t, graph, err, tt.want)
		})
	}
}

// wantRefusal checks that a component said what is wrong and registered nothing.
func wantRefusal(t *testing.T, graph *pulumitest.Graph, err error, parts []string) {
	t.Helper()
	var argument *network.ArgumentError
	if !errors.As(err, &argument) {
		t.Fatalf("got %v, want an *ArgumentError", err)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("got\n%v\nwant it to say %q", err, part)
		}
	}
	if len(graph.Resources) > 0 {
		t.Errorf("registered\n%s", graph)
	}
}

func TestLayoutRefusesWhatIsNoBlock(t *testing.T) {
	t.Parallel()
	if got, err := network.Layout("10.0.0.0", 2); err == nil || !strings.Contains(err.Error(), "10.0.0.0/16") {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestVPCPreviewKnowsZonesBeforeIDs(t *testing.T) {
	t.Parallel()
	var vpc *network.VPC
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) (err error) {
		vpc, err = network.New(ctx, "net", vpcArgs(nil))
		return err
	}, pulumitest.Options{Preview: true})
	if got := graph.Get(t, tokenSubnet, "net-private-us-west-2b").Inputs; got["vpcId"].IsComputed() != true ||
		got["cidrBlock"].StringValue() != "10.20.32.0/19" {
		t.Errorf("inputs of a subnet in a preview are %v", got)
	}
	if pulumitest.Await(t, vpc.PrivateSubnetIDs).Known {
		t.Error("ids of subnets are known in a preview")
	}
}
