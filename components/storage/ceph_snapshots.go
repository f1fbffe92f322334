package storage

import (
	_ "embed" // the dashboard
	"slices"

	"github.com/gpuyard/gpuyard/components/internal/manifest"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// snapshots registers the snapshot classes of block and file volumes, and the schedules. Each class is the default of its
// driver, so that one schedule serves both kinds of volumes.
// Source: Rook 1.20.6, deploy/examples/csi/rbd/snapshotclass.yaml; external-snapshotter 8, "is-default-class".
func (b *cephBuilder) snapshots() error {
	if b.args.Snapshots == nil {
		return nil
	}
	needs := pulumi.DependsOn(slices.Concat(b.after, b.args.SnapshotNeeds))
	var classes []pulumi.Resource
	for _, kind := range []struct{ driver, class string }{{"rbd", "block"}, {"cephfs", "file"}} {
		name := b.name + "-" + kind.class
		class, err := manifest.New(b.ctx, name, manifest.Object{
			APIVersion: apiSnapshots, Kind: "VolumeSnapshotClass", Name: name,
			Annotations: map[string]string{"snapshot.storage.kubernetes.io/is-default-class": "true"},
			Fields: pulumi.Map{
				"driver": pulumi.String(driverName(kind.driver)), "deletionPolicy": pulumi.String("Delete"),
				"parameters": pulumi.StringMap{
					"clusterID": pulumi.String(cephNamespace),
					"csi.storage.k8s.io/snapshotter-secret-name":      pulumi.String("rook-csi-" + kind.driver + "-provisioner"),
					"csi.storage.k8s.io/snapshotter-secret-namespace": pulumi.String(cephNamespace),
				},
			},
		}, b.parent, needs)
		if err != nil {
			return err
		}
		classes = append(classes, class)
	}
	return b.args.Snapshots.schedule(b.ctx, b.name, b.parent, pulumi.DependsOn(classes))
}

//go:embed dashboards/ceph.json
var cephDashboard string

// dashboard registers the dashboard, which Grafana's sidecar finds by its label.
func (b *cephBuilder) dashboard() error {
	if !b.args.Monitoring {
		return nil
	}
	_, err := manifest.New(b.ctx, b.name+"-dashboard", manifest.Object{
		APIVersion: "v1", Kind: "ConfigMap", Name: b.name + "-dashboard", Namespace: cephNamespace,
		Labels: map[string]string{"grafana_dashboard": "1"},
		Fields: pulumi.Map{"data": pulumi.StringMap{"ceph.json": pulumi.String(cephDashboard)}},
	}, b.with()...)
	return err
}
