package serverless

import (
	"fmt"

	"github.com/gpuyard/gpuyard/components/internal/argument"
	"github.com/gpuyard/gpuyard/components/internal/tags"
	"github.com/pulumi/pulumi-aws/sdk/v6/go/aws/efs"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

// TypeFileSystem is the type token of FileSystem.
const TypeFileSystem = "gpuyard:serverless:FileSystem"

// functionUser is the user and group that functions appear as in the file system.
const functionUser = 1000

// FileSystemArgs describes a file system of functions.
type FileSystemArgs struct {
	// SubnetIDs are the subnets that functions are in, of different zones: each gets a mount target.
	SubnetIDs []pulumi.StringInput `pulumi:"subnetIds"`
	// SecurityGroupID is the functions' own; see Attachment.
	SecurityGroupID pulumi.StringInput `pulumi:"securityGroupId"`
	// Tags are put on everything that takes tags.
	Tags map[string]string `pulumi:"tags,optional"`
}

// FileSystem is an encrypted EFS file system with an access point.
type FileSystem struct {
	pulumi.ResourceState

	// AccessPointARN is known when the file system can be mounted: Lambda refuses an access point without mount targets.
	AccessPointARN pulumi.StringOutput `pulumi:"accessPointArn"`
}

// NewFileSystem registers a FileSystem.
func NewFileSystem(ctx *pulumi.Context, name string, args *FileSystemArgs, opts ...pulumi.ResourceOption) (*FileSystem, error) {
	check := argument.For(TypeFileSystem, name)
	if args == nil || len(args.SubnetIDs) == 0 || args.SecurityGroupID == nil {
		check.Failf("subnetIds", "subnets and a security group are not given")
		return nil, check.Err()
	}
	c := &FileSystem{}
	inputs := pulumi.Map{"subnetIds": pulumi.StringArray(args.SubnetIDs), "securityGroupId": args.SecurityGroupID, "tags": pulumi.ToStringMap(args.Tags)}
	if err := ctx.RegisterComponentResourceV2(TypeFileSystem, name, inputs, c, opts...); err != nil {
		return nil, err
	}
	parent := pulumi.Parent(c)
	fs, err := efs.NewFileSystem(ctx, name, &efs.FileSystemArgs{
		Encrypted: pulumi.Bool(true), ThroughputMode: pulumi.String("elastic"), Tags: tags.Merge(args.Tags, name),
	}, parent)
	if err != nil {
		return nil, err
	}
	point, err := efs.NewAccessPoint(ctx, name, &efs.AccessPointArgs{
		FileSystemId: fs.ID(),
		PosixUser:    &efs.AccessPointPosixUserArgs{Uid: pulumi.Int(functionUser), Gid: pulumi.Int(functionUser)},
		RootDirectory: &efs.AccessPointRootDirectoryArgs{
			Path: pulumi.String("/functions"),
			CreationInfo: &efs.AccessPointRootDirectoryCreationInfoArgs{
				OwnerUid: pulumi.Int(functionUser), OwnerGid: pulumi.Int(functionUser), Permissions: pulumi.String("0750"),
			},
		},
		Tags: tags.Merge(args.Tags, name),
	}, parent)
	if err != nil {
		return nil, err
	}
	ready := []any{point.Arn}
	for i, subnet := range args.SubnetIDs {
		target, err := efs.NewMountTarget(ctx, fmt.Sprintf("%s-%d", name, i), &efs.MountTargetArgs{
			FileSystemId: fs.ID(), SubnetId: subnet, SecurityGroups: pulumi.StringArray{args.SecurityGroupID},
		}, parent)
		if err != nil {
			return nil, err
		}
		ready = append(ready, target.ID())
	}
	c.AccessPointARN = pulumi.All(ready...).ApplyT(func(all []any) string { return all[0].(string) }).(pulumi.StringOutput)
	return c, ctx.RegisterResourceOutputs(c, pulumi.Map{"accessPointArn": c.AccessPointARN})
}
