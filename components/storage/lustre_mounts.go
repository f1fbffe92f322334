package storage

import (
	"fmt"
	"slices"

	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/components/internal/helm"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeLustreMounts is the type token of LustreMounts.
const TypeLustreMounts = "gpuyard:storage:LustreMounts"

// lustreChartVersion is the version of the chart, with the driver 1.9.0.
const lustreChartVersion = "1.17.0"

// LustreMountsArgs describes the file systems that pods of a cluster mount.
type LustreMountsArgs struct {
	// Namespace is where the claims are, default if it is empty.
	Namespace string `pulumi:"namespace,optional"`
	// FileSystems are mounted as volumes.
	FileSystems []MountedLustre `pulumi:"fileSystems"`
}

// MountedLustre is a file system that pods mount.
type MountedLustre struct {
	// Name is the claim's, and Volume the name of the volume, which is unique in the cluster.
	Name   string `pulumi:"name"`
	Volume string `pulumi:"volume"`
	// FileSystemID, DNSName and MountName are the file system's, and SizeGiB its capacity.
	FileSystemID pulumi.StringInput `pulumi:"fileSystemId"`
	DNSName      pulumi.StringInput `pulumi:"dnsName"`
	MountName    pulumi.StringInput `pulumi:"mountName"`
	SizeGiB      int                `pulumi:"sizeGiB"`
}

// LustreMounts mounts file systems of FSx for Lustre: the CSI driver, and for each file system a volume with a claim. Only
// the driver's part on the nodes is installed: file systems are made by NewFSxLustre and not by claims, so the part that
// calls FSx, and its role with all rights on FSx, are not needed.
type LustreMounts struct {
	pulumi.ResourceState
}

// NewLustreMounts registers a LustreMounts, once for a cluster.
func NewLustreMounts(ctx *pulumi.Context, name string, args *LustreMountsArgs, opts ...pulumi.ResourceOption) (*LustreMounts, error) {
	if err := checkLustreMounts(name, args); err != nil {
		return nil, err
	}
	c := &LustreMounts{}
	if err := ctx.RegisterComponentResourceV2(TypeLustreMounts, name, args.inputs(), c, opts...); err != nil {
		return nil, err
	}
	chart := helm.Chart{Name: "aws-fsx-csi-driver", Version: lustreChartVersion, Repository: "https://kubernetes-sigs.github.io/aws-fsx-csi-driver"}
	// The chart's own nodeComponentOnly takes away the disruption budget and leaves the Deployment.
	driver, err := helm.NewRelease(ctx, name, chart, pulumi.Map{"controller": pulumi.Map{
		"replicaCount":        pulumi.Int(0),
		"podDisruptionBudget": pulumi.Map{"enabled": pulumi.Bool(false)},
	}}, pulumi.Parent(c))
	if err != nil {
		return nil, err
	}
	for _, system := range args.FileSystems {
		_, err := newStaticVolume(ctx, lustreVolume(system, args.namespace()), pulumi.Parent(c), pulumi.DependsOn([]pulumi.Resource{driver}))
		if err != nil {
			return nil, err
		}
	}
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{})
}

func (a *LustreMountsArgs) inputs() pulumi.Map {
	var systems pulumi.Array
	for _, s := range a.FileSystems {
		systems = append(systems, pulumi.Map{"name": pulumi.String(s.Name), "fileSystemId": s.FileSystemID, "sizeGiB": pulumi.Int(s.SizeGiB)})
	}
	return pulumi.Map{"namespace": pulumi.String(a.namespace()), "fileSystems": systems}
}

func (a *LustreMountsArgs) namespace() string {
	if a.Namespace == "" {
		return defaultNamespace
	}
	return a.Namespace
}

// lustreVolume describes the volume of a file system. With flock, locks hold between nodes.
// Source: aws-fsx-csi-driver, examples/kubernetes/static_provisioning.
func lustreVolume(s MountedLustre, namespace string) staticVolume {
	return staticVolume{
		name: s.Volume, resource: s.Volume, claim: s.Name, namespace: namespace, size: fmt.Sprintf("%dGi", s.SizeGiB),
		access: "ReadWriteMany", mountOptions: pulumi.ToStringArray([]string{"flock"}),
		driver: "fsx.csi.aws.com", handle: s.FileSystemID,
		attributes: pulumi.StringMap{"dnsname": s.DNSName, "mountname": s.MountName},
	}
}

func checkLustreMounts(name string, args *LustreMountsArgs) error {
	check := argument.For(TypeLustreMounts, name)
	if args == nil || len(args.FileSystems) == 0 {
		check.Failf("fileSystems", "there are none: the driver has nothing to do")
		return check.Err()
	}
	var volumes []string
	for i, s := range args.FileSystems {
		if s.Name == "" || s.Volume == "" || s.FileSystemID == nil || s.DNSName == nil || s.MountName == nil || s.SizeGiB <= 0 {
			check.Failf(fmt.Sprintf("fileSystems[%d]", i), "name, volume, fileSystemId, dnsName, mountName and sizeGiB are needed")
		}
		if slices.Contains(volumes, s.Volume) {
			check.Failf(fmt.Sprintf("fileSystems[%d].volume", i), "%q is there twice", s.Volume)
		}
		volumes = append(volumes, s.Volume)
	}
	return check.Err()
}
