package storage

import (
	"encoding/json"
	"testing"

	"github.com/gpuyard/gpuyard/components/internal/helm"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// pulumitestText is a value as JSON, without escapes of line ends.
func pulumitestText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var out []byte
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && text[i+1] == 'n' {
			out = append(out, '\n')
			i++
			continue
		}
		out = append(out, text[i])
	}
	return string(out)
}

func TestSnapshotsGraph(t *testing.T) {
	t.Parallel()
	graph := runInCluster(t, func(ctx *pulumi.Context) error {
		_, err := NewSnapshots(ctx, "prod", &SnapshotsArgs{ClusterName: pulumi.String("prod"), Version: "1.35", Tags: map[string]string{"team": "a"}})
		return err
	})
	pulumitest.Golden(t, graph.String(), "testdata/snapshots.golden")
	charted(t, graph, "snapshots")
	dependsOn(t, graph, helm.TokenRelease, "prod-snapscheduler", "aws:eks/addon:Addon prod-snapshot-controller")
}

func TestMonitoringGraph(t *testing.T) {
	t.Parallel()
	graph := runInCluster(t, func(ctx *pulumi.Context) error {
		_, err := NewMonitoring(ctx, "prod")
		return err
	})
	pulumitest.Golden(t, graph.String(), "testdata/monitoring.golden")
}

func TestSnapshotsRefuse(t *testing.T) {
	t.Parallel()
	refusedWith(t, func(ctx *pulumi.Context) error {
		_, err := NewSnapshots(ctx, "prod", &SnapshotsArgs{Version: "1.35"})
		return err
	}, `gpuyard:storage:Snapshots "prod": args: clusterName and version are needed`)
}
