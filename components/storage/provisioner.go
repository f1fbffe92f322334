package storage

import (
	"strings"

	"github.com/gpuyard/gpuyard/components/internal/helm"
	"github.com/gpuyard/gpuyard/components/internal/manifest"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// provisionerVersion is the version of the static provisioner, chart and image.
const provisionerVersion = "2.9.0"

// provisionerImage is the image of the static provisioner.
const provisionerImage = "registry.k8s.io/sig-storage/local-volume-provisioner:v" + provisionerVersion

func provisionerChart() helm.Chart {
	return helm.Chart{
		Name: "local-static-provisioner", Version: provisionerVersion,
		Repository: "https://kubernetes-sigs.github.io/sig-storage-local-static-provisioner",
	}
}

// instanceStores is where udev puts the local disks of an EC2 instance, and instanceStore which names there count: the
// serial number of each, once. It has twenty characters, of which the first three are AWS. Other names there are links to
// the same disks with a suffix, and would make two volumes of one disk.
// Source: EC2 User Guide, "SSD instance store volumes"; NVM Express, "Identify Controller", field SN.
const instanceStores = "/dev/disk/by-id"

func instanceStore() string {
	return "nvme-Amazon_EC2_NVMe_Instance_Storage_AWS" + strings.Repeat("[0-9A-F]", 17)
}

// raidVolumes is a folder on the file system that a node makes of its local disks. Folders in it that are mounted on
// themselves are volumes: the provisioner takes nothing that is no mount.
// Source: amazon-eks-ami, nodeadm, local storage strategy RAID0; static provisioner, docs/operations.md, "Sharing a disk
// filesystem by multiple filesystem PVs".
const raidVolumes = "/mnt/k8s-disks/0/gpuyard-volumes"

// localVolumes are the volumes of one storage class that the static provisioner finds on nodes.
type localVolumes struct {
	class string
	// mode is Filesystem or Block.
	mode string
	// raid says that the volume of a node is a folder on its RAID, rather than each disk being one.
	raid bool
	Placement
}

// provision registers the static provisioner for volumes, with their storage class, which it returns last.
func provision(ctx *pulumi.Context, name string, v localVolumes, isDefault bool, opts ...pulumi.ResourceOption) ([]pulumi.Resource, error) {
	class, err := newStorageClass(ctx, name+"-class", storageClass{
		name: v.class, provisioner: "kubernetes.io/no-provisioner", isDefault: isDefault,
	}, opts...)
	if err != nil {
		return nil, err
	}
	release, err := helm.Install(ctx, name, helm.Release{Chart: provisionerChart(), Name: v.class}, v.values(), opts...)
	if err != nil {
		return nil, err
	}
	return []pulumi.Resource{release, class}, nil
}

// values returns the values of the provisioner's release.
func (v localVolumes) values() pulumi.Map {
	class := pulumi.Map{
		"name": pulumi.String(v.class), "hostDir": pulumi.String(instanceStores), "volumeMode": pulumi.String(v.mode),
		"namePattern": pulumi.String(instanceStore()),
		// The chart's own overwrites a disk twice, which takes hours on one of terabytes.
		"blockCleanerCommand": pulumi.ToStringArray([]string{"/scripts/blkdiscard.sh"}),
	}
	if v.mode == "Filesystem" {
		class["fsType"] = pulumi.String("xfs")
	}
	values := pulumi.Map{
		"nodeSelector": v.selector(),
		"tolerations":  tolerate(v.Taints),
		// Volumes of a node that is gone go with it, and do not keep pods waiting for them.
		"setPVOwnerRef":     pulumi.Bool(true),
		"priorityClassName": pulumi.String("system-node-critical"),
	}
	if v.raid {
		class = pulumi.Map{
			"name": pulumi.String(v.class), "hostDir": pulumi.String(raidVolumes), "volumeMode": pulumi.String(v.mode),
			"namePattern": pulumi.String("*"),
		}
		values["hostPID"] = pulumi.Bool(true)
		values["initContainers"] = pulumi.Array{v.mounter()}
	}
	values["classes"] = pulumi.Array{class}
	return values
}

// mounter returns the container that makes the folder of a node's volume and mounts it on itself, in the node's own
// namespace of mounts. A node that joins gets it as the provisioner starts there.
func (v localVolumes) mounter() pulumi.Map {
	folder := raidVolumes + "/" + v.class
	script := "set -e; mountpoint -q /mnt/k8s-disks/0; mkdir -p " + folder + "; mountpoint -q " + folder + " || mount --bind " + folder + " " + folder
	return pulumi.Map{
		"name": pulumi.String("mount"), "image": pulumi.String(provisionerImage),
		"command":         pulumi.ToStringArray([]string{"nsenter", "--target", "1", "--mount", "--", "sh", "-c", script}),
		"securityContext": pulumi.Map{"privileged": pulumi.Bool(true)},
	}
}

// storageClass is a storage class.
type storageClass struct {
	name, provisioner string
	parameters        pulumi.StringMap
	isDefault         bool
	// immediate says that a volume is made with its claim, rather than for the first pod that needs it: right only for
	// volumes that every node reaches.
	immediate bool
	// fixed says that volumes cannot grow.
	fixed bool
}

// newStorageClass registers a storage class.
func newStorageClass(ctx *pulumi.Context, name string, c storageClass, opts ...pulumi.ResourceOption) (pulumi.Resource, error) {
	binding := "WaitForFirstConsumer"
	if c.immediate {
		binding = "Immediate"
	}
	fields := pulumi.Map{
		"provisioner": pulumi.String(c.provisioner), "volumeBindingMode": pulumi.String(binding), "reclaimPolicy": pulumi.String("Delete"),
	}
	if !c.fixed && c.provisioner != "kubernetes.io/no-provisioner" {
		fields["allowVolumeExpansion"] = pulumi.Bool(true)
	}
	if len(c.parameters) > 0 {
		fields["parameters"] = c.parameters
	}
	o := manifest.Object{APIVersion: "storage.k8s.io/v1", Kind: "StorageClass", Name: c.name, Fields: fields}
	if c.isDefault {
		o.Annotations = map[string]string{"storageclass.kubernetes.io/is-default-class": "true"}
	}
	return manifest.New(ctx, name, o, opts...)
}

// ebsClass is a storage class of encrypted gp3 volumes of EBS.
func ebsClass(name string) storageClass {
	return storageClass{name: name, provisioner: "ebs.csi.aws.com", parameters: pulumi.StringMap{
		"type": pulumi.String("gp3"), "encrypted": pulumi.String("true"),
	}}
}
