package kubernetes

import (
	"slices"
	"strings"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// storageClassArgs are the arguments of a storage class.
// Source: Kubernetes API, storage.k8s.io/v1.
type storageClassArgs struct {
	APIVersion           *string           `pulumi:"apiVersion"`
	Kind                 *string           `pulumi:"kind"`
	Metadata             *objectMeta       `pulumi:"metadata"`
	Provisioner          string            `pulumi:"provisioner"`
	Parameters           map[string]string `pulumi:"parameters"`
	ReclaimPolicy        *string           `pulumi:"reclaimPolicy"`
	VolumeBindingMode    *string           `pulumi:"volumeBindingMode"`
	AllowVolumeExpansion *bool             `pulumi:"allowVolumeExpansion"`
	MountOptions         []string          `pulumi:"mountOptions"`
	AllowedTopologies    []map[string]any  `pulumi:"allowedTopologies"`
}

var storageClass = kind{
	apiVersion: "storage.k8s.io/v1", name: "StorageClass", args: storageClassArgs{}, global: true,
	replace: []string{"provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"},
	plan:    []engine.Rule{classWords, localWaits}, apply: []engine.Rule{oneDefaultClass, poolExists},
}

// defaultClass marks the class of claims that name none.
// Source: Kubernetes, "Change the default StorageClass".
const defaultClass = "storageclass.kubernetes.io/is-default-class"

var classWords = engine.Rule{
	Name: "class-words", Says: "`reclaimPolicy` is Delete or Retain, `volumeBindingMode` is Immediate or WaitForFirstConsumer", Source: "Kubernetes, \"Storage Classes\"",
	Judge: func(c *engine.Call) error {
		if p := c.In.Str("reclaimPolicy"); p != "" && p != "Delete" && p != "Retain" {
			return engine.Invalid("reclaimPolicy", "got %q, wanted Delete or Retain", p)
		}
		if m := c.In.Str("volumeBindingMode"); m != "" && m != "Immediate" && m != "WaitForFirstConsumer" {
			return engine.Invalid("volumeBindingMode", "got %q, wanted Immediate or WaitForFirstConsumer", m)
		}
		return nil
	},
}

var localWaits = engine.Rule{
	Name: "local-waits", Says: "a class of local or zonal volumes binds them for the first pod, or its pods cannot be placed", Source: "Kubernetes, \"Storage Classes\", local and volume binding mode",
	Judge: func(c *engine.Call) error {
		p := c.In.Str("provisioner")
		if (p == "kubernetes.io/no-provisioner" || p == "ebs.csi.aws.com") && c.In.Str("volumeBindingMode") != "WaitForFirstConsumer" {
			return engine.Invalid("volumeBindingMode", "got %q: volumes of %s are in one place, so it has to be WaitForFirstConsumer", c.In.Str("volumeBindingMode"), p)
		}
		return nil
	},
}

var oneDefaultClass = engine.Rule{
	Name: "one-default-class", Says: "one storage class of a cluster is the default; of several, Kubernetes takes the newest and says nothing", Source: "Kubernetes, \"Change the default StorageClass\"",
	Judge: func(c *engine.Call) error {
		if c.In.Map("metadata.annotations")[defaultClass] != "true" {
			return nil
		}
		for _, other := range c.Others("kubernetes:storage.k8s.io/v1:StorageClass") {
			if other.In.Map("metadata.annotations")[defaultClass] == "true" {
				return engine.Refuse("Conflict", "the storage class %s is the default already", other.ID)
			}
		}
		return nil
	},
}

var poolExists = engine.Rule{
	Name: "pool-exists", Says: "the pool or file system that a class of Ceph volumes names exists", Source: "Rook, \"Block Storage\" and \"Filesystem Storage\"; RamenDR/ramen pull request 2747: a claim that is older fails",
	Judge: func(c *engine.Call) error {
		kind, name := "CephBlockPool", c.In.Str("parameters.pool")
		switch p := c.In.Str("provisioner"); {
		case strings.HasSuffix(p, ".rbd.csi.ceph.com"):
		case strings.HasSuffix(p, ".cephfs.csi.ceph.com"):
			kind, name = "CephFilesystem", c.In.Str("parameters.fsName")
		case strings.HasSuffix(p, ".ceph.rook.io/bucket"):
			kind, name = "CephObjectStore", c.In.Str("parameters.objectStoreName")
		default:
			return nil
		}
		all := c.All("kubernetes:" + apiCeph + ":" + kind)
		if !slices.ContainsFunc(all, func(i engine.Item) bool { return i.In.Str("metadata.name") == name }) {
			return engine.Refuse("NotFound", "there is no %s %q: make the class depend on it", kind, name)
		}
		return nil
	},
}
