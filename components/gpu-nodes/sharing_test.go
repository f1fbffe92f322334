package gpunodes

import (
	"maps"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/catalog"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"gopkg.in/yaml.v3"
)

// sharedArgs returns arguments of a pool whose GPUs are shared.
func sharedArgs(s GPUSharing, types ...string) *PoolArgs {
	args := poolArgs(types...)
	args.GPUSharing = &s
	return args
}

func TestSharingRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args   *PoolArgs
		change func(*PoolArgs)
		says   []string
	}{
		"no kind":       {sharedArgs(GPUSharing{}, "g6.xlarge"), nil, []string{`"" is unknown: it may be mig, time_slicing or mps`}},
		"no GPU":        {sharedArgs(GPUSharing{Kind: "mps", Replicas: 2}, "m7i.xlarge"), nil, []string{"m7i.xlarge has no NVIDIA GPU to share"}},
		"Neuron":        {sharedArgs(GPUSharing{Kind: "mig", Profile: "1g.5gb"}, "trn1.2xlarge"), nil, []string{"trn1.2xlarge has no NVIDIA GPU to share"}},
		"a part":        {sharedArgs(GPUSharing{Kind: "time_slicing", Replicas: 2}, "g6f.large"), nil, []string{"g6f.large has a part of a GPU already"}},
		"wrong GPU":     {sharedArgs(GPUSharing{Kind: "mig", Profile: "1g.5gb"}, "p5.48xlarge"), nil, []string{`the H100 of p5.48xlarge has no MIG profile "1g.5gb": it may be 1g.10gb`}},
		"no MIG":        {sharedArgs(GPUSharing{Kind: "mig", Profile: "1g.5gb"}, "g6e.xlarge"), nil, []string{"the L40S of g6e.xlarge cannot be split by MIG"}},
		"no profile":    {sharedArgs(GPUSharing{Kind: "mig"}, "p5.48xlarge"), nil, []string{`has no MIG profile ""`}},
		"unequal":       {sharedArgs(GPUSharing{Kind: "mig", Profile: "1g.10gb"}, "p4d.24xlarge", "p4de.24xlarge"), nil, []string{"a GPU of p4d.24xlarge holds 4 parts of 1g.10gb and one of p4de.24xlarge holds 7"}},
		"MIG replicas":  {sharedArgs(GPUSharing{Kind: "mig", Profile: "1g.5gb", Replicas: 2}, "p4d.24xlarge"), nil, []string{"a part is not shared further"}},
		"no replicas":   {sharedArgs(GPUSharing{Kind: "time_slicing"}, "g6.xlarge"), nil, []string{"0 replicas are asked for: sharing begins at 2"}},
		"MPS on MIG":    {sharedArgs(GPUSharing{Kind: "mps", Profile: "1g.5gb", Replicas: 2}, "p4d.24xlarge"), nil, []string{"a GPU is shared in one way"}},
		"too many":      {sharedArgs(GPUSharing{Kind: "mps", Replicas: 49}, "g6.xlarge"), nil, []string{"MPS serves 48 processes"}},
		"EFA":           {sharedArgs(GPUSharing{Kind: "mps", Replicas: 2}, "p5.48xlarge"), func(a *PoolArgs) { a.Fabric, a.FabricSecurityGroupID = "efa", a.ClusterSecurityGroupID }, []string{"EFA is for jobs over whole GPUs"}},
		"Bottlerocket":  {sharedArgs(GPUSharing{Kind: "mps", Replicas: 2}, "g6.xlarge"), func(a *PoolArgs) { a.OS = "bottlerocket" }, []string{"Bottlerocket runs a device plugin of its own"}},
		"MIG hugepages": {sharedArgs(GPUSharing{Kind: "mig", Profile: "1g.5gb"}, "p4d.24xlarge"), func(a *PoolArgs) { a.Kubelet.Hugepages = map[string]int{"2Mi": 1} }, []string{"split only by a reboot"}},
		"own label":     {poolArgs("g6.xlarge"), func(a *PoolArgs) { a.Labels = map[string]string{"nvidia.com/mig.config": "all-1g.5gb"} }, []string{"labels: nvidia.com/mig.config follows from the pool"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.change != nil {
				c.change(c.args)
			}
			refusal(t, c.args, c.says...)
		})
	}
}

func TestSharedNodesOfferWhatTheyHold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args *PoolArgs
		want map[string]string
	}{
		{sharedArgs(GPUSharing{Kind: "mig", Profile: "1g.5gb"}, "p4d.24xlarge"), map[string]string{"nvidia.com/mig-1g.5gb": "56"}},
		{sharedArgs(GPUSharing{Kind: "mig", Profile: "3g.40gb"}, "p5.4xlarge"), map[string]string{"nvidia.com/mig-3g.40gb": "2"}},
		{sharedArgs(GPUSharing{Kind: "mig", Profile: "1g.10gb"}, "p5.48xlarge", "p4de.24xlarge"), map[string]string{"nvidia.com/mig-1g.10gb": "56"}},
		{sharedArgs(GPUSharing{Kind: "time_slicing", Replicas: 4}, "g6.12xlarge"), map[string]string{"nvidia.com/gpu": "16"}},
		{sharedArgs(GPUSharing{Kind: "mps", Replicas: 3}, "g6.xlarge", "g6.12xlarge"), map[string]string{"nvidia.com/gpu": "3"}},
	} {
		if got := offers(t, c.args); !maps.Equal(got, c.want) {
			t.Errorf("%v of %v: got %v, want %v", *c.args.GPUSharing, c.args.InstanceTypes, got, c.want)
		}
	}
}

// Every profile that the catalog knows makes a script, and it asks for as many parts as a GPU holds.
func TestScriptMakesEveryPartOfEveryProfile(t *testing.T) {
	t.Parallel()
	split := 0
	for _, typ := range catalog.Default().Types() {
		if typ.Accelerator == nil {
			continue
		}
		for _, profile := range typ.Accelerator.MIGProfiles() {
			split++
			want := "mig -cgi " + strings.TrimSuffix(strings.Repeat(profile.Name+",", profile.PerGPU), ",") + " -C\n"
			if got := migScript(profile.Name, []*catalog.InstanceType{typ}); !strings.Contains(got, want) {
				t.Errorf("%s on %s: %q is not in\n%s", profile.Name, typ.Name, want, got)
			}
		}
	}
	if split < 30 {
		t.Errorf("only %d profiles were tried", split)
	}
}

func TestPluginConfigurations(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sharing GPUSharing
		says    map[string]any
	}{
		"mig": {GPUSharing{Kind: "mig", Profile: "1g.5gb"}, map[string]any{"flags.migStrategy": "mixed"}},
		"time-slicing-4": {GPUSharing{Kind: "time_slicing", Replicas: 4}, map[string]any{
			"flags.migStrategy": "none", "sharing.timeSlicing.failRequestsGreaterThanOne": true,
		}},
		"mps-8": {GPUSharing{Kind: "mps", Replicas: 8}, map[string]any{
			"flags.migStrategy": "none", "sharing.mps.failRequestsGreaterThanOne": true,
		}},
	} {
		if got := c.sharing.configName(); got != name {
			t.Errorf("it is named %s, want %s", got, name)
		}
		var doc map[string]any
		if err := yaml.Unmarshal([]byte(c.sharing.pluginConfig()), &doc); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if doc["version"] != "v1" {
			t.Errorf("%s has the version %v", name, doc["version"])
		}
		for path, want := range c.says {
			if got := at(doc, strings.Split(path, ".")...); got != want {
				t.Errorf("%s: %s is %v, want %v", name, path, got, want)
			}
		}
	}
}

// The plugin finds a node's configuration by a label, and falls back to that of whole GPUs without a word.
func TestNodesNameAConfigurationThatThePluginHas(t *testing.T) {
	t.Parallel()
	for _, s := range []GPUSharing{{Kind: "mig", Profile: "1g.5gb"}, {Kind: "time_slicing", Replicas: 4}, {Kind: "mps", Replicas: 2}} {
		labels := poolGroup(t, sharedArgs(s, "p4d.24xlarge"))["labels"].ObjectValue()
		config := values(t, pluginPools(PluginPool{Name: "a", InstanceTypes: []string{"p4d.24xlarge"}, GPUSharing: &s}), "plugins-nvidia")["config"].ObjectValue()
		name := labels[labelPluginConfig].StringValue()
		if got := config["map"].ObjectValue()[resource.PropertyKey(name)]; !got.IsString() || got.StringValue() != s.pluginConfig() {
			t.Errorf("%v: the nodes name %s, the plugin has %v", s, name, config["map"])
		}
		if config["default"].StringValue() != "default" || !config["map"].ObjectValue().HasValue("default") {
			t.Errorf("%v: other nodes get %v", s, config["default"])
		}
		if mps := labels.HasValue(labelMPSCapable); mps != (s.Kind == "mps") {
			t.Errorf("%v: the daemon of MPS is let on: %t", s, mps)
		}
	}
}
