package kubernetes

import (
	"slices"

	"github.com/gpuyard/gpuyard/sim/internal/engine"
)

// volumeArgs are the arguments of a persistent volume and of a claim.
// Source: Kubernetes API, v1.
type volumeArgs struct {
	APIVersion *string     `pulumi:"apiVersion"`
	Kind       *string     `pulumi:"kind"`
	Metadata   *objectMeta `pulumi:"metadata"`
	Spec       *volumeSpec `pulumi:"spec"`
}

type volumeSpec struct {
	AccessModes                   []string       `pulumi:"accessModes"`
	Capacity                      map[string]any `pulumi:"capacity"`
	ClaimRef                      map[string]any `pulumi:"claimRef"`
	CSI                           *csiSource     `pulumi:"csi"`
	HostPath                      map[string]any `pulumi:"hostPath"`
	Local                         map[string]any `pulumi:"local"`
	MountOptions                  []string       `pulumi:"mountOptions"`
	NFS                           map[string]any `pulumi:"nfs"`
	NodeAffinity                  map[string]any `pulumi:"nodeAffinity"`
	PersistentVolumeReclaimPolicy *string        `pulumi:"persistentVolumeReclaimPolicy"`
	StorageClassName              *string        `pulumi:"storageClassName"`
	VolumeAttributesClassName     *string        `pulumi:"volumeAttributesClassName"`
	VolumeMode                    *string        `pulumi:"volumeMode"`
}

type csiSource struct {
	Driver           string            `pulumi:"driver"`
	FsType           *string           `pulumi:"fsType"`
	NodeStageSecret  map[string]any    `pulumi:"nodeStageSecretRef"`
	NodePublish      map[string]any    `pulumi:"nodePublishSecretRef"`
	ReadOnly         *bool             `pulumi:"readOnly"`
	VolumeAttributes map[string]string `pulumi:"volumeAttributes"`
	VolumeHandle     string            `pulumi:"volumeHandle"`
}

// claimArgs are the arguments of a claim.
type claimArgs struct {
	APIVersion *string     `pulumi:"apiVersion"`
	Kind       *string     `pulumi:"kind"`
	Metadata   *objectMeta `pulumi:"metadata"`
	Spec       *claimSpec  `pulumi:"spec"`
}

type claimSpec struct {
	AccessModes               []string       `pulumi:"accessModes"`
	DataSource                map[string]any `pulumi:"dataSource"`
	DataSourceRef             map[string]any `pulumi:"dataSourceRef"`
	Resources                 map[string]any `pulumi:"resources"`
	Selector                  map[string]any `pulumi:"selector"`
	StorageClassName          *string        `pulumi:"storageClassName"`
	VolumeAttributesClassName *string        `pulumi:"volumeAttributesClassName"`
	VolumeMode                *string        `pulumi:"volumeMode"`
	VolumeName                *string        `pulumi:"volumeName"`
}

const volumeToken = "kubernetes:core/v1:PersistentVolume"

var persistentVolume = kind{
	apiVersion: "v1", name: "PersistentVolume", args: volumeArgs{}, global: true,
	replace: []string{"spec.csi"}, plan: []engine.Rule{volumeModes, volumeSource}, apply: []engine.Rule{handleFree, driverThere},
}

var persistentVolumeClaim = kind{
	apiVersion: "v1", name: "PersistentVolumeClaim", args: claimArgs{},
	replace: []string{"spec.accessModes", "spec.storageClassName", "spec.volumeName", "spec.volumeMode"},
	plan:    []engine.Rule{volumeModes, claimSize}, apply: []engine.Rule{volumeThere},
}

var volumeModes = engine.Rule{
	Name: "access-modes", Says: "a volume and a claim have access modes, of those that Kubernetes knows", Source: "Kubernetes, \"Persistent Volumes\", access modes",
	Judge: func(c *engine.Call) error {
		modes := c.In.Strs("spec.accessModes[*]")
		if len(modes) == 0 && !c.In.Unknown("spec") {
			return engine.Invalid("spec.accessModes", "missing: give at least one")
		}
		for _, m := range modes {
			if !slices.Contains([]string{"ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"}, m) {
				return engine.Invalid("spec.accessModes", "got %q", m)
			}
		}
		return nil
	},
}

var volumeSource = engine.Rule{
	Name: "volume-source", Says: "a volume has a capacity and one source", Source: "Kubernetes API, PersistentVolumeSpec",
	Judge: func(c *engine.Call) error {
		n := 0
		for _, source := range []string{"csi", "hostPath", "local", "nfs"} {
			if c.In.Has("spec." + source) {
				n++
			}
		}
		if n != 1 {
			return engine.Invalid("spec", "it has %d sources, wanted one", n)
		}
		if !c.In.Has("spec.capacity.storage") {
			return engine.Invalid("spec.capacity.storage", "missing")
		}
		return nil
	},
}

var handleFree = engine.Rule{
	Name: "handle-free", Says: "no two volumes of a driver have one handle: the driver takes them for one volume", Source: "Kubernetes, \"Persistent Volumes\", csi; mountpoint-s3-csi-driver, docs/CONFIGURATION.md",
	Judge: func(c *engine.Call) error {
		for _, other := range c.Others(volumeToken) {
			if h := c.In.Str("spec.csi.volumeHandle"); h != "" && h == other.In.Str("spec.csi.volumeHandle") && c.In.Str("spec.csi.driver") == other.In.Str("spec.csi.driver") {
				return engine.Refuse("Conflict", "the volume %s has the handle %q already", other.ID, h)
			}
		}
		return nil
	},
}

// volumeDrivers are the CSI drivers that EKS installs as add-ons.
// Source: EKS User Guide, "AWS add-ons".
var volumeDrivers = map[string]string{
	"s3.csi.aws.com": "aws-mountpoint-s3-csi-driver", "fsx.csi.aws.com": "aws-fsx-csi-driver", "ebs.csi.aws.com": "aws-ebs-csi-driver",
}

var driverThere = engine.Rule{
	Name: "driver-there", Says: "the CSI driver of a static volume is installed", Source: "EKS User Guide, \"AWS add-ons\"",
	Judge: func(c *engine.Call) error {
		driver := c.In.Str("spec.csi.driver")
		addon, known := volumeDrivers[driver]
		if !known || hasAddon(c, addon) || len(releasesOf(c, addon)) > 0 {
			return nil
		}
		return engine.Refuse("NotReady", "nothing mounts volumes of %s: make it depend on the add-on %s", driver, addon)
	},
}

var claimSize = engine.Rule{
	Name: "claim-size", Says: "a claim asks for a size", Source: "Kubernetes API, PersistentVolumeClaimSpec",
	Judge: func(c *engine.Call) error {
		if !c.In.Has("spec.resources.requests.storage") && !c.In.Unknown("spec") {
			return engine.Invalid("spec.resources.requests.storage", "missing")
		}
		return nil
	},
}

var volumeThere = engine.Rule{
	Name: "volume-there", Says: "the volume or the storage class that a claim names exists", Source: "Kubernetes, \"Persistent Volumes\", binding",
	Judge: func(c *engine.Call) error {
		if name := c.In.Str("spec.volumeName"); name != "" {
			v, ok := c.Get(volumeToken, name)
			if !ok {
				return engine.Refuse("NotFound", "persistentvolumes %q not found", name)
			}
			if in := v.In.Str("spec.claimRef.namespace") + "/" + v.In.Str("spec.claimRef.name"); v.In.Has("spec.claimRef") && in != namespace(c)+"/"+c.In.Str("metadata.name") {
				return engine.Refuse("Conflict", "the volume %s is reserved for the claim %s", name, in)
			}
		}
		if class := c.In.Str("spec.storageClassName"); class != "" {
			if _, ok := c.Get("kubernetes:storage.k8s.io/v1:StorageClass", class); !ok {
				return engine.Refuse("NotFound", "storageclass.storage.k8s.io %q not found", class)
			}
		}
		return nil
	},
}
