package storage

import (
	"github.com/gpuyard/gpuyard/components/internal/manifest"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// defaultNamespace is where claims are unless another namespace is given.
const defaultNamespace = "default"

// staticVolume is a volume that exists already, and the one claim that it is for.
type staticVolume struct {
	// name is the volume's in the cluster and resource its name in the stack.
	name, resource string
	// claim and namespace are the claim's.
	claim, namespace string
	// size is what the volume says it holds. Nobody enforces it.
	size string
	// access is ReadWriteMany or ReadOnlyMany.
	access       string
	mountOptions pulumi.StringArrayInput
	// driver is the CSI driver, and handle how it knows the volume: unique in the cluster.
	driver     string
	handle     pulumi.StringInput
	attributes pulumi.StringMapInput
}

// newStaticVolume registers a volume and its claim, and returns the claim. The claim's name is reserved in the volume:
// with an empty class, a claim otherwise takes whatever volume fits.
// Source: Kubernetes, "Reserving a PersistentVolume".
func newStaticVolume(ctx *pulumi.Context, v staticVolume, opts ...pulumi.ResourceOption) (pulumi.Resource, error) {
	modes := pulumi.ToStringArray([]string{v.access})
	volume, err := manifest.New(ctx, v.resource, manifest.Object{
		APIVersion: "v1", Kind: "PersistentVolume", Name: v.name,
		Fields: pulumi.Map{"spec": pulumi.Map{
			"accessModes":                   modes,
			"capacity":                      pulumi.Map{"storage": pulumi.String(v.size)},
			"claimRef":                      pulumi.Map{"namespace": pulumi.String(v.namespace), "name": pulumi.String(v.claim)},
			"mountOptions":                  v.mountOptions,
			"persistentVolumeReclaimPolicy": pulumi.String("Retain"),
			"storageClassName":              pulumi.String(""),
			"csi": pulumi.Map{
				"driver": pulumi.String(v.driver), "volumeHandle": v.handle, "volumeAttributes": v.attributes,
			},
		}},
	}, opts...)
	if err != nil {
		return nil, err
	}
	return manifest.New(ctx, v.resource, manifest.Object{
		APIVersion: "v1", Kind: "PersistentVolumeClaim", Name: v.claim, Namespace: v.namespace,
		// Its driver takes no snapshots of volumes.
		Labels: map[string]string{labelSnapshots: snapshotsOff},
		Fields: pulumi.Map{"spec": pulumi.Map{
			"accessModes":      modes,
			"resources":        pulumi.Map{"requests": pulumi.Map{"storage": pulumi.String(v.size)}},
			"storageClassName": pulumi.String(""),
			"volumeName":       pulumi.String(v.name),
		}},
	}, append([]pulumi.ResourceOption{pulumi.DependsOn([]pulumi.Resource{volume})}, opts...)...)
}
