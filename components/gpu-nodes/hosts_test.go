package gpunodes

import (
	"slices"
	"strings"
	"testing"

	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// rackWorld answers as AWS would for hybrid nodes.
func rackWorld() pulumitest.Options {
	options := world()
	text := func(s string) resource.PropertyValue { return resource.NewProperty(s) }
	options.Calls["aws:index/getPartition:getPartition"] = func(resource.PropertyMap) (resource.PropertyMap, error) {
		return resource.PropertyMap{"partition": text("aws"), "dnsSuffix": text("amazonaws.com"), "id": text("aws")}, nil
	}
	options.Calls["aws:index/getCallerIdentity:getCallerIdentity"] = func(resource.PropertyMap) (resource.PropertyMap, error) {
		return resource.PropertyMap{"accountId": text("111122223333"), "arn": text("arn:aws:iam::111122223333:user/x"), "userId": text("x"), "id": text("111122223333")}, nil
	}
	options.Outputs["aws:ssm/activation:Activation"] = func(string, resource.PropertyMap) resource.PropertyMap {
		return resource.PropertyMap{"activationCode": text("S3cretActivationCode")}
	}
	return options
}

func rackArgs(change func(*HostsArgs)) *HostsArgs {
	args := &HostsArgs{
		Addresses: []string{"10.200.0.11", "10.200.0.12"}, User: "ubuntu", Port: 22, KeyFile: "~/.ssh/rack", KnownHosts: "known_hosts", Bastion: "jump@203.0.113.10",
		Accelerator: "gaudi2", AcceleratorCount: 8, Fabric: "roce", Profile: map[string]string{"thp.enabled": "madvise", "roce.priority": "3"},
		Labels: map[string]string{LabelPool: "rack", "team": "a"}, Taints: []Taint{{Key: "team", Value: "a", Effect: "NoExecute"}},
		ClusterName: pulumi.String("gaudi"), KubernetesVersion: "1.35", Region: "us-west-2", RoleName: pulumi.String("hybrid"),
		ClusterARN: pulumi.String("arn:aws:eks:us-west-2:111122223333:cluster/gaudi"), Tags: map[string]string{"env": "dev"},
	}
	if change != nil {
		change(args)
	}
	return args
}

func runHosts(args *HostsArgs) func(*pulumi.Context) error {
	return func(ctx *pulumi.Context) error {
		_, err := NewHosts(ctx, "gaudi-rack", args)
		return err
	}
}

func TestNewHosts(t *testing.T) {
	t.Parallel()
	graph := pulumitest.Run(t, runHosts(rackArgs(nil)), rackWorld())
	pulumitest.Golden(t, graph.String(), "testdata/hosts.golden")
	for _, address := range []string{"10.200.0.11", "10.200.0.12"} {
		in := graph.Get(t, tokenHost, "gaudi-rack-"+address).Inputs
		if !in["secrets"].IsSecret() {
			t.Errorf("the code of %s is in the open: %v", address, in["secrets"])
		}
		profile := in["profile"].ObjectValue()
		for key, want := range map[resource.PropertyKey]string{
			"cluster.labels": "gpuyard.dev/accelerator=gaudi2,gpuyard.dev/accelerator-count=8,gpuyard.dev/fabric=roce,gpuyard.dev/pool=rack,team=a",
			"cluster.taints": "habana.ai/gaudi=present:NoSchedule,team=a:NoExecute", "roce.priority": "3",
		} {
			if got := profile[key].StringValue(); got != want {
				t.Errorf("%s is %s", key, got)
			}
		}
	}
}

func TestHostsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*HostsArgs)
		want   string
	}{
		"nothing":            {func(a *HostsArgs) { *a = HostsArgs{} }, "addresses: there are none"},
		"twice":              {func(a *HostsArgs) { a.Addresses = []string{"a", "a"} }, `"a" is empty, or there twice`},
		"EFA":                {func(a *HostsArgs) { a.Fabric = "efa" }, `"efa" is not a fabric of hosts`},
		"no role":            {func(a *HostsArgs) { a.RoleName = nil }, "roleName: it is not given"},
		"unknown device":     {func(a *HostsArgs) { a.Accelerator = "voodoo" }, `"voodoo" is no accelerator of hosts`},
		"none of a device":   {func(a *HostsArgs) { a.AcceleratorCount = 0 }, "has one at least"},
		"cluster by hand":    {func(a *HostsArgs) { a.Profile["cluster.name"] = "x" }, "cluster.name follows from the pool"},
		"a wrong taint":      {func(a *HostsArgs) { a.Taints[0].Effect = "Never" }, "taints"},
		"a label of plugins": {func(a *HostsArgs) { a.Labels[LabelFabric] = "efa" }, "device plugins find their nodes by it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, err := pulumitest.RunErr(t, runHosts(rackArgs(c.change)), rackWorld())
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v", err)
			}
			for _, r := range graph.Resources {
				if !strings.HasPrefix(r.Type, "pulumi:") {
					t.Errorf("%s was registered", r.Type)
				}
			}
		})
	}
	if _, err := pulumitest.RunErr(t, runHosts(nil), rackWorld()); err == nil {
		t.Error("no arguments were accepted")
	}
}

// TestARenamedRackKeepsItsRegistrations: an activation that was replaced would have its host register again.
func TestARenamedRackKeepsItsRegistrations(t *testing.T) {
	t.Parallel()
	graph := pulumitest.Run(t, runHosts(rackArgs(func(a *HostsArgs) { a.RenamedFrom = "gaudi-old" })), rackWorld())
	for _, token := range []string{tokenHost, "aws:ssm/activation:Activation"} {
		options := graph.Get(t, token, "gaudi-rack-10.200.0.11").Options
		if !slices.Contains(options, "alias: gaudi-old-10.200.0.11") {
			t.Errorf("%s has the options %v", token, options)
		}
	}
}

func hybridArgs() *HybridArgs {
	return &HybridArgs{
		ClusterName: pulumi.String("gaudi"), ClusterSecurityGroupID: pulumi.String("sg-cluster"), Region: "us-west-2",
		RemoteCIDRs: []string{"10.200.0.0/24", "10.201.0.0/16"}, Tags: map[string]string{"env": "dev"},
	}
}

func TestNewHybrid(t *testing.T) {
	t.Parallel()
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
		_, err := NewHybrid(ctx, "gaudi", hybridArgs())
		return err
	}, rackWorld())
	pulumitest.Golden(t, graph.String(), "testdata/hybrid.golden")
}

func TestHybridRefused(t *testing.T) {
	t.Parallel()
	for want, args := range map[string]*HybridArgs{
		"args: they are missing":                    nil,
		"remoteCidrs: there are none":               {ClusterName: pulumi.String("x")},
		`"10.1.2.3/8" is not an IPv4 block such as`: {RemoteCIDRs: []string{"10.1.2.3/8"}},
		"region: it is not given":                   {RemoteCIDRs: []string{"10.0.0.0/8"}},
	} {
		if err := checkHybrid("gaudi", args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestPluginsReachServers: nodes of a rack carry no instance type, and are told by their pool.
func TestPluginsReachServers(t *testing.T) {
	t.Parallel()
	graph := runPlugins(t, pluginPools(
		PluginPool{Name: "dl1", InstanceTypes: []string{"dl1.24xlarge"}},
		PluginPool{Name: "rack", Accelerator: "gaudi2", AcceleratorCount: 8, Fabric: "roce"},
		PluginPool{Name: "h100s", Accelerator: "h100", AcceleratorCount: 8},
	))
	pulumitest.Golden(t, graph.String(), "testdata/plugins-servers.golden")
}
