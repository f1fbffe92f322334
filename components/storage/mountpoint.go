package storage

import (
	"fmt"
	"slices"

	"github.com/gpuyard/gpuyard/components/internal/addon"
	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/components/internal/iampolicy"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/eks"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/iam"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeMountpoint is the type token of Mountpoint.
const TypeMountpoint = "gpuyard:storage:Mountpoint"

// MountpointArgs describes the buckets that pods of a cluster mount.
type MountpointArgs struct {
	// ClusterName is the cluster, and Version its Kubernetes version, such as 1.35.
	ClusterName pulumi.StringInput `pulumi:"clusterName"`
	Version     string             `pulumi:"version"`
	// Region is the region of all buckets.
	Region string `pulumi:"region"`
	// Namespace is where the claims are, default if it is empty.
	Namespace string `pulumi:"namespace,optional"`
	// Buckets are mounted as volumes.
	Buckets []MountedBucket `pulumi:"buckets"`
	// Tags are put on everything that takes tags.
	Tags map[string]string `pulumi:"tags,optional"`
}

// MountedBucket is a bucket that pods mount.
type MountedBucket struct {
	// Name is the claim's.
	Name string `pulumi:"name"`
	// BucketName, BucketARN and KeyARN are the bucket's, and the key is empty where objects are under S3's own.
	BucketName pulumi.StringInput `pulumi:"bucketName"`
	BucketARN  pulumi.StringInput `pulumi:"bucketArn"`
	KeyARN     pulumi.StringInput `pulumi:"keyArn"`
	// Express says that it is a directory bucket.
	Express bool `pulumi:"express,optional"`
	// Write lets pods write and delete objects. Else the volume is read-only.
	Write bool `pulumi:"write,optional"`
}

// Mountpoint mounts buckets as volumes: the CSI driver of Mountpoint for Amazon S3, its role, which may do with each
// bucket what its volume is for and no more, and for each bucket a volume with a claim of the bucket's name.
//
// The driver has no volumes of its own making: a bucket is there before, and capacity means nothing. A volume reads and
// writes whole objects in sequence; files cannot be renamed or changed in a general bucket.
// Source: mountpoint-s3-csi-driver, docs/CONFIGURATION.md; mountpoint-s3, doc/SEMANTICS.md.
type Mountpoint struct {
	pulumi.ResourceState

	ready []pulumi.Resource
}

// Ready are the claims: what mounts them waits for it by pulumi.DependsOn.
func (m *Mountpoint) Ready() []pulumi.Resource { return m.ready }

// s3Driver is the name of the CSI driver, and s3ServiceAccount that of its pods on the nodes.
const (
	s3Driver         = "s3.csi.aws.com"
	s3ServiceAccount = "s3-csi-driver-sa"
)

// NewMountpoint registers a Mountpoint. The driver has a Deployment: pass pulumi.DependsOn of the node pools.
func NewMountpoint(ctx *pulumi.Context, name string, args *MountpointArgs, opts ...pulumi.ResourceOption) (*Mountpoint, error) {
	if err := checkMountpoint(name, args); err != nil {
		return nil, err
	}
	c := &Mountpoint{}
	if err := ctx.RegisterComponentResourceV2(TypeMountpoint, name, args.inputs(), c, opts...); err != nil {
		return nil, err
	}
	driver, err := mountpointDriver(ctx, name, args, c)
	if err != nil {
		return nil, err
	}
	for _, bucket := range args.Buckets {
		volume := bucketVolume(name, bucket, args)
		claim, err := newStaticVolume(ctx, volume, pulumi.Parent(c), pulumi.DependsOn([]pulumi.Resource{driver}))
		if err != nil {
			return nil, err
		}
		c.ready = append(c.ready, claim)
	}
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{})
}

func (a *MountpointArgs) inputs() pulumi.Map {
	var buckets pulumi.Array
	for _, b := range a.Buckets {
		buckets = append(buckets, pulumi.Map{"name": pulumi.String(b.Name), "bucketName": b.BucketName, "write": pulumi.Bool(b.Write)})
	}
	return pulumi.Map{
		"clusterName": a.ClusterName, "version": pulumi.String(a.Version), "region": pulumi.String(a.Region),
		"namespace": pulumi.String(a.namespace()), "buckets": buckets, "tags": pulumi.ToStringMap(a.Tags),
	}
}

func (a *MountpointArgs) namespace() string {
	if a.Namespace == "" {
		return defaultNamespace
	}
	return a.Namespace
}

// mountpointDriver registers the add-on with its role, which comes by Pod Identity: the driver asks for it under its own
// service account, and the pods that mount need none.
// Source: mountpoint-s3-csi-driver, docs/CONFIGURATION.md, "Driver-Level Credentials with EKS Pod Identity".
func mountpointDriver(ctx *pulumi.Context, name string, args *MountpointArgs, parent pulumi.Resource) (pulumi.Resource, error) {
	roleName := name + "-s3-csi"
	role, err := iam.NewRole(ctx, roleName, &iam.RoleArgs{
		AssumeRolePolicy: pulumi.String(iampolicy.PodTrust()),
		Description:      pulumi.String("Mountpoint for Amazon S3 CSI driver"),
		Tags:             tags.Merge(args.Tags, roleName),
	}, pulumi.Parent(parent))
	if err != nil {
		return nil, err
	}
	var known []any
	for _, b := range args.Buckets {
		known = append(known, b.BucketARN, b.KeyARN)
	}
	policy, err := iam.NewRolePolicy(ctx, roleName, &iam.RolePolicyArgs{
		Role: role.Name,
		Policy: pulumi.All(known...).ApplyT(func(v []any) string {
			return mountPolicy(args.Buckets, func(i int) (bucket, key string) { return v[2*i].(string), v[2*i+1].(string) })
		}).(pulumi.StringOutput),
	}, pulumi.Parent(parent))
	if err != nil {
		return nil, err
	}
	return addon.New(ctx, name+"-aws-mountpoint-s3-csi-driver", addon.Addon{
		Cluster: args.ClusterName, KubernetesVersion: args.Version, Name: "aws-mountpoint-s3-csi-driver", Tags: args.Tags,
	}, parent, func(a *eks.AddonArgs) {
		// Pods on nodes with taints mount too; releases before 2.0 stay off such nodes by default.
		a.ConfigurationValues = pulumi.String(`{"node":{"tolerateAllTaints":true}}`)
		a.PodIdentityAssociations = eks.AddonPodIdentityAssociationArray{&eks.AddonPodIdentityAssociationArgs{
			RoleArn: role.Arn, ServiceAccount: pulumi.String(s3ServiceAccount),
		}}
	}, pulumi.DependsOn([]pulumi.Resource{policy}))
}

// mountPolicy is what the driver's role may do: with each bucket what its volume needs.
// Source: mountpoint-s3, doc/CONFIGURATION.md, "IAM permissions"; Amazon S3 User Guide, "CreateSession authorization".
func mountPolicy(buckets []MountedBucket, arns func(int) (bucket, key string)) string {
	var statements []iampolicy.Statement
	allow := func(resource string, actions ...string) {
		statements = append(statements, iampolicy.Statement{Effect: "Allow", Action: actions, Resource: []string{resource}})
	}
	for i, b := range buckets {
		bucket, key := arns(i)
		if b.Express {
			statement := iampolicy.Statement{Effect: "Allow", Action: []string{"s3express:CreateSession"}, Resource: []string{bucket}}
			if !b.Write {
				statement.Condition = map[string]map[string]string{"StringEquals": {"s3express:SessionMode": "ReadOnly"}}
			}
			statements = append(statements, statement)
			continue
		}
		allow(bucket, "s3:ListBucket")
		if b.Write {
			allow(bucket+"/*", "s3:GetObject", "s3:PutObject", "s3:AbortMultipartUpload", "s3:DeleteObject")
		} else {
			allow(bucket+"/*", "s3:GetObject")
		}
		switch {
		case key == "":
		case b.Write:
			allow(key, "kms:Decrypt", "kms:GenerateDataKey")
		default:
			allow(key, "kms:Decrypt")
		}
	}
	return iampolicy.Document(statements...)
}

// bucketVolume describes the volume of a bucket. Its size says nothing; the driver looks at none.
func bucketVolume(name string, b MountedBucket, args *MountpointArgs) staticVolume {
	v := staticVolume{
		name: name + "-" + b.Name, resource: name + "-" + b.Name, claim: b.Name, namespace: args.namespace(), size: "1Pi",
		access: "ReadOnlyMany", driver: s3Driver, handle: pulumi.String(name + "-" + b.Name),
		attributes:   pulumi.StringMap{"bucketName": b.BucketName, "authenticationSource": pulumi.String("driver")},
		mountOptions: pulumi.ToStringArray([]string{"region " + args.Region, "read-only"}),
	}
	if b.Write {
		v.access = "ReadWriteMany"
		v.mountOptions = pulumi.ToStringArray([]string{"region " + args.Region, "allow-delete", "allow-overwrite"})
	}
	return v
}

func checkMountpoint(name string, args *MountpointArgs) error {
	check := argument.For(TypeMountpoint, name)
	if args == nil || args.ClusterName == nil {
		check.Failf("clusterName", "it is not given")
		return check.Err()
	}
	if args.Version == "" || args.Region == "" {
		check.Failf("version", "a Kubernetes version such as 1.35 and a region such as us-east-2 are needed")
	}
	if len(args.Buckets) == 0 {
		check.Failf("buckets", "there are none: the driver has nothing to do")
	}
	var names []string
	for i, b := range args.Buckets {
		if b.Name == "" || b.BucketName == nil || b.BucketARN == nil || b.KeyARN == nil {
			check.Failf(fmt.Sprintf("buckets[%d]", i), "name, bucketName, bucketArn and keyArn are needed")
		}
		if slices.Contains(names, b.Name) {
			check.Failf(fmt.Sprintf("buckets[%d].name", i), "%q is there twice: two volumes of one handle are one volume to the driver", b.Name)
		}
		names = append(names, b.Name)
	}
	return check.Err()
}
