package manifest_test

import (
	"testing"

	"github.com/gpuyard/gpuyard/components/internal/manifest"
	"github.com/gpuyard/gpuyard/internal/pulumitest"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func TestToken(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"v1", "PersistentVolume", "kubernetes:core/v1:PersistentVolume"},
		{"storage.k8s.io/v1", "StorageClass", "kubernetes:storage.k8s.io/v1:StorageClass"},
		{"ceph.rook.io/v1", "CephCluster", "kubernetes:ceph.rook.io/v1:CephCluster"},
	} {
		if got := manifest.Token(c[0], c[1]); got != c[2] {
			t.Errorf("%s %s: got %s, want %s", c[0], c[1], got, c[2])
		}
	}
}

func TestObjects(t *testing.T) {
	t.Parallel()
	graph := pulumitest.Run(t, func(ctx *pulumi.Context) error {
		_, err := manifest.New(ctx, "plain", manifest.Object{APIVersion: "v1", Kind: "Namespace", Name: "data"})
		if err != nil {
			return err
		}
		_, err = manifest.New(ctx, "full", manifest.Object{
			APIVersion: "example.com/v1", Kind: "Thing", Name: "thing", Namespace: "data",
			Labels: map[string]string{"a": "b"}, Annotations: map[string]string{"c": "d"},
			Fields: pulumi.Map{"spec": pulumi.Map{"n": pulumi.Int(1)}},
		})
		return err
	}, pulumitest.Options{})
	pulumitest.Golden(t, graph.String(), "testdata/objects.golden")
}
