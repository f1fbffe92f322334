package gpunodes

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// Reports about capacity, images and accelerators other than GPUs; like those in reports_test.go, each test holds the
// value that is right.

// eksctl 8542, 8320: the target of a Capacity Block was empty, for its key was written Id where another was meant.
func TestCapacityBlockHasItsReservation(t *testing.T) {
	t.Parallel()
	for _, typ := range []string{"p5.48xlarge", "p5en.48xlarge"} {
		template := poolTemplate(t, reserved("capacity_block", typ))
		target := template["capacityReservationSpecification"].ObjectValue()["capacityReservationTarget"].ObjectValue()
		if got := target["capacityReservationId"]; len(target) != 1 || !got.IsString() || got.StringValue() != reservation {
			t.Errorf("%s: the target is %v, want %s", typ, target, reservation)
		}
		empty := reserved("capacity_block", typ)
		empty.Reservation = ""
		refusal(t, empty, "reservation: capacity of kind capacity_block needs the id of what was bought")
	}
}

// containers-roadmap 2204: a zone without capacity kept a group from being made, and the group from being mended. Which
// zones a pool is in, and in which order, is the caller's to say, and EKS is not waited for longer than it tries.
func TestZonesAreTriedInTheOrderGiven(t *testing.T) {
	t.Parallel()
	args := poolArgs("g6.xlarge")
	subnets := []string{"subnet-c", "subnet-a", "subnet-b"}
	args.SubnetIDs = pulumi.ToStringArray(subnets)
	group := runPool(t, args).Get(t, tokenNodeGroup, "pool-group")
	if got := strs(group.Inputs["subnetIds"]); !slices.Equal(got, subnets) {
		t.Errorf("got %v, want %v", got, subnets)
	}
	if !slices.Contains(group.Options, "create timeout: 40m") {
		t.Errorf("the options are %v", group.Options)
	}
}

// pulumi-eks 1593: zones chosen by what is offered there today would differ tomorrow, and replace the group.
func TestNothingIsAskedThatCouldMoveAPool(t *testing.T) {
	t.Parallel()
	for _, call := range runPool(t, efaArgs("p4d.24xlarge")).Calls {
		if call.Token != tokenParameter {
			t.Errorf("%s is called", call.Token)
		}
	}
}

// terraform-aws-eks 1386: the type of a Capacity Block is in the template, and then it must not be in the call.
func TestTypeOfACapacityBlockIsOnlyInTheTemplate(t *testing.T) {
	t.Parallel()
	graph := runPool(t, reserved("capacity_block", "p5.48xlarge"))
	template, group := graph.Get(t, tokenTemplate, "pool-template").Inputs, graph.Get(t, tokenNodeGroup, "pool-group").Inputs
	if got := template["instanceType"].StringValue(); got != "p5.48xlarge" {
		t.Errorf("the template has the type %s", got)
	}
	if group.HasValue("instanceTypes") {
		t.Errorf("the group has the types %v as well", group["instanceTypes"])
	}
	if market := template["instanceMarketOptions"].ObjectValue()["marketType"].StringValue(); market != "capacity-block" {
		t.Errorf("the market is %s", market)
	}
	if got := group["capacityType"].StringValue(); got != "CAPACITY_BLOCK" {
		t.Errorf("the capacity is %s", got)
	}
}

// The same report for a reservation: it is on-demand capacity, and only the template's target tells it from any other.
func TestReservationIsOnDemandCapacityWithATarget(t *testing.T) {
	t.Parallel()
	graph := runPool(t, reserved("reservation", "p5.48xlarge"))
	template, group := graph.Get(t, tokenTemplate, "pool-template").Inputs, graph.Get(t, tokenNodeGroup, "pool-group").Inputs
	if template.HasValue("instanceType") || template.HasValue("instanceMarketOptions") || !template.HasValue("capacityReservationSpecification") {
		t.Errorf("the template is %v", template)
	}
	if group["capacityType"].StringValue() != "ON_DEMAND" || !slices.Equal(strs(group["instanceTypes"]), []string{"p5.48xlarge"}) {
		t.Errorf("the group is %v", group)
	}
}

// pulumi-eks 1463 and 1283: beside an image in the template, EKS takes no kind of image, no version and no release.
func TestNamedImageStandsAlone(t *testing.T) {
	t.Parallel()
	graph := runPool(t, namedImage(poolArgs("g6.xlarge")))
	if got := graph.Get(t, tokenTemplate, "pool-template").Inputs["imageId"].StringValue(); got != "ami-0123456789abcdef0" {
		t.Errorf("the image is %s", got)
	}
	group := graph.Get(t, tokenNodeGroup, "pool-group").Inputs
	for _, key := range []resource.PropertyKey{"amiType", "releaseVersion", "version"} {
		if group.HasValue(key) {
			t.Errorf("the group has %s %v", key, group[key])
		}
	}
	if len(graph.Calls) > 0 {
		t.Errorf("a release is looked up for it: %v", graph.Calls)
	}
}

// pulumi-eks 1463: EKS adds nothing to the user data of such an image, which must then say all that nodeadm needs.
func TestNamedImageIsToldOfItsCluster(t *testing.T) {
	t.Parallel()
	data, err := base64.StdEncoding.DecodeString(poolTemplate(t, namedImage(poolArgs("g6.xlarge")))["userData"].StringValue())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`name: "yard"`, `apiServerEndpoint: "https://ABC.gr7.us-west-2.eks.amazonaws.com"`, `certificateAuthority: "Y2VydA=="`,
		`cidr: "172.20.0.0/16"`, "maxPods: 58", "--register-with-taints=nvidia.com/gpu=present:NoSchedule", "nvidia.com/gpu.present=true",
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%s is not in\n%s", want, data)
		}
	}
}

// pulumi-eks 1323: arm types got an image for x86; so on Bottlerocket.
func TestArmTypesGetAnArmBottlerocket(t *testing.T) {
	t.Parallel()
	for _, typ := range catalog.Default().Types() {
		ami, err := BottlerocketAMIType(typ)
		if err == nil && strings.Contains(ami, "ARM_64") != (typ.Arch == catalog.ArchARM64) {
			t.Errorf("%s is %s and gets %s", typ.Name, typ.Arch, ami)
		}
	}
}

// amazon-eks-ami 1817: a plain image on a GPU type; so on Bottlerocket, whose plain images have the Neuron driver only.
func TestGPUsNeverGetThePlainBottlerocket(t *testing.T) {
	t.Parallel()
	for _, typ := range catalog.Default().Types() {
		ami, err := BottlerocketAMIType(typ)
		if nvidiaGPUs(typ) > 0 && err == nil && !strings.Contains(ami, "NVIDIA") {
			t.Errorf("%s gets %s", typ.Name, ami)
		}
	}
}

// amazon-eks-ami 2386, 2165: RAID groups stuck after an update, and a newer image broke pods; so on Bottlerocket.
func TestBottlerocketNeverFloats(t *testing.T) {
	t.Parallel()
	args := poolArgs("g6.xlarge")
	args.OS = "bottlerocket"
	graph := runPool(t, args)
	if len(graph.Calls) != 1 || graph.Calls[0].Args["name"].StringValue() != "/aws/service/bottlerocket/aws-k8s-1.35-nvidia/x86_64/latest/image_version" {
		t.Errorf("got the calls %v", graph.Calls)
	}
	if options := graph.Get(t, tokenNodeGroup, "pool-group").Options; !slices.ContainsFunc(options, func(o string) bool { return strings.Contains(o, "releaseVersion") }) {
		t.Errorf("the release is not kept: %v", options)
	}
}

// karpenter-provider-aws 8873, 8935, karpenter 2409: an update of a full reservation waits for a spare for ever. EKS's
// way of stopping first is not within reach of the SDK; what can be had is a pace, and room is the caller's to leave.
func TestUpdatesTakeAsManyNodesAsAllowed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		update Update
		key    resource.PropertyKey
		want   float64
	}{
		{Update{}, "maxUnavailable", 1},
		{Update{MaxUnavailable: 4}, "maxUnavailable", 4},
		{Update{MaxUnavailablePercentage: 25}, "maxUnavailablePercentage", 25},
	} {
		args := reserved("reservation", "p5.48xlarge")
		args.Update = c.update
		config := poolGroup(t, args)["updateConfig"].ObjectValue()
		if len(config) != 1 || !config.HasValue(c.key) || config[c.key].NumberValue() != c.want {
			t.Errorf("%v: got %v, want %s %v", c.update, config, c.key, c.want)
		}
	}
}

// gpu-operator 403: a reboot undoes a split, and what checks the node afterwards fails. So the split is made at every boot.
func TestSplitIsMadeAtEveryBoot(t *testing.T) {
	t.Parallel()
	script := migScript("1g.5gb", types(t, "p4d.24xlarge"))
	for _, want := range []string{"systemctl enable --now gpuyard-mig.service", "WantedBy=multi-user.target", "Before=nodeadm-run.service kubelet.service"} {
		if !strings.Contains(script, want) {
			t.Errorf("%s is not in\n%s", want, script)
		}
	}
}

// gpu-operator 603, 1606: a split was said to be made, and there was none before a reboot.
func TestSplitRebootsOnceWhereTheModeNeedsIt(t *testing.T) {
	t.Parallel()
	script := migScript("1g.5gb", types(t, "p4d.24xlarge"))
	marked, rebooted := strings.Index(script, "touch /var/lib/gpuyard-mig-rebooted"), strings.Index(script, "systemctl reboot")
	if marked < 0 || rebooted < marked {
		t.Errorf("it may reboot for ever:\n%s", script)
	}
}

// gpu-operator 1310: GPUs shared in time were reset by a manager of MIG that found a label.
func TestOnlySplitGPUsAreLabelledForMIG(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]bool{"mig": true, "time_slicing": false, "mps": false} {
		s := GPUSharing{Kind: kind, Replicas: 4}
		if kind == "mig" {
			s = GPUSharing{Kind: kind, Profile: "1g.5gb"}
		}
		if got := poolGroup(t, sharedArgs(s, "p4d.24xlarge"))["labels"].ObjectValue().HasValue(labelMIGConfig); got != want {
			t.Errorf("%s: labelled %t", kind, got)
		}
	}
}

// terraform-provider-aws 24289, karpenter: dl1 with several EFAs, one on each of its four cards.
func TestGaudiHasAllItsEFAs(t *testing.T) {
	t.Parallel()
	args := namedImage(efaArgs("dl1.24xlarge"))
	want := []nic{{0, 0, "interface"}, {0, 1, "efa-only"}, {1, 0, "efa-only"}, {2, 0, "efa-only"}, {3, 0, "efa-only"}}
	if got := nics(t, args); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := offers(t, args); got[resourceGaudi] != "8" || got[resourceEFA] != "4" {
		t.Errorf("it offers %v", got)
	}
}

// omnia 2359: nodes got their label from the plugin's own rollout, and new ones missed it. The plugin finds Gaudi nodes
// by labels that they have from the start.
func TestGaudiPluginFindsItsNodes(t *testing.T) {
	t.Parallel()
	labels := poolGroup(t, namedImage(poolArgs("dl1.24xlarge")))["labels"].ObjectValue()
	daemonSet := runPlugins(t, pluginPools(PluginPool{Name: "a", InstanceTypes: []string{"dl1.24xlarge"}})).Get(t, tokenDaemonSet, "plugins-gaudi")
	pod := daemonSet.Inputs["spec"].ObjectValue()["template"].ObjectValue()["spec"].ObjectValue()
	terms := pod["affinity"].ObjectValue()["nodeAffinity"].ObjectValue()["requiredDuringSchedulingIgnoredDuringExecution"].ObjectValue()["nodeSelectorTerms"]
	for _, e := range terms.ArrayValue()[0].ObjectValue()["matchExpressions"].ArrayValue() {
		key := e.ObjectValue()["key"].StringValue()
		if key != labelInstanceType && !labels.HasValue(resource.PropertyKey(key)) {
			t.Errorf("the plugin asks for %s, the nodes have %v", key, labels)
		}
	}
	if image := pod["containers"].ArrayValue()[0].ObjectValue()["image"].StringValue(); strings.HasSuffix(image, ":latest") {
		t.Errorf("the plugin floats: %s", image)
	}
}

// Bottlerocket runs a plugin of its own: a second one on the same node hands out every GPU twice.
func TestBottlerocketGetsNoSecondPlugin(t *testing.T) {
	t.Parallel()
	args := poolArgs("g6.xlarge")
	args.OS = "bottlerocket"
	if labels := poolGroup(t, args)["labels"].ObjectValue(); labels.HasValue(labelGPUPresent) {
		t.Errorf("the plugin of another pool of the type goes to nodes labelled %v", labels)
	}
}

// The rules of platforms know a group that starts from zero and does not say what it offers as an error.
func TestEmptyPoolsOfEveryMakerSayWhatTheyOffer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args           *PoolArgs
		resource, want string
	}{
		"gaudi":  {namedImage(efaArgs("dl1.24xlarge")), "habana.ai/gaudi", "8"},
		"neuron": {poolArgs("trn1.32xlarge"), "aws.amazon.com/neuroncore", "32"},
		"mig":    {sharedArgs(GPUSharing{Kind: "mig", Profile: "1g.5gb"}, "p4d.24xlarge"), "nvidia.com/mig-1g.5gb", "56"},
		"shares": {sharedArgs(GPUSharing{Kind: "time_slicing", Replicas: 4}, "g6.xlarge"), "nvidia.com/gpu", "4"},
	} {
		tags := poolGroup(t, c.args)["tags"].ObjectValue()
		if got := tags[resource.PropertyKey(autoscalerResource+c.resource)]; !got.IsString() || got.StringValue() != c.want {
			t.Errorf("%s: got %v, want %s of %s", name, got, c.want, c.resource)
		}
	}
}
