package cluster_test

import (
	"testing"

	"github.com/gpuyard/gpuyard/components/cluster"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// remote returns a cluster's arguments with hybrid nodes.
func remote(nodes, pods []string) *cluster.ClusterArgs {
	return clusterArgs(func(a *cluster.ClusterArgs) { a.RemoteNodeCIDRs, a.RemotePodCIDRs = nodes, pods })
}

func TestRemoteNetworksReachTheControlPlane(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args        *cluster.ClusterArgs
		nodes, pods string
	}{
		"none":  {remote(nil, nil), "", ""},
		"nodes": {remote([]string{"10.80.0.0/16"}, nil), "10.80.0.0/16", ""},
		"both":  {remote([]string{"10.80.0.0/16"}, []string{"10.85.0.0/16"}), "10.80.0.0/16", "10.85.0.0/16"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, graph := runCluster(t, c.args, commercial())
			config := graph.Get(t, tokenCluster, "prod").Inputs["remoteNetworkConfig"]
			if got := remoteBlock(config, "remoteNodeNetworks"); got != c.nodes {
				t.Errorf("nodes are in %q, want %q", got, c.nodes)
			}
			if got := remoteBlock(config, "remotePodNetworks"); got != c.pods {
				t.Errorf("pods are in %q, want %q", got, c.pods)
			}
		})
	}
}

// remoteBlock returns the block of one kind of remote network, and nothing when there is none.
func remoteBlock(config resource.PropertyValue, kind resource.PropertyKey) string {
	if !config.IsObject() || !config.ObjectValue().HasValue(kind) {
		return ""
	}
	return config.ObjectValue()[kind].ObjectValue()["cidrs"].ArrayValue()[0].StringValue()
}

func TestRemoteNetworksRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		nodes, pods []string
		says        []string
	}{
		"pods alone": {nil, []string{"10.85.0.0/16"}, []string{"remoteNodeCidrs: remotePodCidrs are given"}},
		"public":     {[]string{"203.0.113.0/24"}, nil, []string{"remoteNodeCidrs: 203.0.113.0/24 is not private"}},
		"no block":   {[]string{"here"}, []string{"10.85.0.1/16"}, []string{`"here" is not an IPv4 block`, "10.85.0.1/16 has bits set beyond its prefix"}},
		"overlap":    {[]string{"10.80.0.0/16"}, []string{"10.80.128.0/17"}, []string{"remotePodCidrs: 10.80.128.0/17 overlaps 10.80.0.0/16"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graph, err := pulumitest.RunErr(t, func(ctx *pulumi.Context) error {
				_, err := cluster.New(ctx, "prod", remote(c.nodes, c.pods))
				return err
			}, commercial())
			wantRefusal(t, graph, err, c.says)
		})
	}
}
