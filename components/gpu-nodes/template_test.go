package gpunodes

import (
	"encoding/base64"
	"reflect"
	"slices"
	"testing"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/ec2"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// templateOf returns the template of a pool of one type with EFA, whether or not EKS has an image for it.
func templateOf(t *testing.T, typ *catalog.InstanceType) *ec2.LaunchTemplateArgs {
	t.Helper()
	plan, err := typ.InterfacePlan(catalog.FabricEFA)
	if err != nil {
		t.Fatal(err)
	}
	p := &poolPlan{args: efaArgs(typ.Name).resolved(), types: []*catalog.InstanceType{typ}, interfaces: plan}
	p.spec = NodeSpec{Types: p.types, Plan: plan}
	return p.launchTemplate("pool", nil)
}

// set returns the names of a struct's fields that are set.
func set(args any) []string {
	value := reflect.Indirect(reflect.ValueOf(args))
	var names []string
	for i := range value.NumField() {
		if !value.Field(i).IsZero() {
			names = append(names, value.Type().Field(i).Name)
		}
	}
	return names
}

// Everything a template of a managed node group may not hold is left out, since only what is listed here is set.
func TestTemplateOfEveryEFATypeHoldsNothingForbidden(t *testing.T) {
	t.Parallel()
	allowed := []string{
		"BlockDeviceMappings", "Description", "MetadataOptions", "NamePrefix", "NetworkInterfaces", "TagSpecifications", "Tags", "UserData",
	}
	allowedNIC := []string{"DeleteOnTermination", "DeviceIndex", "InterfaceType", "NetworkCardIndex", "SecurityGroups"}
	for _, typ := range efaTypes(t) {
		t.Run(typ.Name, func(t *testing.T) {
			t.Parallel()
			args := templateOf(t, typ)
			if got := set(args); !slices.Equal(got, allowed) {
				t.Errorf("the template sets %v, want %v", got, allowed)
			}
			for i, nic := range interfaces(t, args) {
				if got := set(nic); !slices.Equal(got, allowedNIC) {
					t.Errorf("interface %d sets %v, want %v", i, got, allowedNIC)
				}
				if got, want := nic.SecurityGroups, (pulumi.StringArray{pulumi.String("sg-cluster"), pulumi.String("sg-fabric")}); !reflect.DeepEqual(got, want) {
					t.Errorf("interface %d has the groups %v, want %v", i, got, want)
				}
				if nic.DeleteOnTermination != pulumi.String("true") {
					t.Errorf("interface %d outlives its instance", i)
				}
			}
		})
	}
}

// interfaces returns the interfaces of a template.
func interfaces(t *testing.T, args *ec2.LaunchTemplateArgs) []*ec2.LaunchTemplateNetworkInterfaceArgs {
	t.Helper()
	list, ok := args.NetworkInterfaces.(ec2.LaunchTemplateNetworkInterfaceArray)
	if !ok || len(list) == 0 {
		t.Fatal("the template has no interfaces")
	}
	nics := make([]*ec2.LaunchTemplateNetworkInterfaceArgs, len(list))
	for i, nic := range list {
		nics[i] = nic.(*ec2.LaunchTemplateNetworkInterfaceArgs)
	}
	return nics
}

func TestInterfacesOfEveryEFATypeFitItsCards(t *testing.T) {
	t.Parallel()
	for _, typ := range efaTypes(t) {
		t.Run(typ.Name, func(t *testing.T) {
			t.Parallel()
			efas := map[int]int{}
			for i, nic := range interfaces(t, templateOf(t, typ)) {
				card, device := int(nic.NetworkCardIndex.(pulumi.Int)), int(nic.DeviceIndex.(pulumi.Int))
				kind := string(nic.InterfaceType.(pulumi.String))
				if i == 0 && (card != 0 || device != 0 || kind == "efa-only") {
					t.Errorf("the primary interface is %s at %d/%d", kind, card, device)
				}
				if card >= len(typ.Cards) || device >= typ.Cards[card].MaxInterfaces {
					t.Errorf("there is no device %d on card %d", device, card)
				}
				if kind != "interface" {
					efas[card]++
				}
			}
			for card, n := range efas {
				if n != 1 {
					t.Errorf("card %d has %d EFAs", card, n)
				}
			}
			if len(efas) != typ.MaxEFA {
				t.Errorf("%d EFAs are attached, the type takes %d", len(efas), typ.MaxEFA)
			}
		})
	}
}

func TestTemplateWithoutEFAHasGroupsAtTheInstance(t *testing.T) {
	t.Parallel()
	plan, err := planPool("pool", poolArgs("m7i.xlarge"))
	if err != nil {
		t.Fatal(err)
	}
	args := plan.launchTemplate("pool", nil)
	if args.NetworkInterfaces != nil || !reflect.DeepEqual(args.VpcSecurityGroupIds, pulumi.StringArray{pulumi.String("sg-cluster")}) {
		t.Errorf("got interfaces %v and groups %v", args.NetworkInterfaces, args.VpcSecurityGroupIds)
	}
	if args.UserData != nil {
		t.Errorf("the user data is %v, want none", args.UserData)
	}
}

func TestTemplateCarriesUserDataInBase64(t *testing.T) {
	t.Parallel()
	args := templateOf(t, found(t, "p5.48xlarge"))
	decoded, err := base64.StdEncoding.DecodeString(string(args.UserData.(pulumi.String)))
	if err != nil {
		t.Fatal(err)
	}
	want, err := UserData(nodeSpec(t, catalog.FabricEFA, "p5.48xlarge"))
	if err != nil || string(decoded) != want {
		t.Errorf("got\n%s\n%v, want\n%s", decoded, err, want)
	}
}

func TestMetadataIsForTheHostOnly(t *testing.T) {
	t.Parallel()
	options := metadataOptions()
	if options.HttpTokens != pulumi.String("required") || options.HttpPutResponseHopLimit != pulumi.Int(1) {
		t.Errorf("tokens are %v and the hop limit is %v", options.HttpTokens, options.HttpPutResponseHopLimit)
	}
}
