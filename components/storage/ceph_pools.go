package storage

import (
	"github.com/gpuyard/gpuyard/components/internal/manifest"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// apiCeph is the API version of Rook's custom resources.
const apiCeph = "ceph.rook.io/v1"

// waitFor is the annotation by which the Kubernetes provider waits for more than an object's existence.
// Source: Pulumi Kubernetes provider, 4.18.0, "pulumi.com/waitFor".
const waitFor = "pulumi.com/waitFor"

// phaseReady waits until Rook says that what a custom resource asks for is there.
const phaseReady = "jsonpath={.status.phase}=Ready"

// pools registers the pools, the file system and the object store with their storage classes.
func (b *cephBuilder) pools() error {
	ready := b.after
	for _, store := range []func() error{b.blockPool, b.fileSystem, b.objectStore} {
		b.after = ready
		if err := store(); err != nil {
			return err
		}
	}
	b.after = b.classes
	return nil
}

// custom registers a custom resource that holds data, and waits for it from then on.
func (b *cephBuilder) custom(kind, name string, spec pulumi.Map, await bool) error {
	o := manifest.Object{APIVersion: apiCeph, Kind: kind, Name: name, Namespace: cephNamespace, Fields: pulumi.Map{"spec": spec}}
	if await {
		o.Annotations = map[string]string{waitFor: phaseReady}
	}
	made, err := manifest.New(b.ctx, name, o, b.with(keep(b.args.AllowDataLoss)...)...)
	b.after = []pulumi.Resource{made}
	return err
}

// replicated is a pool with the plan's copies. Without requireSafeReplicaSize, Rook would let a pool have one.
func (b *cephBuilder) replicated() pulumi.Map {
	return pulumi.Map{
		"failureDomain": pulumi.String(b.plan.FailureDomain),
		"replicated": pulumi.Map{
			"size": pulumi.Int(b.plan.Replicas), "requireSafeReplicaSize": pulumi.Bool(b.plan.Replicas >= replicasOfSafety),
		},
	}
}

// blockPool registers the pool of block volumes, and its class.
func (b *cephBuilder) blockPool() error {
	pool := b.name + "-block"
	if err := b.custom("CephBlockPool", pool, b.replicated(), true); err != nil {
		return err
	}
	parameters := secrets("rbd")
	parameters["pool"] = pulumi.String(pool)
	parameters["imageFormat"], parameters["imageFeatures"] = pulumi.String("2"), pulumi.String("layering")
	parameters["csi.storage.k8s.io/fstype"] = pulumi.String("ext4")
	return b.class(pool, driverName("rbd"), parameters, b.args.DefaultClass)
}

// fileSystem registers the shared file system, and its class.
func (b *cephBuilder) fileSystem() error {
	fs := b.name + "-file"
	data := b.replicated()
	data["name"] = pulumi.String("data0")
	err := b.custom("CephFilesystem", fs, pulumi.Map{
		"metadataPool": b.replicated(), "dataPools": pulumi.Array{data},
		"preserveFilesystemOnDelete": pulumi.Bool(!b.args.AllowDataLoss),
		"metadataServer": pulumi.Map{
			"activeCount": pulumi.Int(1), "activeStandby": pulumi.Bool(true), "priorityClassName": pulumi.String("system-cluster-critical"),
			"resources": pulumi.Map{
				"limits": pulumi.Map{"memory": pulumi.String("4Gi")}, "requests": pulumi.Map{"cpu": pulumi.String("1"), "memory": pulumi.String("4Gi")},
			},
			"placement": b.placement()["all"],
		},
	}, true)
	if err != nil {
		return err
	}
	// The CSI driver makes its volumes in a group of this name.
	if err := b.custom("CephFilesystemSubVolumeGroup", fs+"-csi", pulumi.Map{
		"name": pulumi.String("csi"), "filesystemName": pulumi.String(fs), "pinning": pulumi.Map{"distributed": pulumi.Int(1)},
	}, false); err != nil {
		return err
	}
	parameters := secrets("cephfs")
	parameters["fsName"], parameters["pool"] = pulumi.String(fs), pulumi.String(fs+"-data0")
	return b.class(fs, driverName("cephfs"), parameters, false)
}

// objectStore registers the store of objects, where it is asked for, and its class, which bucket claims name.
func (b *cephBuilder) objectStore() error {
	if !b.args.ObjectStore {
		return nil
	}
	store := b.name + "-object"
	if err := b.custom("CephObjectStore", store, pulumi.Map{
		"metadataPool": b.replicated(), "dataPool": b.replicated(), "preservePoolsOnDelete": pulumi.Bool(!b.args.AllowDataLoss),
		"gateway": pulumi.Map{
			"port": pulumi.Int(80), "instances": pulumi.Int(min(b.plan.Monitors, 2)), "priorityClassName": pulumi.String("system-cluster-critical"),
			"resources": pulumi.Map{
				"limits": pulumi.Map{"memory": pulumi.String("2Gi")}, "requests": pulumi.Map{"cpu": pulumi.String("1"), "memory": pulumi.String("1Gi")},
			},
			"placement": b.placement()["all"],
		},
	}, true); err != nil {
		return err
	}
	class, err := newStorageClass(b.ctx, b.name+"-bucket", storageClass{
		name: b.name + "-bucket", provisioner: cephNamespace + ".ceph.rook.io/bucket", immediate: true, fixed: true,
		parameters: pulumi.StringMap{"objectStoreName": pulumi.String(store), "objectStoreNamespace": pulumi.String(cephNamespace)},
	}, b.with()...)
	b.classes = append(b.classes, class)
	return err
}

// class registers a storage class of volumes that every node reaches.
func (b *cephBuilder) class(name, provisioner string, parameters pulumi.StringMap, isDefault bool) error {
	class, err := newStorageClass(b.ctx, name, storageClass{
		name: name, provisioner: provisioner, parameters: parameters, immediate: true, isDefault: isDefault,
	}, b.with()...)
	b.classes = append(b.classes, class)
	return err
}

// secrets returns the parameters of a storage class that say where Rook puts a driver's credentials.
// Source: Rook 1.20.6, chart rook-ceph-cluster, values.yaml.
func secrets(kind string) pulumi.StringMap {
	m := pulumi.StringMap{"clusterID": pulumi.String(cephNamespace)}
	for _, of := range []struct{ action, name string }{
		{"provisioner", "provisioner"}, {"controller-expand", "provisioner"}, {"controller-publish", "provisioner"}, {"node-stage", "node"},
	} {
		m["csi.storage.k8s.io/"+of.action+"-secret-name"] = pulumi.String("rook-csi-" + kind + "-" + of.name)
		m["csi.storage.k8s.io/"+of.action+"-secret-namespace"] = pulumi.String(cephNamespace)
	}
	return m
}
