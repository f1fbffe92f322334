package gpunodes

import (
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
)

// Each test here is named for a kind of mistake that people reported of other tools, and holds the value that is right.

// nic is an interface of a template as registered.
type nic struct {
	card, device int
	kind         string
}

// nics returns the interfaces of a pool's template.
func nics(t *testing.T, args *PoolArgs) []nic {
	t.Helper()
	var all []nic
	list := poolTemplate(t, args)["networkInterfaces"]
	if !list.IsArray() {
		return nil
	}
	for _, item := range list.ArrayValue() {
		i := item.ObjectValue()
		all = append(all, nic{int(i["networkCardIndex"].NumberValue()), int(i["deviceIndex"].NumberValue()), i["interfaceType"].StringValue()})
	}
	return all
}

func offers(t *testing.T, args *PoolArgs) map[string]string {
	t.Helper()
	plan, err := planPool("pool", args)
	if err != nil {
		t.Fatal(err)
	}
	return plan.resources
}

// eksctl 8685: the count of EFAs was taken from the network cards, and the newest types failed.
func TestEFACountComesFromEFALimitNotCards(t *testing.T) {
	t.Parallel()
	typ := found(t, "p6-b300.48xlarge")
	if len(typ.Cards) != 17 || offers(t, efaArgs(typ.Name))[resourceEFA] != "16" {
		t.Errorf("%d cards, %s EFAs; want 17 and 16", len(typ.Cards), offers(t, efaArgs(typ.Name))[resourceEFA])
	}
}

// aws-parallelcluster 7143: p6-b300 does not start with an EFA on card 0.
func TestB300HasOnlyAnENAOnCardZero(t *testing.T) {
	t.Parallel()
	got := nics(t, efaArgs("p6-b300.48xlarge"))
	want := []nic{{0, 0, "interface"}}
	for card := 1; card <= 16; card++ {
		want = append(want, nic{card, 0, "efa-only"})
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// terraform-aws-eks 3653: an old layout with an EFA as primary interface and device 1 on the other cards.
func TestInterfacesFollowTodaysAdviceOfEC2(t *testing.T) {
	t.Parallel()
	got := nics(t, efaArgs("p5.48xlarge"))
	want := []nic{{0, 0, "interface"}, {0, 1, "efa-only"}}
	for card := 1; card <= 31; card++ {
		want = append(want, nic{card, 0, "efa-only"})
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// eksctl 3465: the security group was made and not attached to the EFA interfaces.
func TestFabricGroupIsOnEveryInterface(t *testing.T) {
	t.Parallel()
	list := poolTemplate(t, efaArgs("p4d.24xlarge"))["networkInterfaces"].ArrayValue()
	if len(list) != 5 {
		t.Fatalf("there are %d interfaces, want 5", len(list))
	}
	for i, item := range list {
		if got := strs(item.ObjectValue()["securityGroups"]); !slices.Equal(got, []string{"sg-cluster", "sg-fabric"}) {
			t.Errorf("interface %d has the groups %v", i, got)
		}
	}
}

// eksctl 8554: only managed groups of 1.33 and later have the rule in the cluster's group.
func TestFabricGroupIsAskedForOnEveryVersion(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"1.32", "1.33", "1.35"} {
		args := efaArgs("p4d.24xlarge")
		args.KubernetesVersion, args.FabricSecurityGroupID = version, nil
		if _, err := planPool("pool", args); err == nil || !strings.Contains(err.Error(), "fabricSecurityGroupId") {
			t.Errorf("%s: got %v", version, err)
		}
	}
}

// eksctl 8089, aws-do-eks 56, eks-charts 1348: the chart's own list of types lags behind, its node affinity then
// matches nothing, and a node selector cannot widen it.
func TestEFAPluginListIsThePoolsOwnTypes(t *testing.T) {
	t.Parallel()
	for _, typ := range efaTypes(t) {
		got := values(t, pluginPools(PluginPool{Name: "a", InstanceTypes: []string{typ.Name}, Fabric: "efa"}), "plugins-efa")
		labels := got["supportedInstanceLabels"].ObjectValue()
		if !slices.Equal(strs(labels["values"]), []string{typ.Name}) || !slices.Equal(strs(labels["keys"]), []string{"node.kubernetes.io/instance-type"}) {
			t.Errorf("%s: got %v", typ.Name, labels)
		}
	}
}

// The plugin's node selector must match what the pools' nodes are labelled with, or no plugin pod is ever wanted.
func TestB200GetsItsPlugins(t *testing.T) {
	t.Parallel()
	labels := poolGroup(t, efaArgs("p6-b200.48xlarge"))["labels"].ObjectValue()
	args := pluginPools(PluginPool{Name: "pool", InstanceTypes: []string{"p6-b200.48xlarge"}, Fabric: "efa"})
	for key, value := range values(t, args, "plugins-efa")["nodeSelector"].ObjectValue() {
		if labels[key].StringValue() != value.StringValue() {
			t.Errorf("the EFA plugin selects %s=%s, the nodes have %v", key, value.StringValue(), labels[key])
		}
	}
	if labels[labelGPUPresent].StringValue() != "true" || labels[LabelPool].StringValue() != "pool" {
		t.Errorf("the NVIDIA plugin does not find nodes labelled %v", labels)
	}
}

// eks-charts 1348: two pools of one type, one with EFA and one without.
func TestEFAPluginKeepsOffPoolsWithoutEFA(t *testing.T) {
	t.Parallel()
	selector := values(t, pluginPools(PluginPool{Name: "a", InstanceTypes: []string{"p5.48xlarge"}, Fabric: "efa"}), "plugins-efa")["nodeSelector"].ObjectValue()
	labels := poolGroup(t, poolArgs("p5.48xlarge"))["labels"].ObjectValue()
	if selector[LabelFabric].StringValue() != "efa" || labels[LabelFabric].StringValue() != "none" {
		t.Errorf("the plugin selects %v, a pool without EFA has %v", selector, labels)
	}
}

// terraform-aws-eks-data-addons 53, sagemaker-hyperpod-cli 282: older plugins count NVLink devices and offer 10.
func TestB200OffersEightEFAs(t *testing.T) {
	t.Parallel()
	if got := offers(t, efaArgs("p6-b200.48xlarge"))[resourceEFA]; got != "8" {
		t.Errorf("got %s EFAs, want 8", got)
	}
	tag := values(t, pluginPools(PluginPool{InstanceTypes: []string{"p6-b200.48xlarge"}, Fabric: "efa"}), "plugins-efa")["image"].ObjectValue()["tag"]
	have, ok := versionNumbers(tag.StringValue())
	if !ok || slices.Compare(have, []int{0, 5, 10}) < 0 {
		t.Errorf("the plugin is %v, want 0.5.10 at least", tag)
	}
}

// aws-k8s-tester 531: the device index exceeds the maximum of the card. All types: TestInterfacesOfEveryEFATypeFitItsCards.
func TestDeviceIndexStaysBelowTheCardsMaximum(t *testing.T) {
	t.Parallel()
	typ := found(t, "p5.48xlarge") // two interfaces a card, the tightest
	for _, n := range nics(t, efaArgs(typ.Name)) {
		if n.device >= typ.Cards[n.card].MaxInterfaces {
			t.Errorf("device %d on card %d, which takes %d interfaces", n.device, n.card, typ.Cards[n.card].MaxInterfaces)
		}
	}
}

// aws-efa-nccl-baseami-pipeline 1, libfabric 9356: two EFAs on one card are refused; one EFA of two slows a job down.
func TestEveryEFAIsAttachedOnceACard(t *testing.T) {
	t.Parallel()
	cards := map[int]int{}
	for _, n := range nics(t, efaArgs("hpc7a.96xlarge")) {
		if n.kind != "interface" {
			cards[n.card]++
		}
	}
	if len(cards) != 2 || cards[0] != 1 || cards[1] != 1 {
		t.Errorf("got EFAs by card %v, want one on each of two", cards)
	}
}

// aws-efa-eks 19: a template with subnets on its interfaces cannot be used by a node group.
func TestTemplateNamesNoSubnet(t *testing.T) {
	t.Parallel()
	args := efaArgs("p4d.24xlarge")
	for i, item := range poolTemplate(t, args)["networkInterfaces"].ArrayValue() {
		if subnet, ok := item.ObjectValue()["subnetId"]; ok {
			t.Errorf("interface %d names the subnet %v", i, subnet)
		}
	}
	if got := strs(poolGroup(t, args)["subnetIds"]); !slices.Equal(got, []string{"subnet-a"}) {
		t.Errorf("the group has the subnets %v", got)
	}
}

// karpenter 5666, terraform-aws-eks 3533: asking for a public address, or against one, fails with several interfaces.
func TestTemplateIsSilentAboutPublicAddresses(t *testing.T) {
	t.Parallel()
	for i, item := range poolTemplate(t, efaArgs("p4d.24xlarge"))["networkInterfaces"].ArrayValue() {
		if value, ok := item.ObjectValue()["associatePublicIpAddress"]; ok {
			t.Errorf("interface %d says %v", i, value)
		}
	}
}

// terraform-aws-eks 1386: an instance type both in the template and in the call.
func TestInstanceTypesAreOnlyInTheNodeGroup(t *testing.T) {
	t.Parallel()
	for _, types := range [][]string{{"g6.xlarge"}, {"g6.xlarge", "g6.2xlarge"}} {
		template := poolTemplate(t, poolArgs(types...))
		if template.HasValue("instanceType") || template.HasValue("instanceRequirements") {
			t.Errorf("%v: the template has a type", types)
		}
		if got := strs(poolGroup(t, poolArgs(types...))["instanceTypes"]); !slices.Equal(got, types) {
			t.Errorf("the group has %v, want %v", got, types)
		}
	}
}

// pulumi-eks 1463: an image in the template beside an image type in the call.
func TestImageTypeStandsAlone(t *testing.T) {
	t.Parallel()
	if poolTemplate(t, poolArgs("g6.xlarge")).HasValue("imageId") {
		t.Error("the template has an image")
	}
	if got := poolGroup(t, poolArgs("g6.xlarge"))["amiType"].StringValue(); got != "AL2023_x86_64_NVIDIA" {
		t.Errorf("the image type is %s", got)
	}
}

// pulumi-eks 1283: the Kubernetes version is there to find the release, and not stated beside it.
func TestVersionOnlyFindsTheRelease(t *testing.T) {
	t.Parallel()
	graph := runPool(t, poolArgs("g6.xlarge"))
	if graph.Get(t, tokenNodeGroup, "pool-group").Inputs.HasValue("version") {
		t.Error("the group has a version")
	}
	if len(graph.Calls) != 1 || !strings.Contains(graph.Calls[0].Args["name"].StringValue(), "/1.35/") {
		t.Errorf("got the calls %v", graph.Calls)
	}
}

// pulumi-eks 1323: types with Graviton processors got an image for x86.
func TestArmTypesGetAnArmImage(t *testing.T) {
	t.Parallel()
	for _, typ := range catalog.Default().Types() {
		ami, err := AMIType(typ)
		if err == nil && strings.Contains(ami, "ARM_64") != (typ.Arch == catalog.ArchARM64) {
			t.Errorf("%s is %s and gets %s", typ.Name, typ.Arch, ami)
		}
	}
}

// amazon-eks-ami 2165, 2386: a newer image brought an older container library; another one left RAID groups stuck.
func TestImageNeverFloats(t *testing.T) {
	t.Parallel()
	ignored := func(args *PoolArgs) (release string, ignores bool, calls int) {
		graph := runPool(t, args)
		group := graph.Get(t, tokenNodeGroup, "pool-group")
		ignores = slices.ContainsFunc(group.Options, func(o string) bool {
			return strings.HasPrefix(o, "ignoreChanges") && strings.Contains(o, "releaseVersion")
		})
		return group.Inputs["releaseVersion"].StringValue(), ignores, len(graph.Calls)
	}
	if release, ignores, calls := ignored(poolArgs("g6.xlarge")); release != newestRelease || !ignores || calls != 1 {
		t.Errorf("a release that is looked up: got %s, ignored %t, %d calls", release, ignores, calls)
	}
	named := poolArgs("g6.xlarge")
	named.ImageRelease = "1.35.0-20260901"
	if release, ignores, calls := ignored(named); release != "1.35.0-20260901" || ignores || calls != 0 {
		t.Errorf("a release that is named: got %s, ignored %t, %d calls", release, ignores, calls)
	}
}

// amazon-eks-ami 1817: a standard image on a GPU type has no driver, and the plugin finds no NVML.
func TestAcceleratedTypesNeverGetTheStandardImage(t *testing.T) {
	t.Parallel()
	for _, typ := range catalog.Default().Types() {
		ami, err := AMIType(typ)
		if typ.Accelerator != nil && err == nil && strings.Contains(ami, "STANDARD") {
			t.Errorf("%s with %s gets %s", typ.Name, typ.Accelerator.Name, ami)
		}
	}
}

// aicr 447: a test assumed that every node is a p5.48xlarge with 32 EFAs.
func TestOffersFollowTheType(t *testing.T) {
	t.Parallel()
	for typ, want := range map[string][2]string{
		"p5.48xlarge": {"8", "32"}, "p5en.48xlarge": {"8", "16"}, "p4d.24xlarge": {"8", "4"}, "g6e.48xlarge": {"8", "4"}, "p5.4xlarge": {"1", "1"},
	} {
		got := offers(t, efaArgs(typ))
		if got[resourceGPU] != want[0] || got[resourceEFA] != want[1] {
			t.Errorf("%s: got %v, want %v", typ, got, want)
		}
	}
}

// skypilot 10055, karpenter 6296: scaled up from zero without EFA, since nothing told the autoscaler of it.
func TestEmptyPoolTellsTheAutoscalerWhatItOffers(t *testing.T) {
	t.Parallel()
	tags := poolGroup(t, efaArgs("p5.48xlarge"))["tags"].ObjectValue()
	for name, want := range map[string]string{resourceGPU: "8", resourceEFA: "32", resourceHugepages2Mi: "10256Mi"} {
		key := resource.PropertyKey("k8s.io/cluster-autoscaler/node-template/resources/" + name)
		if got := tags[key]; !got.IsString() || got.StringValue() != want {
			t.Errorf("%s is %v, want %s", key, got, want)
		}
	}
}

// modelplane 198: a pool was labelled for the fabric and its nodes had the plain path.
func TestFabricLabelComesWithInterfaces(t *testing.T) {
	t.Parallel()
	for _, args := range []*PoolArgs{poolArgs("p5en.48xlarge"), efaArgs("p5en.48xlarge")} {
		label := poolGroup(t, args)["labels"].ObjectValue()[LabelFabric].StringValue()
		if efas := len(nics(t, args)) > 1; efas != (label == "efa") {
			t.Errorf("the label is %s with EFA interfaces: %t", label, efas)
		}
	}
}
